"""Send one HTTP request, with limits on time and on decompressed bytes; redirects are not followed."""

from __future__ import annotations

import gzip
import ssl
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

import httpx

from core.http_retry import may_pass, seconds_to_wait
from research.sources.base import SourceError, SourceRefusedError, SourceUnavailableError

#: A reachable host connects sooner; otherwise the host's next address is tried.
CONNECT_SECONDS = 5.0


class NotConnectedError(SourceUnavailableError):
    """No connection to this IP address; another address of the same host may work."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one exchange."""

    seconds: float
    max_bytes: int
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Answer:
    """An HTTP response with its body decompressed."""

    status: int
    headers: httpx.Headers
    body: bytes
    url: str


def exchange(
    name: str,
    request: httpx.Request,
    transport: httpx.BaseTransport,
    bounds: Bounds,
    inspect: Callable[[httpx.Response], object],
) -> Answer:
    """Send `request` and return the response.

    `inspect` gets the response before its body is read, and may raise a SourceError; `name` identifies the
    service in errors. Raises SourceUnavailableError, and SourceRefusedError for a request that cannot be sent or
    an answer that is too large or in another encoding.
    """
    # The only encoding requested, because it is decompressed here up to the limit.
    request.headers["Accept-Encoding"] = "gzip"
    timeout = httpx.Timeout(bounds.seconds, connect=min(bounds.seconds, CONNECT_SECONDS))
    request.extensions["timeout"] = timeout.as_dict()
    deadline = bounds.clock() + bounds.seconds
    failure: SourceError
    try:
        with transport:
            response = transport.handle_request(request)
            try:
                inspect(response)
                body = _body(name, response, bounds, deadline)
            finally:
                response.close()
        return Answer(response.status_code, response.headers, body, str(request.url))
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, UnicodeError) as exc:
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
    """Return the TLS context; cached, because loading the certificate authorities takes 20 ms."""
    return httpx.create_ssl_context(trust_env=False)


def _body(name: str, response: httpx.Response, bounds: Bounds, deadline: float) -> bytes:
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise SourceRefusedError(f"{name}: an encoding that was not asked for")
    too_large = SourceRefusedError(f"{name}: larger than {bounds.max_bytes} bytes")
    raw = bytearray()
    for piece in response.iter_raw():
        if bounds.clock() > deadline:
            raise SourceUnavailableError(f"{name}: timeout")
        raw += piece
        if len(raw) > bounds.max_bytes:
            raise too_large
    if "gzip" not in encoding:
        return bytes(raw)
    # No more than the limit is decompressed.
    body = gzip.GzipFile(fileobj=BytesIO(raw)).read(bounds.max_bytes + 1)
    if len(body) > bounds.max_bytes:
        raise too_large
    return body
