"""Firecrawl: its searches, and pages that were not there although it succeeded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from research.sources import remote
from research.sources.base import (
    ForbiddenAddressError,
    Hit,
    NoTextError,
    SearchScope,
    SourceProvider,
    SourceRefusedError,
    SourceUnavailableError,
)
from research.sources.exchange import HttpResponse
from tests.support.research.sources import opened
from tests.support.servers.firecrawl_server import FirecrawlServer, firecrawl_server, page
from tests.support.servers.loopback import json_response

URL = "https://news.example.org/a"
MARKDOWN = "# Reading\n\nFathers **came** to [412 evenings](https://example.org) in Cedar Falls.\n\n![logo](x.png)"
TEXT = "Reading\n\nFathers came to 412 evenings in Cedar Falls."


def made(markdown: str = MARKDOWN, url: str = URL, **metadata: Any) -> dict[str, Any]:
    return page(url, "Reading fathers", markdown, "A snippet.", **metadata)


def find(source: SourceProvider, **scope: Any) -> list[Hit]:
    return list(source.search("reading fathers", 10, SearchScope("web", **scope)))


def test_a_page_is_found_and_read(tmp_path: Path) -> None:
    with firecrawl_server([made()]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        (hit,) = find(source)
        assert source.fetch(hit).text == TEXT
        assert server.refused == []
    assert (hit.title, hit.url, hit.publisher) == ("Reading fathers", URL, "news.example.org")


@pytest.mark.parametrize(
    ("status", "error"), [(404, SourceRefusedError), (403, SourceRefusedError), (500, SourceUnavailableError)]
)
def test_a_page_that_was_not_there(tmp_path: Path, status: int, error: type[Exception]) -> None:
    with firecrawl_server([made(status=status)]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        with pytest.raises(error):
            source.fetch(find(source)[0])


@pytest.mark.parametrize("markdown", ["", "![logo](x.png)", "Please enable JavaScript to view this page."])
def test_a_page_that_says_nothing(tmp_path: Path, markdown: str) -> None:
    with firecrawl_server([made(markdown)]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        with pytest.raises(NoTextError):
            source.fetch(find(source)[0])


def test_a_null_at_any_depth_is_a_missing_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = {"title": None, "url": None, "statusCode": None, "error": None, "publishedTime": None}
    answers = [{"web": None}, {"markdown": MARKDOWN, "metadata": metadata}]
    with firecrawl_server([made()]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        (hit,) = find(source)
        bodies = (json.dumps({"success": True, "data": data}).encode() for data in answers)
        monkeypatch.setattr(
            remote, "exchange", lambda *asked, **sent: HttpResponse(200, httpx.Headers(), next(bodies), URL)
        )
        assert list(source.search("another question", 10, SearchScope("web"))) == []
        assert source.fetch(hit).text == TEXT


def test_no_success_is_a_refusal(tmp_path: Path) -> None:
    no = json_response({"success": False, "error": "All scraping engines failed"})
    with firecrawl_server([made()], [no]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        with pytest.raises(SourceRefusedError):
            find(source)
        server.faults.append(no)
        with pytest.raises(SourceRefusedError):
            source.fetch(Hit("firecrawl", "web", "T", URL, URL))


def test_domains_are_sent_and_checked_again(tmp_path: Path) -> None:
    pages = [made(), made(url="https://other.example.net/b"), made(url="http://192.168.0.1/c")]
    with firecrawl_server(pages) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        assert [hit.url for hit in find(source)] == [URL, "https://other.example.net/b"]
        assert [hit.url for hit in find(source, domains_allowed=("example.org",))] == [URL]
        assert server.bodies[-1]["includeDomains"] == ["example.org"]
        both = find(source, domains_allowed=("example.org", "example.net"), domains_denied=("example.net",))
        assert [hit.url for hit in both] == [URL]
        assert server.refused == []


def test_where_a_page_leads_in_the_end_is_checked(tmp_path: Path) -> None:
    moved = made()
    moved["metadata"]["url"] = "https://other.example.net/b"
    with firecrawl_server([moved]) as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        with pytest.raises(ForbiddenAddressError):
            source.fetch(find(source, domains_denied=("example.net",))[0])


def test_private_addresses_are_not_handed_on(tmp_path: Path) -> None:
    with firecrawl_server() as server:
        source = opened(tmp_path, server).by_name("firecrawl")
        for url in ("http://10.0.0.1/", "http://localhost/", "file:///etc/passwd"):
            with pytest.raises(ForbiddenAddressError):
                source.fetch(Hit("firecrawl", "web", "T", url))
        assert server.requests == []


def test_what_it_is_sent(tmp_path: Path) -> None:
    with FirecrawlServer([made()]) as server:
        source = opened(tmp_path, server, source_timeout_seconds=10).by_name("firecrawl")
        source.fetch(find(source)[0])
        search, scrape = server.bodies
    assert (search["query"], search["limit"], search["timeout"]) == ("reading fathers", 10, 9000)
    assert (scrape["formats"], scrape["onlyMainContent"], scrape["skipTlsVerification"]) == (
        ["markdown"],
        True,
        False,
    )
    assert {search["origin"], scrape["origin"]} == {"second-reader"}
