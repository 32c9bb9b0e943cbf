"""Open Library's search and works on this machine, strict about what it is sent (see its developers' page)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.support.servers.loopback import Request, Response, json_response
from tests.support.servers.provider_server import HTML_404, Fault, ProviderServer, matching, query_of

_PARAMS = frozenset({"q", "fields", "limit", "page", "offset", "lang", "sort"})
_FIELDS = frozenset(
    [
        "key",
        "title",
        "subtitle",
        "author_name",
        "first_publish_year",
        "publisher",
        "isbn",
        "language",
        "edition_count",
        "author_key",
    ]
)
_CONTACT = re.compile(r"\S+@\S+|https?://\S+")

Book = dict[str, Any]


def book(
    number: int,
    title: str,
    description: object = None,
    *,
    authors: Sequence[str] | None = ("Ana Ortiz",),
    year: int | None = 1997,
    isbn: Sequence[str] = ("0140328726", "9780140328721"),
    publisher: str | None = "Harbor Press",
    **work: object,
) -> Book:
    """A book: its entry in searches, and its work."""
    key = f"/works/OL{number}W"
    doc = {"key": key, "title": title, "first_publish_year": year, "edition_count": 4, "isbn": list(isbn)}
    doc |= {"author_name": list(authors)} if authors is not None else {}
    doc |= {"publisher": [publisher]} if publisher else {}
    described = {} if description is None else {"description": description}
    return {"doc": doc, "work": {"key": key, "title": title, "type": {"key": "/type/work"}, **described, **work}}


def refusal(status: int, message: str = "", retry_after: str | None = None) -> Response:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return json_response({"error": message or "error"}, status, headers)


class OpenLibraryServer(ProviderServer):
    contact = "desk@office.example.org"

    def __init__(self, books: Sequence[Book] = (), faults: Sequence[Fault] = ()) -> None:
        super().__init__(faults)
        self.books = list(books)

    def check(self, request: Request) -> Response | None:
        path, params = query_of(request)
        if request.method != "GET" or not re.fullmatch(r"/search\.json|/works/OL\d+W\.json", path):
            return HTML_404
        if not _CONTACT.search(request.headers.get("user-agent", "")):
            return Response(403, b"<html>Forbidden: say who you are</html>", {"Content-Type": "text/html"})
        if set(params) - _PARAMS or (path == "/search.json" and not params.get("q")):
            return refusal(422, "unknown parameter")
        if set(filter(None, params.get("fields", "").split(","))) - _FIELDS:
            return refusal(422, "unknown field")
        return None

    def answer(self, request: Request) -> Response:
        path, params = query_of(request)
        if path != "/search.json":
            works = {item["work"]["key"]: item["work"] for item in self.books}
            key = path.removesuffix(".json")
            return json_response(works[key]) if key in works else refusal(404, "notfound")
        found = matching(params["q"], self.books, lambda item: f"{item['work']}")
        fields = params.get("fields", ",".join(sorted(_FIELDS))).split(",")
        docs = [{name: value for name, value in item["doc"].items() if name in fields} for item in found]
        return json_response({"numFound": len(docs), "start": 0, "docs": docs[: int(params.get("limit", 100))]})


def openlibrary_server(books: Sequence[Book] = (), faults: Sequence[Fault] = ()) -> OpenLibraryServer:
    return OpenLibraryServer(books, faults)
