"""Which addresses may be opened: http and https, at the web's ports, of hosts that everybody can reach."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection

import httpx

from research.sources.base import ForbiddenAddressError

WEB_PORTS = frozenset({80, 443})
_DEFAULT_PORT = {"http": 80, "https": 443}

#: Hosts that browsers and resolvers read as a number: `2130706433`, `0x7f.1`, `127.0.1`.
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$", re.IGNORECASE)
#: Labels of letters, digits, `-` and `_`, at least two of them.
_NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}")
#: Names that never leave a machine or an office.
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion")

#: Where IPv4 is carried in IPv6 (RFC 6052): whether it may be reached is a matter of what is carried.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
#: Tunnels and relays whose far end nobody checks, and what the ipaddress module still calls global.
_CLOSED = (
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("192.88.99.0/24"),
    ipaddress.ip_network("64:ff9b:1::/48"),
    ipaddress.ip_network("2001::/32"),
    ipaddress.ip_network("2002::/16"),
    ipaddress.ip_network("fec0::/10"),
)

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def checked_url(url: str, ports: Collection[int] = WEB_PORTS) -> httpx.URL:
    """The address, if its form allows opening it; what its name stands for is not looked up here.

    Raises ForbiddenAddressError.
    """
    try:
        parsed = httpx.URL(url.strip())
        host = parsed.raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
        host = ""
    if not host:
        raise ForbiddenAddressError("not an address of the web")
    if parsed.scheme not in _DEFAULT_PORT:
        raise ForbiddenAddressError(f"scheme {parsed.scheme[:20]}")
    if parsed.userinfo:
        raise ForbiddenAddressError("a name or password in the address")
    if port_of(parsed) not in ports:
        raise ForbiddenAddressError(f"port {port_of(parsed)}")
    _check_host(host)
    return parsed


def port_of(url: httpx.URL) -> int:
    """The port that is meant, also where none is written."""
    return url.port or _DEFAULT_PORT[url.scheme]


def literal_address(host: str) -> IPAddress | None:
    """The address that a host is, None where it is a name. Raises ForbiddenAddressError for a disguised number."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        if ":" in host or _ENDS_IN_NUMBER.search(host):
            raise ForbiddenAddressError("a number in an unusual spelling") from None
        return None


def is_public(address: str) -> bool:
    """Whether an IP address is one that everybody can reach."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            return False
        if ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
    closed = any(ip.version == network.version and ip in network for network in _CLOSED)
    return ip.is_global and not (closed or ip.is_multicast or ip.is_reserved)


def _check_host(host: str) -> None:
    address = literal_address(host)
    if address is not None:
        if not is_public(str(address)):
            raise ForbiddenAddressError("a private address")
        return
    name = host.casefold().rstrip(".")
    if _NAME.fullmatch(name) is None or name.rpartition(".")[2] in _PRIVATE_NAMES:
        raise ForbiddenAddressError("a name that is not of the web")
