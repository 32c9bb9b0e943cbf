"""Web search and page loading by Firecrawl (https://docs.firecrawl.dev, API version 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel

from research.markdown_text.parsing import paragraphs_of
from research.sources.base import (
    FetchedText,
    Hit,
    NoTextError,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    domains_of,
)
from research.sources.providers.answers import Line, Many, Said, Year, at
from research.sources.providers.remote import AGENT, ProviderOff, RemoteSource, page_hit
from research.sources.web.exchange import refusal
from research.sources.web.http_guard import checked_url
from research.sources.web.pages import text_from

#: Of our own time-out in seconds, the milliseconds that Firecrawl has, so that it reports a time-out before ours.
_OF_A_SECOND = 900
#: The lowest page status that means the page could not be loaded.
_FIRST_FAILURE = 400


class _Answer(BaseModel):
    success: bool = False


class _Result(BaseModel):
    url: str
    title: Line = ""


class _Searched(_Answer):
    results: Many[_Result] = at("data", "web", default=())


class _Scraped(_Answer):
    markdown: Said = at("data", "markdown")
    title: Line = at("data", "metadata", "title")
    url: Said = at("data", "metadata", "url")
    status: int = at("data", "metadata", "statusCode", default=200)
    error: Line = at("data", "metadata", "error")
    year: Year = at("data", "metadata", "publishedTime", default=None)


A = TypeVar("A", bound=_Answer)


class FirecrawlSource(RemoteSource):
    """Web pages found and loaded by Firecrawl."""

    name: ClassVar[str] = "firecrawl"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.FIRECRAWL
    url = "https://api.firecrawl.dev"
    longest_query = 500

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        # Firecrawl accepts only one of the two lists; `RemoteSource.search` applies both to its results.
        allowed, denied = domains_of(scope.domains_allowed), domains_of(scope.domains_denied)
        limits = {"includeDomains": allowed} if allowed else {"excludeDomains": denied} if denied else {}
        found = self._post(_Searched, "/v2/search", query=query, limit=k, **limits)
        return [page_hit(self.name, one.url, one.title) for one in found.results]

    def _read(self, hit: Hit) -> FetchedText:
        checked_url(hit.locator)
        how = {"formats": ["markdown"], "onlyMainContent": True, "skipTlsVerification": False}
        page = self._post(_Scraped, "/v2/scrape", url=hit.locator, **how)
        if page.status >= _FIRST_FAILURE:
            raise refusal("page", page.status, None)
        if page.error:
            raise NoTextError("a page that Firecrawl could not load")
        paragraphs = paragraphs_of(page.markdown)
        return text_from(paragraphs, page.url or hit.url, page.title or hit.title, page.year)

    def _post(self, shape: type[A], path: str, **asked: Any) -> A:
        timeout = int(self._guard.limits.seconds * _OF_A_SECOND)
        answer = self._ask(shape, "POST", path, json={**asked, "timeout": timeout, "origin": AGENT})
        if not answer.success:
            raise SourceRefusedError(f"{self.name}: no success")
        return answer
