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
from research.sources.web.exchange import (
    Answer,
    Bounds,
    NotConnectedError,
    Pace,
    direct_transport,
    exchange,
)

_DEFAULT_PORT = {"http": 80, "https": 443}
#: Most characters of a URL.
_LONGEST = 2000

#: Hosts that browsers and resolvers parse as an IPv4 address: `2130706433`, `0x7f.1`, `127.0.1`.
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)\.?$", re.IGNORECASE)
#: Labels of letters, digits, `-` and `_`, at least two of them.
_NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}")
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

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

MOST_REDIRECTS = 5
#: Most addresses of one name that are tried in turn.
_MOST_ADDRESSES = 3
#: Least time of a step in seconds, however long earlier ones took.
_SHORTEST = 0.1

#: Gets the headers of a page before its body is read, and may raise a SourceError.
Inspect = Callable[[httpx.Headers], object]
#: Resolves a host and port to addresses; raises OSError if there are none.
Resolver = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a name by the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(place[4][0]) for place in found))


@dataclass(frozen=True)
class Guard:
    """Opens pages; `transport` connects to an address that was already checked."""

    bounds: Bounds
    pace: Pace
    user_agent: str
    resolve: Resolver = resolve
    transport: Callable[[], httpx.BaseTransport] = direct_transport

    def get(self, url: str, accept: str, inspect: Inspect) -> Answer:
        """Return the page at `url` after at most five redirects, each checked like the first URL.

        `inspect` gets the final page's headers before its body is read.
        Raises ForbiddenAddressError, SourceRefusedError, SourceUnavailableError or what `inspect` raises.
        """
        until = self.bounds.clock() + self.bounds.seconds
        for _ in range(MOST_REDIRECTS + 1):
            asked = checked_url(url)
            answer = self._ask(asked, until, accept, inspect)
            if answer.status == httpx.codes.OK:
                return answer
            try:
                url = str(asked.join(answer.headers["Location"]))
            except (httpx.InvalidURL, ValueError):
                raise SourceRefusedError("a redirect to nowhere") from None
        raise SourceRefusedError("too many redirects")

    def _ask(self, url: httpx.URL, until: float, accept: str, inspect: Inspect) -> Answer:
        failure = NotConnectedError("page: no address")
        for address in self._addresses(url)[:_MOST_ADDRESSES]:
            left = replace(self.bounds, seconds=max(_SHORTEST, until - self.bounds.clock()))
            try:
                request = self._pinned(url, address, accept)
                answer = exchange("page", request, self.transport(), left, self.pace, inspect)
            except NotConnectedError as exc:
                failure = exc
            else:
                return Answer(answer.status, answer.headers, answer.body, str(url))
        raise failure

    def _addresses(self, url: httpx.URL) -> list[str]:
        host = url.raw_host.decode("ascii")
        literal = literal_address(host)
        if literal is not None:
            return [str(literal)]
        try:
            found = list(self.resolve(host, port_of(url)))
        except (OSError, UnicodeError):
            found = []
        if not found:
            raise SourceUnavailableError("page: its name is not known")
        if not all(is_public(address) for address in found):
            raise ForbiddenAddressError("a name that stands for a private address")
        return found

    def _pinned(self, url: httpx.URL, address: str, accept: str) -> httpx.Request:
        """Build the request to the checked address; Host header and TLS server name remain those of the page."""
        headers = {"Host": url.netloc.decode("ascii"), "User-Agent": self.user_agent, "Accept": accept}
        pinned = url.copy_with(host=address, fragment=None)
        extensions = {"sni_hostname": url.raw_host.decode("ascii")}
        return httpx.Request("GET", pinned, headers=headers, extensions=extensions)


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
    except (httpx.InvalidURL, ValueError, TypeError):
        raise ForbiddenAddressError("not an address of the web") from None
    if parsed.scheme not in _DEFAULT_PORT or parsed.userinfo or port_of(parsed) not in _DEFAULT_PORT.values():
        raise ForbiddenAddressError("a scheme, login or port that is not opened")
    _check_host(host)
    return parsed


def port_of(url: httpx.URL) -> int:
    """Return the URL's port, or the default port of its scheme."""
    return url.port or _DEFAULT_PORT[url.scheme]


def literal_address(host: str) -> IPAddress | None:
    """Return the host as an IP address, None for a name. Raises ForbiddenAddressError for an unusual spelling."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        if ":" in host or _ENDS_IN_NUMBER.search(host):
            raise ForbiddenAddressError("a number in an unusual spelling") from None
        return None


def is_public(address: str) -> bool:
    """Return whether an IP address is publicly reachable; False for text that is not an address."""
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
    address, name = literal_address(host), host.casefold().rstrip(".")
    if address is not None and not is_public(str(address)):
        raise ForbiddenAddressError("a private address")
    if address is None and (_NAME.fullmatch(name) is None or name.rpartition(".")[2] in _PRIVATE_NAMES):
        raise ForbiddenAddressError("a name that is not of the web")
