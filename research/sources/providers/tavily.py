"""Web search by Tavily (https://docs.tavily.com), without its generated answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from core.config import Settings
from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, ForbiddenAddressError, Hit, NoTextError, SearchScope, SourceKind
from research.sources.domains import domain_of_entry, host_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import RemoteSource, Tools
from research.sources.providers.sdk_session import session_of
from research.sources.providers.sound import each, number, plain, year_of
from research.sources.web.addresses import checked_url
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
            include_domains=_domains(scope.domains_allowed, _MOST_DOMAINS_ALLOWED),
            exclude_domains=_domains(scope.domains_denied, _MOST_DOMAINS_DENIED),
            include_answer=False,
            include_raw_content="text",
        )
        return each(answer["results"], self._take)

    def _take(self, rank: int, result: Any) -> Hit:
        hit = _hit(result, rank)
        self._keep_loaded(hit, result.get("raw_content"))
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        return self._pages.fetch(hit.locator, hit)

    def _keep_loaded(self, hit: Hit, raw: object) -> None:
        """Store the text that Tavily loaded; if it is only a notice, `fetch` loads the page."""
        if not isinstance(raw, str):
            return
        try:
            checked_url(hit.locator)
            paragraphs = [(paragraph, None) for paragraph in paragraphs_of(raw)]
            self._keep(hit.locator, text_from(paragraphs, url=hit.url, title=hit.title, year=hit.year))
        except (NoTextError, ForbiddenAddressError):
            return


def _domains(entries: Sequence[str], most: int) -> list[str] | None:
    return [domain for entry in entries if (domain := domain_of_entry(entry))][:most] or None


def _hit(result: Mapping[str, Any], rank: int) -> Hit:
    url = str(result["url"])
    return Hit(
        provider=TavilySource.name,
        kind="web",
        title=plain(result.get("title")) or host_of(url),
        locator=url,
        url=url,
        year=year_of(result.get("published_date")),
        publisher=host_of(url).removeprefix("www.") or None,
        snippet=plain(result.get("content"))[:300],
        score=number(result.get("score"), 1 / (rank + 1)),
    )
