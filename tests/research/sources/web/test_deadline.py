"""No server holds an exchange beyond its deadline, whatever it drips."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from research.sources.base import SourceUnavailableError
from research.sources.exchange import RequestLimits, exchange
from tests.support.servers.tls import certified

#: What comes first, what is dripped, and what ends the answer well.
_DRIPS = {
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
_TIMES, _PAUSE = 200, 0.02


@contextmanager
def dripping(first: bytes, drip: bytes, last: bytes, context: ssl.SSLContext | None) -> Iterator[int]:
    """A server that answers in so many drips; its port."""
    closing = threading.Event()

    def answer() -> None:
        with suppress(OSError):
            accepted, _ = listening.accept()
            with context.wrap_socket(accepted, server_side=True) if context else accepted as peer:
                peer.recv(4096)
                peer.sendall(first)
                for _ in range(_TIMES):
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


@pytest.mark.parametrize("dripped", _DRIPS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_answer_that_drips_is_cut_at_the_deadline(dripped: str, scheme: str, tmp_path: Path) -> None:
    server, certificate = certified("localhost", tmp_path)
    trusted = ssl.create_default_context(cadata=certificate.read_text())
    # This clock stands still: what is looked at between pieces of a body does not help.
    limits = RequestLimits(0.4, 1000, 1000, clock=lambda: 0.0)
    transport = httpx.HTTPTransport(verify=trusted, trust_env=False)
    named = {"sni_hostname": "localhost"}
    with (
        dripping(*_DRIPS[dripped], server if scheme == "https" else None) as port,
        pytest.raises(SourceUnavailableError, match="timeout"),
    ):
        exchange("page", "GET", f"{scheme}://127.0.0.1:{port}/", limits, transport, extensions=named)


def test_an_answer_in_time_is_whole() -> None:
    with dripping(b"HTTP/1.1 200 OK\r\n\r\n", b".", b"ok", None) as port:
        limits = RequestLimits(60, 1000, 1000)
        transport = httpx.HTTPTransport(trust_env=False)
        answer = exchange("page", "GET", f"http://127.0.0.1:{port}/", limits, transport)
    assert answer.body == b"." * _TIMES + b"ok"
