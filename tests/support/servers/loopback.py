"""A small HTTP server on a free port of this machine, for tests that speak a provider's wire format."""

from __future__ import annotations

import json
import threading
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
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    silent: bool = False
    cut: bool = False


def json_response(payload: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(payload, ensure_ascii=False).encode()
    return Response(status, body, {"Content-Type": "application/json", **(headers or {})})


class LoopbackServer:
    """Keeps every request in `requests`; a subclass answers them in `respond`. Use as a context manager."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return self._http.server_port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def respond(self, request: Request) -> Response:
        raise NotImplementedError

    def handle(self, request: Request) -> Response:
        with self._lock:
            self.requests.append(request)
            return self.respond(request)

    def wait_for_close(self) -> None:
        self._closing.wait()

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
        self.send_header("Content-Length", str(len(response.body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body[: len(response.body) // 2] if response.cut else response.body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _serve

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
