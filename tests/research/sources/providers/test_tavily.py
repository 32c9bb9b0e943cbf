"""Tavily: pages that it loaded, pages that are loaded here, and never a word of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from research.sources.base import (
    ForbiddenAddressError,
    Hit,
    NoTextError,
    SearchScope,
    SourceProvider,
    SourceRefusedError,
)
from tests.support.research.sources import opened
from tests.support.servers.loopback import Response
from tests.support.servers.tavily_server import GENERATED, TavilyServer, result, tavily_server
from tests.support.servers.web_pages import WebPages, file, html, redirect

SNIPPET = "Reading fathers: a snippet that no report may quote."
RAW = "Fathers came to 412 evenings.\n\n**Costs** were [14 dollars](https://example.org/c) a family."
PAGE = html("Reading fathers", "The page itself says that fathers came to 413 evenings.")
URL = "https://news.example.org/a"


def find(source: SourceProvider, query: str = "reading fathers", k: int = 10, **scope: Any) -> list[Hit]:
    return list(source.search(query, k, SearchScope("web", **scope)))


def test_the_text_that_it_loaded(tmp_path: Path) -> None:
    with tavily_server([result(URL, "Reading fathers", SNIPPET, RAW, "2024-08-10")]) as server:
        source = opened(tmp_path, server).by_name("tavily")
        (hit,) = find(source)
        text = source.fetch(hit)
    assert text.text == "Fathers came to 412 evenings.\n\nCosts were 14 dollars a family."
    assert (hit.year, hit.publisher, text.url) == (2024, "news.example.org", URL)


@pytest.mark.parametrize("raw", [None, "", "Please enable JavaScript to view this page."])
def test_else_the_page_is_loaded_here(tmp_path: Path, raw: str | None) -> None:
    with (
        tavily_server([result(URL, "Reading fathers", SNIPPET, raw)]) as server,
        WebPages({"news.example.org/a": PAGE}) as web,
    ):
        source = opened(tmp_path, server, web=web).by_name("tavily")
        text = source.fetch(find(source)[0]).text
    assert "413 evenings" in text
    assert SNIPPET not in text


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (html("Sign in", "Please log in to continue reading."), NoTextError),
        (file(b"\x89PNG", "image/png"), NoTextError),
        (
            Response(404, b"<p>Fathers came to 413 evenings here.</p>", {"Content-Type": "text/html"}),
            SourceRefusedError,
        ),
        (redirect("http://127.0.0.1/"), ForbiddenAddressError),
    ],
    ids=["wall", "picture", "missing", "private"],
)
def test_a_page_that_fails_is_an_error_and_never_the_snippet(
    tmp_path: Path, page: Response, error: type[Exception]
) -> None:
    with (
        tavily_server([result(URL, "Reading fathers", SNIPPET)]) as server,
        WebPages({"news.example.org/a": page}) as web,
    ):
        source = opened(tmp_path, server, web=web).by_name("tavily")
        with pytest.raises(error):
            source.fetch(find(source)[0])


def test_its_answer_is_neither_asked_for_nor_kept(tmp_path: Path) -> None:
    class Talkative(TavilyServer):
        def answer(self, request: Any) -> Response:
            said = super().answer(request)
            return Response(200, said.body.replace(b'"answer": null', f'"answer": "{GENERATED}"'.encode()))

    with Talkative([result(URL, "Reading fathers", SNIPPET, RAW)]) as server:
        source = opened(tmp_path, server).by_name("tavily")
        hits = find(source)
        assert server.bodies[0]["include_answer"] is False
        assert GENERATED not in repr(hits) + source.fetch(hits[0]).text


def test_domains_are_sent_and_checked_again(tmp_path: Path) -> None:
    class Careless(TavilyServer):
        """Brings every domain all the same."""

        def answer(self, request: Any) -> Response:
            body = request.json()
            self.asked = (body.get("include_domains"), body.get("exclude_domains"))
            return super().answer(type(request)("POST", "/search", {}, b'{"query": "reading fathers"}'))

    pages = [
        "https://news.example.org/a",
        "https://other.example.net/b",
        "http://10.0.0.1/c",
        "ftp://x.example.org/",
    ]
    with Careless([result(url, "Reading fathers", SNIPPET, RAW) for url in pages]) as server:
        source = opened(tmp_path, server).by_name("tavily")
        assert [hit.url for hit in find(source)] == pages[:2]
        assert [hit.url for hit in find(source, domains_allowed=("www.example.org",))] == pages[:1]
        assert server.asked == (["example.org"], None)
        assert [hit.url for hit in find(source, domains_denied=("https://example.org/",))] == pages[1:2]
        assert server.asked == (None, ["example.org"])


def test_a_redirect_to_another_domain_stays_unread(tmp_path: Path) -> None:
    pages = {"news.example.org/a": redirect("https://other.example.net/b"), "other.example.net/b": PAGE}
    with tavily_server([result(URL, "Reading fathers", SNIPPET)]) as server, WebPages(pages) as web:
        source = opened(tmp_path, server, web=web).by_name("tavily")
        with pytest.raises(ForbiddenAddressError):
            source.fetch(find(source, domains_allowed=("example.org",))[0])
        assert "413 evenings" in source.fetch(find(source)[0]).text
        # Known from the report before, but not for this one.
        with pytest.raises(ForbiddenAddressError):
            source.fetch(find(source, domains_denied=("example.net",))[0])


@pytest.mark.parametrize("time", ["1.67", 1.67, 2])
def test_its_time_may_be_a_text_or_a_number(tmp_path: Path, time: str | float) -> None:
    with TavilyServer([result(URL, "Reading fathers", SNIPPET, RAW)], response_time=time) as server:
        assert len(find(opened(tmp_path, server).by_name("tavily"))) == 1


def test_no_more_than_it_takes(tmp_path: Path) -> None:
    with tavily_server([result(URL, "Reading fathers", SNIPPET, RAW)]) as server:
        source = opened(tmp_path, server).by_name("tavily")
        find(source, "reading fathers " * 60, k=50)
        assert server.refused == []
        assert len(server.bodies[0]["query"]) <= 400
        assert server.bodies[0]["max_results"] == 20


def test_the_environment_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with tavily_server([result(URL, "Reading fathers", SNIPPET, RAW)]) as server:
        assert find(opened(tmp_path, server).by_name("tavily"))


def test_one_strange_result_spoils_no_other(tmp_path: Path) -> None:
    class Strange(TavilyServer):
        def answer(self, request: Any) -> Response:
            said = super().answer(request)
            return Response(
                200, said.body.replace(b'"results": [', b'"results": [null, {"title": "no address"}, ')
            )

    with Strange([result(URL, "Reading fathers", SNIPPET, RAW)]) as server:
        assert [hit.url for hit in find(opened(tmp_path, server).by_name("tavily"))] == [URL]
