"""Fetch pages of the public web only: no private address is reached, whatever a name or redirect leads to.

Only http and https on ports 80 and 443 of publicly reachable hosts may be opened.

A name is resolved once, all its addresses are checked, and the connection goes to a checked address, so a later
change of the name's addresses has no effect (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx

from research.sources.base import ForbiddenAddressError, SourceRefusedError, SourceUnavailableError
from research.sources.web.exchange import Answer, Inspect, Limits, NotConnectedError, direct_transport, exchange

#: Most characters of a URL.
_LONGEST = 2000

#: At least two labels of letters, digits, `-` and `_`. Hosts whose last label begins with a digit are parsed as an
#: IPv4 address by browsers and resolvers: `0x7f.1`, `127.0.1`.
_NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}")
#: Top-level names that resolve only on a machine or a local network.
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion")

#: IPv4 addresses embedded in IPv6 (RFC 6052): the embedded address decides whether it is public.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
#: Tunnels and relays whose destination cannot be checked, and ranges that ipaddress wrongly calls global.
_CLOSED = (
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("192.88.99.0/24"),
    ipaddress.ip_network("64:ff9b:1::/48"),
    ipaddress.ip_network("2002::/16"),
    ipaddress.ip_network("fec0::/10"),
)

MOST_REDIRECTS = 5
#: Most addresses of one name that are tried in turn.
_MOST_ADDRESSES = 3

#: Resolves a host to addresses; raises OSError if there are none.
Resolver = Callable[[str], Sequence[str]]


def resolve(host: str) -> list[str]:
    """Return the addresses of a name by the system's resolver; of an address itself."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(place[4][0]) for place in found))


@dataclass(frozen=True)
class Guard:
    """Opens pages; `transport` connects to an address that was already checked."""

    limits: Limits
    user_agent: str
    resolve: Resolver = resolve
    transport: Callable[[], httpx.BaseTransport] = direct_transport

    def get(self, url: str, accept: str, inspect: Inspect) -> Answer:
        """Return the page at `url` after at most five redirects, each checked like the first URL.

        `inspect` gets the final page's headers before its body is read.
        Raises ForbiddenAddressError, SourceRefusedError, SourceUnavailableError or what `inspect` raises.
        """
        until = self.limits.clock() + self.limits.seconds
        for _ in range(MOST_REDIRECTS + 1):
            asked = checked_url(url)
            answer = self._ask(asked, until, accept, inspect)
            if answer.status == httpx.codes.OK:
                return replace(answer, url=str(asked))
            try:
                url = str(asked.join(answer.headers["Location"]))
            except (httpx.InvalidURL, ValueError):
                raise SourceRefusedError("a redirect to nowhere") from None
        raise SourceRefusedError("too many redirects")

    def _ask(self, url: httpx.URL, until: float, accept: str, inspect: Inspect) -> Answer:
        failure = NotConnectedError("page: no address")
        for address in self._addresses(url)[:_MOST_ADDRESSES]:
            try:
                # To the checked address; Host header and TLS server name remain those of the page.
                return exchange(
                    "page",
                    "GET",
                    url.copy_with(host=address, fragment=None),
                    self.limits,
                    self.transport(),
                    seconds=until - self.limits.clock(),
                    inspect=inspect,
                    headers={"Host": url.netloc.decode(), "User-Agent": self.user_agent, "Accept": accept},
                    extensions={"sni_hostname": url.raw_host.decode()},
                )
            except NotConnectedError as exc:
                failure = exc
        raise failure

    def _addresses(self, url: httpx.URL) -> list[str]:
        try:
            found = list(self.resolve(url.raw_host.decode()))
        except (OSError, UnicodeError):
            found = []
        if not found:
            raise SourceUnavailableError("page: its name is not known")
        if not all(is_public(address) for address in found):
            raise ForbiddenAddressError("a name that stands for a private address")
        return found


def may_be_opened(url: str | None) -> bool:
    """Return whether `checked_url` accepts a URL."""
    try:
        return url is not None and len(url) <= _LONGEST and bool(checked_url(url))
    except ForbiddenAddressError:
        return False


def checked_url(url: str) -> httpx.URL:
    """Parse a URL and check that its form permits opening it; its host is not resolved here.

    Raises ForbiddenAddressError.
    """
    try:
        parsed = httpx.URL(url.strip())
        host = parsed.raw_host.decode("ascii")
    except (httpx.InvalidURL, ValueError):
        raise ForbiddenAddressError("not an address of the web") from None
    if parsed.scheme not in ("http", "https") or parsed.userinfo or parsed.port not in (None, 80, 443):
        raise ForbiddenAddressError("a scheme, login or port that is not opened")
    if not (is_public(host.strip("[]")) or _is_public_name(host.casefold().rstrip("."))):
        raise ForbiddenAddressError("a private address, or a name that is not of the web")
    return parsed


def is_public(address: str) -> bool:
    """Return whether an IP address is publicly reachable; False for text that is not an address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped or ip in _NAT64):
        ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or any(ip in network for network in _CLOSED))


def _is_public_name(host: str) -> bool:
    return _NAME.fullmatch(host) is not None and host.rpartition(".")[2] not in _PRIVATE_NAMES
