"""The base class of remote providers: limits, domain rules, caching and construction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from pydantic import SecretStr

from core.config import Settings
from core.retry import Attempts
from research.sources.base import FetchedText, Hit, SearchScope, SourceKind, SourceRefusedError
from research.sources.domains import check_allowed, host_of, is_allowed
from research.sources.providers.cache import HITS, TEXT, Question, SourceCache
from research.sources.providers.codes import ProviderOff
from research.sources.providers.service import Service
from research.sources.web.addresses import may_be_opened
from research.sources.web.exchange import Bounds
from research.sources.web.pace import Pace
from research.sources.web.pages import Pages

#: The User-Agent header.
AGENT = "second-reader"


@dataclass(frozen=True)
class Tools:
    """The shared parts from which providers are built."""

    cache: SourceCache
    pages: Pages
    attempts: Attempts
    pace: Pace
    bounds: Bounds


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

    def __init__(self, service: Service, tools: Tools) -> None:
        self._service = service
        self._cache = tools.cache
        self._pages = tools.pages

    @classmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """Build the provider without connecting; None if the settings do not switch it on."""
        headers = cls._headers(settings)
        if headers is None:
            return None
        url: str = getattr(settings, f"{cls.name}_base_url") or cls.url
        sent = {"User-Agent": AGENT, **headers}
        return cls(Service(cls.name, url.rstrip("/"), sent, tools.attempts, tools.pace, tools.bounds), tools)

    @classmethod
    def _headers(cls, settings: Settings) -> Mapping[str, str] | None:
        """Return the headers that the provider asks for; None if the settings do not switch it on."""
        key: SecretStr | None = getattr(settings, f"{cls.name}_api_key")
        return None if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `Source.search`."""
        words = shortened(query, self.longest_query)
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
            replace(hit, domains_allowed=tuple(scope.domains_allowed), domains_denied=tuple(scope.domains_denied))
            for hit in {hit.locator: hit for hit in reversed(found)}.values()
            if is_allowed(hit.url or "", scope.domains_allowed, scope.domains_denied)
        ][::-1][:k]

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


def shortened(query: str, longest: int) -> str:
    """Return the query on one line, cut after a word if longer than `longest` characters."""
    words = " ".join(query.split())
    return words if len(words) <= longest else words[: longest + 1].rpartition(" ")[0] or words[:longest]


def page_hit(provider: str, url: str, title: str, year: int | None = None) -> Hit:
    """Return the hit of a web page, whose publisher is its site."""
    site = host_of(url).removeprefix("www.")
    return Hit(provider, "web", title or site or url, url, url, year=year, publisher=site)
