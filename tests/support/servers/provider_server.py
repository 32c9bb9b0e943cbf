"""What the providers of sources on this machine have in common: a script of faults, a search by shared words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from tests.support.servers.loopback import LoopbackServer, Request, Response

T = TypeVar("T")

#: An item of a script: what to answer instead, or None to answer as usual.
Fault = Response | None

HTML_404 = Response(
    404, b"<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", {"Content-Type": "text/html"}
)
NOT_JSON = Response(200, b'{"results": [', {"Content-Type": "application/json"})
CUT = Response(200, b'{"results": [], "meta": {}, "docs": [], "data": {}}' * 20, cut=True)


class ProviderServer(LoopbackServer):
    """Plays `faults` in order, one a valid request, then answers as usual."""

    def __init__(self, faults: Sequence[Fault] = ()) -> None:
        super().__init__()
        self.faults = list(faults)
        #: Why requests were refused as no such provider would take them; a run expects it to stay empty.
        self.refused: list[str] = []

    def respond(self, request: Request) -> Response:
        if refusal := self.check(request):
            self.refused.append(f"{request.method} {request.path}: {refusal.body.decode()}")
            return refusal
        fault = self.faults.pop(0) if self.faults else None
        return self.answer(request) if fault is None else fault

    def check(self, request: Request) -> Response | None:
        """A refusal in the provider's shape for what it would not take."""
        raise NotImplementedError

    def answer(self, request: Request) -> Response:
        raise NotImplementedError

    @property
    def bodies(self) -> list[Any]:
        return [request.json() for request in self.requests if request.body]


def query_of(request: Request) -> tuple[str, dict[str, str]]:
    """The path, and the parameters of which none may be given twice."""
    parts = urlsplit(request.path)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    return parts.path, dict(pairs) if len(dict(pairs)) == len(pairs) else {"given": "twice"}


def matching(query: str, items: Sequence[T], text_of: Callable[[T], str]) -> list[T]:
    """Items that share a word of four letters with the query, most shared first."""
    wanted = _words(query)
    shared = [(len(wanted & _words(text_of(item))), item) for item in items]
    return [item for count, item in sorted(shared, key=lambda pair: -pair[0]) if count]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.casefold()))
