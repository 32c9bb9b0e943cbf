"""The base class of remote providers: limits, domain rules, caching and construction."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import ClassVar, Self

from pydantic import SecretStr

from core.config import Settings
from core.messages import MessageCode
from research.sources.base import (
    FetchedText,
    Hit,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    check_allowed,
    host_of,
    is_allowed,
)
from research.sources.providers.cache import HITS, TEXT, Question, SourceCache
from research.sources.providers.service import Service
from research.sources.web.http_guard import may_be_opened
from research.sources.web.pages import Pages

#: The User-Agent header.
AGENT = "second-reader"


class ProviderOff(MessageCode):
    """Instructions for switching a provider on."""

    OPENALEX = (
        "openalex_off",
        "Scholarly works of OpenAlex are off. Set OPENALEX_API_KEY to switch them on.",
    )
    OPENLIBRARY = (
        "openlibrary_off",
        "Books of Open Library are off. Set OPENLIBRARY_CONTACT to an e-mail address to switch them on.",
    )
    TAVILY = "tavily_off", "The web by Tavily is off. Set TAVILY_API_KEY to switch it on."
    FIRECRAWL = "firecrawl_off", "The web by Firecrawl is off. Set FIRECRAWL_API_KEY to switch it on."


class RemoteSource(ABC):
    """A provider reached over the network."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[SourceKind]]
    #: How a person can switch the provider on.
    off: ClassVar[ProviderOff]
    #: Base URL of its API, unless the setting `{name}_base_url` gives another.
    url: ClassVar[str]
    #: Most characters of a query, and most hits of a search.
    longest_query: ClassVar[int]
    most_hits: ClassVar[int] = 100
    #: Characters with a meaning in its queries; a space is sent in their place.
    operators: ClassVar[re.Pattern[str]] = re.compile("\0")

    def __init__(self, service: Service, cache: SourceCache, pages: Pages) -> None:
        self._service = service
        self._cache = cache
        self._pages = pages

    @classmethod
    def open(
        cls, settings: Settings, service: Callable[..., Service], cache: SourceCache, pages: Pages
    ) -> Self | None:
        """Build the provider without connecting; None if the settings do not switch it on.

        `service`: takes the name, URL and headers of an API.
        """
        headers = cls._headers(settings)
        if headers is None:
            return None
        url: str = getattr(settings, f"{cls.name}_base_url") or cls.url
        sent = {"User-Agent": AGENT, **headers}
        return cls(service(name=cls.name, url=url.rstrip("/"), headers=sent), cache, pages)

    @classmethod
    def _headers(cls, settings: Settings) -> Mapping[str, str] | None:
        """Return the headers that the provider asks for; None if the settings do not switch it on."""
        key: SecretStr | None = getattr(settings, f"{cls.name}_api_key")
        return None if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `Source.search`."""
        words = shorten(self.operators.sub(" ", query), self.longest_query, placeholder="")
        if k < 1 or not words:
            return []
        # More are requested because the domain limits below remove some.
        wanted = min(self.most_hits, 2 * k if scope.domains_allowed or scope.domains_denied else k)
        limits = {"allowed": sorted(scope.domains_allowed), "denied": sorted(scope.domains_denied)}
        question = self._question("search", query=words, k=wanted, language=scope.language, **limits)
        found = self._cache.get(question, HITS)
        if found is None:
            found = [hit for hit in self._find(words, wanted, scope) if may_be_opened(hit.url)]
            self._cache.keep(question, HITS, found)
        return [
            replace(hit, domains_allowed=scope.domains_allowed, domains_denied=scope.domains_denied)
            for hit in found
            if is_allowed(hit.url or "", scope.domains_allowed, scope.domains_denied)
        ][:k]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `Source.fetch`."""
        if hit.provider != self.name:
            raise SourceRefusedError(f"{self.name}: a hit of another provider")
        if hit.url:
            check_allowed(hit.url, hit)
        text = self._cache.get(self._question("fetch", locator=hit.locator), TEXT)
        if text is None:
            text = self._read(hit)
            if not may_be_opened(text.url):
                text = replace(text, url=hit.url)
            self._keep(hit.locator, text)
        if text.url:
            check_allowed(text.url, hit)
        return text

    @abstractmethod
    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """Return at most `k` hits, as the provider gives them."""

    @abstractmethod
    def _read(self, hit: Hit) -> FetchedText:
        """Return the text of a hit."""

    def _keep(self, locator: str, text: FetchedText) -> None:
        """Store a text in the cache; also used for texts that came with a search."""
        self._cache.keep(self._question("fetch", locator=locator), TEXT, text)

    def _question(self, act: str, **asked: str | int | list[str]) -> Question:
        return {"provider": self.name, "at": self._service.url, "act": act, **asked}


def page_hit(provider: str, url: str, title: str, year: int | None = None) -> Hit:
    """Return the hit of a web page, whose publisher is its site."""
    site = host_of(url).removeprefix("www.")
    return Hit(provider, "web", title or site or url, url, url, year=year, publisher=site)
