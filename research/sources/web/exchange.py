"""Send one HTTP request, with limits on rate, time and decompressed bytes; redirects are not followed."""

from __future__ import annotations

import gzip
import ssl
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

import httpx

from core.http_retry import may_pass, seconds_to_wait
from research.sources.base import SourceError, SourceRefusedError, SourceUnavailableError

#: A reachable host connects sooner; otherwise the host's next address is tried.
CONNECT_SECONDS = 5.0
#: Most seconds for which a host is left alone; a report waits no longer for one source.
_LONGEST_HOLD = 60.0
#: Requests that may be sent to a host without waiting after an idle period.
_BURST = 3
#: Least time of a step in seconds, however long earlier ones took.
_SHORTEST = 0.1

#: Gets the headers of an answer before its body is read, and may raise a SourceError.
Inspect = Callable[[httpx.Headers], object]


class NotConnectedError(SourceUnavailableError):
    """No connection to this IP address; another address of the same host may work."""


@dataclass(frozen=True)
class Answer:
    """An HTTP response with its body decompressed."""

    status: int
    headers: httpx.Headers
    body: bytes
    url: str


class Limits:
    """The limits of requests: seconds and bytes of each, and the rate per host, for this process alone.

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
    limits: Limits,
    transport: httpx.BaseTransport,
    *,
    seconds: float | None = None,
    inspect: Inspect = lambda headers: None,
    **sent: Any,
) -> Answer:
    """Send a request when its host's pace allows, and return the response: status 200 or a redirect.

    `name` identifies the service in errors; `seconds`: those that are left of the limits' own; `sent` is passed
    to httpx.
    Raises SourceUnavailableError, and SourceRefusedError for a request that cannot be sent, a status that means
    failure, or an answer that is too large or in another encoding.
    """
    failure: SourceError
    try:
        request = httpx.Request(method, url, **sent)
        host = request.headers["Host"]
        limits.wait(host)
        # The only encoding requested, because it is decompressed here up to the limit.
        request.headers["Accept-Encoding"] = "gzip"
        seconds = limits.seconds if seconds is None else max(_SHORTEST, seconds)
        deadline = limits.clock() + seconds
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        request.extensions["timeout"] = timeout.as_dict()
        with transport, closing(transport.handle_request(request)) as response:
            if response.status_code == httpx.codes.OK:
                inspect(response.headers)
            elif not response.has_redirect_location:
                asked = response.headers.get("Retry-After")
                if pause := seconds_to_wait(asked):
                    limits.hold(host, min(pause, _LONGEST_HOLD))
                raise refusal(name, response.status_code, asked)
            body = _body(name, response, limits, deadline)
        return Answer(response.status_code, response.headers, body, str(request.url))
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, ValueError) as exc:
        failure = SourceRefusedError(f"{name}: {type(exc).__name__}")
    except (httpx.ConnectError, httpx.ConnectTimeout) as exc:
        failure = NotConnectedError(f"{name}: {type(exc).__name__}")
    except (httpx.HTTPError, httpx.StreamError, OSError, EOFError, zlib.error) as exc:
        failure = SourceUnavailableError(f"{name}: {type(exc).__name__}")
    # Raised outside the handler: the cause would hold the request, which may contain the key.
    raise failure


def refusal(name: str, status: int, retry_after: str | None) -> SourceError:
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


def _body(name: str, response: httpx.Response, limits: Limits, deadline: float) -> bytes:
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
        # No more than the limit is decompressed.
        body = bytearray(gzip.GzipFile(fileobj=BytesIO(body)).read(limits.max_bytes + 1))
    if len(body) > limits.max_bytes:
        raise SourceRefusedError(f"{name}: larger than {limits.max_bytes} bytes")
    return bytes(body)
