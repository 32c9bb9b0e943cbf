"""Sites of the open web on this machine. Names stand for a public address; connections to it end here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import httpx

from tests.support.servers.loopback import LoopbackServer, Request, Response

PUBLIC = "93.184.215.14"
OTHER_PUBLIC = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"


def html(title: str, *paragraphs: str, language: str = "en", head: str = "") -> Response:
    """A page with these paragraphs as its article."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    page = (
        f'<!doctype html><html lang="{language}"><head><title>{title}</title>{head}</head><body>'
        f'<nav><a href="/">Start</a></nav><main><article><h1>{title}</h1>{body}</article></main></body></html>'
    )
    return Response(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})


def redirect(to: str, status: int = 302) -> Response:
    return Response(status, b"", {"Location": to})


def file(data: bytes, content_type: str) -> Response:
    return Response(200, data, {"Content-Type": content_type})


class WebPages(LoopbackServer):
    """`pages` by address without scheme (`news.example.org/a?b=1`): an answer, or several to be given in turn.

    `names` overrides what a name stands for. Hand `resolve` and `transport` to `open_sources` or to a guard.
    """

    def __init__(
        self, pages: Mapping[str, Response | Sequence[Response]], names: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        super().__init__()
        self._pages = {place: [one] if isinstance(one, Response) else list(one) for place, one in pages.items()}
        self._names = dict(names or {})
        #: Address, and the name that a certificate was asked for.
        self.connected: list[tuple[str, str]] = []
        #: Names in the order in which they were looked up.
        self.looked_up: list[str] = []

    @property
    def places(self) -> list[str]:
        """What was asked for, as `pages` names it."""
        return [request.headers["host"] + request.path for request in self.requests]

    def respond(self, request: Request) -> Response:
        answers = self._pages.get(request.headers["host"] + request.path)
        if not answers:
            return Response(404, b"<h1>Not found</h1>", {"Content-Type": "text/html"})
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def resolve(self, host: str) -> list[str]:
        self.looked_up.append(host)
        known = host in self._names or any(place.startswith(f"{host}/") for place in self._pages)
        if not known:
            raise OSError("no such name")
        return list(self._names.get(host, [PUBLIC]))

    def transport(self) -> httpx.BaseTransport:
        return _ToHere(self)


class _ToHere(httpx.BaseTransport):
    """Connects here instead of to the address, over plain HTTP."""

    def __init__(self, site: WebPages) -> None:
        self._site = site
        self._inner = httpx.HTTPTransport(trust_env=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        name = str(request.extensions.get("sni_hostname", ""))
        self._site.connected.append((request.url.host, name))
        here = httpx.URL(self._site.url).copy_with(raw_path=request.url.raw_path)
        moved = httpx.Request(
            request.method, here, headers=request.headers, stream=request.stream, extensions=request.extensions
        )
        return self._inner.handle_request(moved)

    def close(self) -> None:
        self._inner.close()
