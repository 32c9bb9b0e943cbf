"""Requests to the public web only, with limits on rate, time and bytes."""

from __future__ import annotations

import gzip
import ipaddress
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import Any

import httpx

from core.clock import may_pass, seconds_to_wait
from core.llm.bounded import Cut
from research.sources.base import ForbiddenAddressError, SourceError, SourceRefusedError, SourceUnavailableError

#: A reachable host connects sooner; otherwise the host's next address is tried.
CONNECT_SECONDS = 5.0
#: Most seconds without requests to a host that asked to wait; a report waits no longer for one source.
_LONGEST_HOLD = 60.0
#: Requests that may be sent to a host without waiting after an idle period.
_BURST = 3
#: Least time of a step in seconds, even if earlier ones used up theirs.
_SHORTEST = 0.1

#: Gets the headers of an answer before its body is read, and may raise a SourceError.
Inspect = Callable[[httpx.Headers], object]


class NotConnectedError(SourceUnavailableError):
    """No connection to this IP address; another address of the same host may work."""


@dataclass(frozen=True)
class HttpResponse:
    """An HTTP response with its body decompressed."""

    status: int
    headers: httpx.Headers
    body: bytes
    url: str


class RequestLimits:
    """The limits of requests: seconds and bytes of each, and the rate per host, for this process.

    Thread-safe. A provider that limits by key answers 429, and `exchange` then calls `hold`.
    """

    def __init__(
        self,
        seconds: float,
        max_bytes: int,
        per_second: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.seconds, self.max_bytes, self.clock = seconds, max_bytes, clock
        self._interval, self._sleep = 1 / per_second, sleep
        self._lock = threading.Lock()
        #: By host: theoretical arrival time of the next request (generic cell rate algorithm).
        self._due: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Block until a request to this host may be sent, and count that request."""
        with self._lock:
            now = self.clock()
            due = max(self._due.get(host, now), now)
            self._due[host] = due + self._interval
        pause = due - (_BURST - 1) * self._interval - now
        if pause > 0:
            self._sleep(pause)

    def hold(self, host: str, seconds: float) -> None:
        """Send no request to this host for this many seconds."""
        with self._lock:
            due = self.clock() + seconds + (_BURST - 1) * self._interval
            self._due[host] = max(self._due.get(host, due), due)


def exchange(
    name: str,
    method: str,
    url: httpx.URL | str,
    limits: RequestLimits,
    transport: httpx.BaseTransport,
    *,
    seconds: float | None = None,
    inspect: Inspect = lambda headers: None,
    **sent: Any,
) -> HttpResponse:
    """Send a request when its host's pace allows, and return the response: status 200 or a redirect.

    `name` identifies the service in errors; `seconds`: the remaining time, by default that of the limits; `sent`
    is passed to httpx. Raises SourceUnavailableError, and SourceRefusedError for a request that cannot be sent, a
    status that means failure, or an answer that is too large or in another encoding.
    """
    failure: SourceError
    seconds = limits.seconds if seconds is None else max(_SHORTEST, seconds)
    cut = Cut(seconds)
    try:
        request = httpx.Request(method, url, **sent)
        host = request.headers["Host"]
        limits.wait(host)
        # The only encoding requested, because it is decompressed here up to the limit.
        request.headers["Accept-Encoding"] = "gzip"
        deadline = limits.clock() + seconds
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        request.extensions["timeout"] = timeout.as_dict()
        request.extensions["trace"] = cut.trace
        with transport, cut, closing(transport.handle_request(request)) as response:
            if response.status_code == httpx.codes.OK:
                inspect(response.headers)
            elif not response.has_redirect_location:
                asked = response.headers.get("Retry-After")
                if pause := seconds_to_wait(asked):
                    limits.hold(host, min(pause, _LONGEST_HOLD))
                raise status_error(name, response.status_code, asked)
            body = _body(name, response, limits, deadline)
            if cut.is_made:
                # Without a Content-Length the end of the connection looks like the end of the body.
                raise TimeoutError
        return HttpResponse(response.status_code, response.headers, body, str(request.url))
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, ValueError) as exc:
        failure = SourceRefusedError(f"{name}: {type(exc).__name__}")
    except (httpx.ConnectError, httpx.ConnectTimeout) as exc:
        failure = NotConnectedError(f"{name}: {type(exc).__name__}")
    except (httpx.HTTPError, httpx.StreamError, OSError, EOFError, zlib.error) as exc:
        failure = SourceUnavailableError(f"{name}: {'timeout' if cut.is_made else type(exc).__name__}")
    # Raised outside the handler: the cause would hold the request, which may contain the key.
    raise failure


def status_error(name: str, status: int, retry_after: str | None) -> SourceError:
    """Return the error for a failure status; it contains nothing of the body."""
    detail = f"{name}: http_{status}"
    if may_pass(status):
        return SourceUnavailableError(detail, retry_after=seconds_to_wait(retry_after))
    return SourceRefusedError(detail)


def direct_transport() -> httpx.BaseTransport:
    """Return a transport for one exchange that ignores proxies and certificates set in the environment."""
    return httpx.HTTPTransport(verify=_tls(), trust_env=False)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return the TLS context; cached, because loading the certificate authorities takes 20 ms or more."""
    return httpx.create_ssl_context(trust_env=False)


def _body(name: str, response: httpx.Response, limits: RequestLimits, deadline: float) -> bytes:
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise SourceRefusedError(f"{name}: an encoding that was not asked for")
    body = bytearray()
    for piece in response.iter_raw():
        if limits.clock() > deadline:
            raise SourceUnavailableError(f"{name}: timeout")
        body += piece
        if len(body) > limits.max_bytes:
            break
    if "gzip" in encoding and len(body) <= limits.max_bytes:
        # Decompress no more than the limit.
        body = bytearray(gzip.GzipFile(fileobj=BytesIO(body)).read(limits.max_bytes + 1))
    if len(body) > limits.max_bytes:
        raise SourceRefusedError(f"{name}: larger than {limits.max_bytes} bytes")
    return bytes(body)


# Fetch pages of the public web only: no name or redirect can lead to a private address.
#
# Only http and https on ports 80 and 443 of publicly reachable hosts may be opened.
#
# A name is resolved once, all its addresses are checked, and the connection goes to a checked address, so a later
# change of the name's addresses has no effect (DNS rebinding).


#: Most characters of a URL.
_LONGEST = 2000

#: At least two labels of letters, digits, `-` and `_`. Hosts whose last label begins with a digit are parsed as an
#: IPv4 address by browsers and resolvers: `0x7f.1`, `127.0.1`.
_NAME = re.compile(r"([a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}")
#: Top-level names that resolve only on a machine or a local network.
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion")

#: IPv4 addresses embedded in IPv6 (RFC 6052): the embedded address decides whether it is public.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
#: Tunnels and relays whose destination cannot be checked, ranges that ipaddress wrongly calls global, and the
#: address at which Azure's own services answer every machine there.
_CLOSED = (
    ipaddress.ip_network("168.63.129.16/32"),
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


def resolve_host(host: str) -> list[str]:
    """Return the addresses of a name from the system's resolver; an address is returned itself."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(place[4][0]) for place in found))


@dataclass(frozen=True)
class Guard:
    """Opens pages; `transport` connects to an address that was already checked."""

    limits: RequestLimits
    user_agent: str
    resolve: Resolver = resolve_host
    transport: Callable[[], httpx.BaseTransport] = direct_transport

    def get(self, url: str, accept: str, inspect: Inspect) -> HttpResponse:
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

    def _ask(self, url: httpx.URL, until: float, accept: str, inspect: Inspect) -> HttpResponse:
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
