"""Web search by Tavily (https://docs.tavily.com), without its generated answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from core.config import Settings
from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceKind
from research.sources.domains import domains_of, host_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import RemoteSource, Tools
from research.sources.providers.sdk_session import session_of
from research.sources.providers.sound import each, hit_of
from research.sources.web.extraction import text_from

_URL = "https://api.tavily.com"
_MOST_DOMAINS_ALLOWED, _MOST_DOMAINS_DENIED = 300, 150


class TavilySource(RemoteSource):
    """Web pages found by Tavily, with the text that it loaded or one fetched here."""

    name: ClassVar[str] = "tavily"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web"})
    off = ProviderOff.TAVILY
    longest_query = 400
    most_hits = 20

    @classmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """See `RemoteSource.open`."""
        if settings.tavily_api_key is None:
            return None
        headers = {"Authorization": f"Bearer {settings.tavily_api_key.get_secret_value()}"}
        return cls(tools.service(cls.name, settings.tavily_base_url or _URL, headers), tools)

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        from tavily import TavilyClient

        # The service's headers carry the key; without an argument the client would read the environment.
        client = TavilyClient("in the header", api_base_url=self._service.url, session=session_of(self._service))
        answer = client.search(
            query,
            search_depth="basic",
            max_results=k,
            include_domains=domains_of(scope.domains_allowed)[:_MOST_DOMAINS_ALLOWED] or None,
            exclude_domains=domains_of(scope.domains_denied)[:_MOST_DOMAINS_DENIED] or None,
            include_answer=False,
            include_raw_content="text",
        )
        return each(answer["results"], self._take)

    def _take(self, rank: int, result: Mapping[str, Any]) -> Hit | None:
        url = str(result["url"])
        host = host_of(url)
        hit = hit_of(
            self.name,
            "web",
            rank,
            locator=url,
            url=url,
            title=result.get("title") or host,
            year=result.get("published_date"),
            publisher=host.removeprefix("www."),
            snippet=result.get("content"),
            score=result.get("score"),
        )
        if hit is not None:
            self._keep_loaded(hit, result.get("raw_content"))
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        return self._pages.fetch(hit.locator, hit)

    def _keep_loaded(self, hit: Hit, raw: object) -> None:
        """Store the text that Tavily loaded; if it is only a notice, `fetch` loads the page."""
        if not isinstance(raw, str):
            return
        try:
            paragraphs = [(paragraph, None) for paragraph in paragraphs_of(raw)]
            self._keep(hit.locator, text_from(paragraphs, url=hit.url, title=hit.title, year=hit.year))
        except NoTextError:
            return
