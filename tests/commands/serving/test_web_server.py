"""Requests that are never finished do not keep the server from answering others."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest
from flask import request

from commands import serving as web_server
from core.config import Settings
from flask_app import create_app
from tests.support.real_server import serving
from tests.support.site import tidy_context
from web.access import access

HALF = b"POST /sign-in HTTP/1.1\r\nHost: desk\r\nContent-Le"
BODY = b"POST /sign-in HTTP/1.1\r\nHost: desk\r\nContent-Length: 900\r\n\r\nemail="


@pytest.fixture
def port(settings: Settings) -> Iterator[int]:
    """The port of a real server over the site."""
    with tidy_context(settings) as context, serving(create_app(settings, context)) as port:
        yield port


def status(port: int) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/healthz")
        return connection.getresponse().status


def half_open(parts: ExitStack, port: int, sent: bytes) -> socket.socket:
    connection = parts.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    connection.sendall(sent)
    return connection


def test_a_hundred_and_twenty_unfinished_requests(port: int) -> None:
    with ExitStack() as parts:
        for number in range(120):
            half_open(parts, port, (b"", HALF, BODY)[number % 3])
        assert status(port) == 200


def test_the_health_check_waits_for_no_other_request(settings: Settings) -> None:
    asked, over = threading.Semaphore(0), threading.Event()

    @access("public")
    def slow() -> str:
        asked.release()
        over.wait(60)
        return ""

    with tidy_context(settings) as context, ExitStack() as parts:
        app = create_app(settings, context)
        app.add_url_rule("/slow", "slow", slow)
        port = parts.enter_context(serving(app))
        parts.callback(over.set)
        for _ in range(web_server.THREADS):
            half_open(parts, port, b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert asked.acquire(timeout=30)
        assert status(port) == 200


@pytest.mark.parametrize(("hops", "visitor"), [(0, "127.0.0.1 http"), (1, "203.0.113.9 https")])
def test_the_visitor_is_who_the_declared_proxy_names(settings: Settings, hops: int, visitor: str) -> None:
    behind = settings.model_copy(update={"trusted_proxies": hops, "allowed_hosts": "office.example.org"})

    @access("public")
    def who() -> str:
        return f"{request.remote_addr} {request.scheme}"

    with tidy_context(behind) as context:
        app = create_app(behind, context)
        app.add_url_rule("/who", "who", who)
        with serving(app) as port, closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            said = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9", "X-Forwarded-Proto": "https"}
            connection.request("GET", "/who", headers=said | {"X-Forwarded-Host": "office.example.org"})
            assert connection.getresponse().read().decode() == visitor


@pytest.mark.parametrize("sent", [b"FOO", b"GET", b"GET  HTTP/1.1", b"GET / HTTP/one", b"\x16\x03\x01\xff"])
def test_what_is_no_request_is_answered_so(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(sent + b"\r\n\r\n")
        assert connection.recv(12).endswith(b"400")
    assert status(port) == 200


@pytest.mark.parametrize("sent", [b"", HALF, BODY])
def test_an_unfinished_request_is_cut_off_though_bytes_come(
    port: int, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEAD_SECONDS", "BODY_SECONDS"):
        monkeypatch.setattr(web_server, name, 0.2)
    with ExitStack() as parts:
        connection = half_open(parts, port, sent)
        if not sent:
            connection.sendall(b"G")
        assert _ends(connection)


@pytest.mark.parametrize(
    ("rest", "status"),
    [
        (b"Content-Length: 70000\r\n\r\n", b"413"),
        (b"Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n", b"413"),
        (b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % 70_000 + b"x" * 70_000, b"413"),
        (b"Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 9000, b"400"),
        (b"Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"x: y\r\n" * 2000, b"400"),
    ],
)
def test_what_can_be_no_request_is_refused_before_all_of_it_came(port: int, rest: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"POST /upload HTTP/1.1\r\nHost: localhost\r\n" + rest)
        assert connection.recv(12).endswith(status)


def _ends(connection: socket.socket) -> bool:
    """Send a byte now and then until the other side closes the connection."""
    connection.settimeout(0.3)
    for _ in range(50):
        try:
            connection.sendall(b"x")
            return connection.recv(1) == b""
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def test_a_server_that_lost_the_signal_to_end_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores what a signal raises while it finalises an object."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = web_server.WebServer(lambda environ, start: [b""], listener, 1)
        running = threading.Thread(target=server.run, daemon=True)
        running.start()
        monkeypatch.setattr(web_server, "_was_asked_to_end", True)
        running.join(20)
        server.close()
        assert not running.is_alive()
