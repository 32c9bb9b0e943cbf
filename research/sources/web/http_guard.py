"""Fetch pages of the public web only: no private address is reached, whatever a name or redirect leads to.

A name is resolved once, all its addresses are checked, and the connection goes to a checked address, so a later
change of the name's addresses has no effect (DNS rebinding).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import httpx

from research.sources.base import ForbiddenAddressError, SourceRefusedError, SourceUnavailableError
from research.sources.web.addresses import checked_url, is_public, literal_address, port_of
from research.sources.web.exchange import (
    Answer,
    Bounds,
    NotConnectedError,
    Pace,
    direct_transport,
    exchange,
)

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
