"""Answers with anything in the place of anything: a typed error or a usable hit, never another exception."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
import pytest

from research.sources import remote
from research.sources.base import Hit, SearchScope, SourceError, SourceKind
from research.sources.exchange import HttpResponse
from research.sources.remote import SourceCache
from tests.support.research.sources import opened
from tests.support.servers import firecrawl_server, openalex_server, openlibrary_server, tavily_server

TEXT = "Fathers who read aloud at school every week came to 412 evenings in Cedar Falls."
URL = "https://news.example.org/a"
JUNK: list[Any] = [None, True, 0, -1, 7.5, 10**400, "", "x", "\x00\ud800", [], [None], [[]], {}, {"a": None}]
WORK = openalex_server.work(7, "Reading", TEXT, landing_page=URL, open_pdf=URL)
BOOK = openlibrary_server.book(7, "Reading", {"value": TEXT}, table_of_contents=[{"title": "One"}], excerpts=["x"])
RESULT = tavily_server.result(URL, "Reading", "snippet", TEXT, "2024-01-02")
PAGE = firecrawl_server.page(URL, "Reading", TEXT, "snippet")

KEYS = ("openalex_api_key", "tavily_api_key", "firecrawl_api_key")

#: Provider, kind, its locator, an answer to a search and one to a fetch.
ANSWERS: list[tuple[str, SourceKind, str, Any, Any]] = [
    ("openalex", "academic", "W7", {"meta": {"count": 1}, "results": [WORK, WORK]}, WORK),
    ("openlibrary", "book", "/works/OL7W", {"numFound": 1, "docs": [BOOK["doc"], BOOK["doc"]]}, BOOK["work"]),
    ("tavily", "web", URL, {"answer": "no", "results": [RESULT, RESULT], "response_time": 1}, {}),
    (
        "firecrawl",
        "web",
        URL,
        {"success": True, "data": {"web": [PAGE, {"url": URL, "title": "T", "description": "D"}]}},
        {"success": True, "data": {"markdown": TEXT, "metadata": PAGE["metadata"]}},
    ),
]


def places(value: Any, put: Callable[[Any], None]) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Every value of an answer, and how to put another in its place."""
    yield value, put
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield from places(inner, lambda new, key=key: value.__setitem__(key, new))


def strange(answer: Any, chance: random.Random) -> bytes:
    whole = [json.loads(json.dumps(answer))]
    for _ in range(chance.randint(1, 3)):
        found = [put for _, put in places(whole[0], lambda new: whole.__setitem__(0, new))]
        chance.choice(found[1:])(copy.deepcopy(chance.choice(JUNK)))
    return json.dumps(whole[0]).encode()


@pytest.mark.parametrize(
    ("name", "kind", "locator", "searched", "fetched"), ANSWERS, ids=[answer[0] for answer in ANSWERS]
)
def test_strange_answers(
    name: str,
    kind: SourceKind,
    locator: str,
    searched: Any,
    fetched: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(7)
    body = b""
    monkeypatch.setattr(remote, "exchange", lambda *asked, **sent: HttpResponse(200, httpx.Headers(), body, URL))
    monkeypatch.setattr(SourceCache, "get", lambda *asked: None)
    # Hundreds of waits for the disk say nothing about answers.
    monkeypatch.setattr("core.file_store.os.fsync", lambda descriptor: None)
    settings = {"openlibrary_contact": "a@b.c", **dict.fromkeys(KEYS, "k")}
    source = opened(tmp_path, source_requests_per_second=10**3, **settings).by_name(name)
    outcomes = {"hits": 0, "texts": 0, "errors": 0}
    for _ in range(120):
        body = strange(searched, chance)
        try:
            hits = source.search("reading fathers", 5, SearchScope(kind))
        except SourceError:
            outcomes["errors"] += 1
        else:
            outcomes["hits"] += 1
            for hit in hits:
                assert json.loads(json.dumps(vars_of(hit), allow_nan=False).encode())
                assert [type(part) for part in (hit.title, hit.locator)] == [str] * 2
        if not fetched:
            continue
        body = strange(fetched, chance)
        try:
            text = source.fetch(Hit(name, kind, "T", locator, URL))
        except (SourceError, AssertionError) as error:
            assert isinstance(error, SourceError) or "a page was opened" in str(error)
            outcomes["errors"] += 1
        else:
            outcomes["texts"] += 1
            assert text.text.strip()
            assert isinstance(text.url, str | None)
    assert min(outcomes["hits"], outcomes["errors"], outcomes["texts"] if fetched else 1) > 0


def vars_of(hit: Hit) -> dict[str, Any]:
    found = asdict(hit)
    for name in ("publisher", "doi", "isbn", "language", "url"):
        assert isinstance(found[name], str | None), name
    assert found["year"] is None or type(found["year"]) is int
    return found
