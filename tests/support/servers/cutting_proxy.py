"""A proxy in front of the site that passes requests on and loses the answers of some."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, Self
from urllib.parse import urlsplit

#: What a proxy says for a server that did not answer in time.
_GATEWAY_TIMEOUT = b"<html><h1>504 Gateway Timeout</h1></html>"
#: What it does with an answer: passes it on, sends half of it, or a page of its own in its place.
Deed = Literal["pass", "cut", "timeout"]


@dataclass
class CuttingProxy:
    """Passes everything on to `target`; `deed` says of a method and path what becomes of the answer."""

    target: str
    deed: Callable[[str, str], Deed] = lambda method, path: "pass"
    #: Methods and paths of the answers that were lost.
    lost: list[tuple[str, str]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"


def _handler_of(proxy: CuttingProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            self.close_connection = True
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            site = http.client.HTTPConnection(urlsplit(proxy.target).netloc, timeout=60)
            site.request(self.command, self.path, body, {**self.headers, "Connection": "close"})
            answer = site.getresponse()
            data = answer.read()
            site.close()
            deed = proxy.deed(self.command, self.path.partition("?")[0])
            if deed != "pass":
                proxy.lost.append((self.command, self.path))
            if deed == "timeout":
                self._send(504, {"Content-Type": "text/html"}, _GATEWAY_TIMEOUT, len(_GATEWAY_TIMEOUT))
                return
            headers = {name: value for name, value in answer.getheaders() if name.lower() not in _OWN}
            self._send(answer.status, headers, data[: len(data) // 2] if deed == "cut" else data, len(data))

        do_GET = do_POST = do_HEAD = _pass_on

        def _send(self, status: int, headers: dict[str, str], data: bytes, length: int) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(length))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler


_OWN = frozenset({"content-length", "connection", "transfer-encoding", "server", "date"})
