"""What is kept of a browser, so that its owner recognises a session: a few words and the kind of address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from core.labels import LabelledEnum

#: Names of browsers and systems with what announces them, the particular before the general: each browser
#: also names those that it is compatible with.
_BROWSERS = (
    ("Edge", "Edg"),
    ("Opera", "OPR/"),
    ("Firefox", "Firefox/"),
    ("Firefox", "FxiOS/"),
    ("Chrome", "Chrome/"),
    ("Chrome", "CriOS/"),
    ("Safari", "Safari/"),
    ("curl", "curl/"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("ChromeOS", "CrOS"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("Linux", "Linux"),
)


#: Bits of a network by version of the protocol.
_BITS = {4: 24, 6: 48}


class AddressFamily(LabelledEnum):
    """Kind of the address that a session was begun from; the address itself is not kept."""

    UNKNOWN = "", "Unknown"
    HERE = "here", "This computer"
    IPV4 = "ipv4", "IPv4"
    IPV6 = "ipv6", "IPv6"


@dataclass(frozen=True)
class Client:
    """A browser, in short."""

    family: AddressFamily
    #: Such as "Firefox, Linux"; empty if it announces nothing that is known.
    user_agent: str
    #: The network of its address, such as "192.0.2.0/24", for the record of events; "" if it is not known.
    network: str = ""


def client_of(address: str | None, user_agent: str) -> Client:
    """Return the short description of a browser by its address and its `User-Agent`."""
    browser = next((name for name, mark in _BROWSERS if mark in user_agent), None)
    system = next((name for name, mark in _SYSTEMS if mark in user_agent), None)
    return Client(_family(address), ", ".join(name for name in (browser, system) if name), network_of(address))


def network_of(address: str | None) -> str:
    """Return the network of an address: 24 bits of IPv4, 48 of IPv6; "" for what is no address."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    return str(ipaddress.ip_network((found, _BITS[found.version]), strict=False))


def _family(address: str | None) -> AddressFamily:
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return AddressFamily.UNKNOWN
    if found.is_loopback:
        return AddressFamily.HERE
    return AddressFamily.IPV4 if found.version == 4 else AddressFamily.IPV6
