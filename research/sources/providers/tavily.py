"""Web search by Tavily (https://docs.tavily.com), without its generated answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from pydantic import BaseModel

from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceKind, domains_of
from research.sources.providers.answers import Line, Many, Said, Year
from research.sources.providers.remote import ProviderOff, RemoteSource, page_hit
from research.sources.web.pages import text_from


class _Result(BaseModel):
    url: str
    title: Line = ""
    #: The text of the page, if Tavily could load it.
    raw_content: Said = ""
    published_date: Year = None


class _Results(BaseModel):
    results: Many[_Result]


class TavilySource(RemoteSource):
    """Web pages found by Tavily, with the text that it loaded or one fetched here."""

    name: ClassVar[str] = "tavily"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.TAVILY
    url = "https://api.tavily.com"
    longest_query = 400
    most_hits = 20

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        allowed, denied = domains_of(scope.domains_allowed), domains_of(scope.domains_denied)
        asked = {
            "query": query,
            "search_depth": "basic",
            "max_results": k,
            "include_answer": False,
            "include_raw_content": "text",
            **({"include_domains": allowed} if allowed else {}),
            **({"exclude_domains": denied} if denied else {}),
        }
        return [self._hit(one) for one in self._ask(_Results, "POST", "/search", json=asked).results]

    def _hit(self, found: _Result) -> Hit:
        """Return the hit and store its text; if that is only a notice, `fetch` loads the page."""
        hit = page_hit(self.name, found.url, found.title, found.published_date)
        with suppress(NoTextError):
            self._keep(found.url, text_from(paragraphs_of(found.raw_content), found.url, hit.title, hit.year))
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        return self._page(hit.locator, hit)
