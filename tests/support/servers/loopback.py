"""A small HTTP server on a free port of this machine, for tests that speak a provider's wire format."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    """What to send back.

    `drop` closes the connection without a byte, `cut` in the middle of the body; `silent` never answers.
    `endless` is sent again and again after the body, each `pause` seconds, until the server closes.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    silent: bool = False
    cut: bool = False
    endless: bytes = b""
    pause: float = 0.01


SILENCE = Response(silent=True)
DROPPED = Response(drop=True)
GATEWAY_PAGE = Response(200, b"<html>Bad gateway</html>", {"Content-Type": "text/html"})


def event_stream(events: Iterable[tuple[str | None, str]]) -> Response:
    """Server-sent events, each of a name (or none) and its data."""
    body = "".join((f"event: {name}\n" if name else "") + f"data: {data}\n\n" for name, data in events)
    return Response(200, body.encode(), {"Content-Type": "text/event-stream; charset=utf-8"})


def json_response(payload: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(payload, ensure_ascii=False).encode()
    return Response(status, body, {"Content-Type": "application/json", **(headers or {})})


class LoopbackServer:
    """Keeps every request in `requests`; a subclass answers them in `respond`. Use as a context manager."""

    host = "127.0.0.1"

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Http((self.host, 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return self._http.server_port

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def respond(self, request: Request) -> Response:
        raise NotImplementedError

    def handle(self, request: Request) -> Response:
        with self._lock:
            self.requests.append(request)
            return self.respond(request)

    def wait_for_close(self) -> None:
        self._closing.wait()

    def closes_within(self, seconds: float) -> bool:
        return self._closing.wait(seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    owner: LoopbackServer
    daemon_threads = False


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        request = Request(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, self._read())
        response = self.server.owner.handle(request)
        self.close_connection = True
        if response.silent:
            self.server.owner.wait_for_close()
        if response.silent or response.drop:
            return
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if not response.endless:
            self.send_header("Content-Length", str(len(response.body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body[: len(response.body) // 2] if response.cut else response.body)
        if response.endless:
            self._repeat(response)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _serve

    def _repeat(self, response: Response) -> None:
        """Until the server closes, or the client has gone."""
        with contextlib.suppress(ConnectionError):
            while not self.server.owner.closes_within(response.pause):
                self.wfile.write(response.endless)

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(iter(self._chunk, b""))
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
        self.rfile.readline()
        return data

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the requests are kept."""
