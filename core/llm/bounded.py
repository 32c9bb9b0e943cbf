"""Answers of services, bounded in time and bytes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

#: Most bytes of an answer. The longest streams of a deep model have a tenth of it.
_MOST_BYTES = 32 << 20


def bounding(http: Any) -> dict[str, list[Callable[[Any], None]]]:
    """Return the hooks of a client of `http` (httpx or httpx2) that bound the time and bytes of each answer.

    The packages' own limit begins anew with each piece: a server that sends a byte now and then would never end.
    """

    class Bounded(http.SyncByteStream):  # type: ignore[misc]  # either package's class
        def __init__(self, stream: Any, until: float) -> None:
            self._stream, self._until = stream, until

        def __iter__(self) -> Iterator[bytes]:
            received = 0
            for piece in self._stream:
                received += len(piece)
                if time.monotonic() > self._until:
                    raise http.ReadTimeout("the answer took too long")
                if received > _MOST_BYTES:
                    raise http.ReadError("the answer is too long")
                yield piece

        def close(self) -> None:
            self._stream.close()

    def bound(response: Any) -> None:
        seconds: float = response.request.extensions["timeout"]["read"]
        response.stream = Bounded(response.stream, time.monotonic() + seconds)

    return {"response": [bound]}


def post(url: str, body: Mapping[str, object], headers: Mapping[str, str], seconds: float) -> httpx.Response:
    """Send `body` as JSON over a connection of its own and return the answer, whatever its status.

    Redirects are not followed: what is sent, and the key, would go along.
    Raises httpx's exceptions, ReadTimeout if the answer is not complete after so many seconds.
    """
    # The import takes a tenth of a second, and most processes never send a request.
    import httpx

    cut = Cut(seconds)
    with cut, httpx.Client(timeout=seconds, follow_redirects=False, event_hooks=bounding(httpx)) as client:
        answer = client.post(url, json=body, headers=headers, extensions={"trace": cut.trace})
    if cut.is_made:
        # Without a Content-Length the end of the connection looks like the end of the body.
        raise httpx.ReadTimeout("the answer took too long")
    return answer


class Cut:
    """Ends the connection of a request at its deadline.

    httpx only limits each read: a server that sends a header line per second, or endless `103 Early Hints`, could
    hold the exchange forever.
    """

    def __init__(self, seconds: float) -> None:
        self.is_made = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._make)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the connection, then the TLS connection that replaces it (httpx's extension `trace`)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.is_made:
                self._end()

    def _make(self) -> None:
        self.is_made = True
        self._end()

    def _end(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                # Not `SSLSocket.shutdown`, after which data would be read as plain text.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
