"""A server whose answer comes in drips, each soon enough for a limit of one read."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: What comes first, what is dripped, and what ends the answer well.
DRIPS = {
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", b"Content-Length: 2\r\n\r\nok"),
    "a header": (b"HTTP/1.1 200 OK\r\nX: ", b"y", b"\r\nContent-Length: 2\r\n\r\nok"),
    "hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
    "a chunk's extension": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;",
        b"a",
        b"\r\nok\r\n0\r\n\r\n",
    ),
    "a body of any length": (b"HTTP/1.1 200 OK\r\n\r\n", b".", b""),
}
TIMES, _PAUSE = 200, 0.02


def _read_request(peer: socket.socket) -> None:
    """Read all that was asked: a socket that is closed with bytes unread resets what it has just answered."""
    with peer.makefile("rb") as asked:
        asked.readline()
        headers = http.client.parse_headers(asked)
        asked.read(int(headers.get("Content-Length", 0)))


@contextmanager
def dripping(first: bytes, drip: bytes, last: bytes, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """A server that answers in so many drips; its port."""
    closing = threading.Event()

    def answer() -> None:
        with suppress(OSError):
            accepted, _ = listening.accept()
            with context.wrap_socket(accepted, server_side=True) if context else accepted as peer:
                _read_request(peer)
                peer.sendall(first)
                for _ in range(TIMES):
                    if closing.wait(_PAUSE):
                        return
                    peer.sendall(drip)
                peer.sendall(last)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer)
        thread.start()
        yield listening.getsockname()[1]
        closing.set()
        thread.join()
