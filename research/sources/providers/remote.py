"""The base class of remote providers: limits, domain rules, caching and construction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from core.config import Settings
from core.retry import Attempts
from research.sources.base import (
    FetchedText,
    Hit,
    SearchScope,
    SourceKind,
    SourceRefusedError,
)
from research.sources.domains import is_allowed
from research.sources.providers.cache import HITS, TEXT, Question, SourceCache
from research.sources.providers.codes import ProviderOff
from research.sources.providers.service import Service
from research.sources.providers.sound import sound_text, understood
from research.sources.web.exchange import Bounds
from research.sources.web.pace import Pace
from research.sources.web.pages import Pages, check_allowed

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

    def service(self, name: str, url: str, headers: Mapping[str, str]) -> Service:
        """Return the client of a provider's API at `url`; `headers` carry its key."""
        agent = {"User-Agent": AGENT}
        return Service(name, url.rstrip("/"), agent | dict(headers), self.attempts, self.pace, self.bounds)


class RemoteSource(ABC):
    """A provider reached over the network."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[SourceKind]]
    #: How a person can switch the provider on.
    off: ClassVar[ProviderOff]
    #: Most characters of a query, and most hits of a search.
    longest_query: ClassVar[int]
    most_hits: ClassVar[int]

    def __init__(self, service: Service, tools: Tools) -> None:
        self._service = service
        self._cache = tools.cache
        self._pages = tools.pages

    @classmethod
    @abstractmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """Build the provider without connecting; None if the settings do not switch it on."""

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `Source.search`."""
        words = shortened(query, self.longest_query)
        if k < 1 or not words:
            return []
        # More are requested because the domain limits below remove some.
        wanted = min(self.most_hits, 2 * k if scope.domains_allowed or scope.domains_denied else k)
        question = self._question("search", words, wanted, scope)
        found = self._cache.get(question, HITS)
        if found is None:
            with understood(self.name):
                found = list(self._find(words, wanted, scope))
            self._cache.keep(question, HITS, found)
        return [_limited(hit, scope) for hit in _distinct(found) if _is_in_scope(hit, scope)][:k]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `Source.fetch`."""
        if hit.provider != self.name:
            raise SourceRefusedError(f"{self.name}: a hit of another provider")
        if hit.url:
            check_allowed(hit.url, hit)
        text = self._cache.get(self._place(hit.locator), TEXT)
        if text is None:
            with understood(self.name):
                text = self._keep(hit.locator, self._read(hit))
        if text.url:
            check_allowed(text.url, hit)
        return text

    @abstractmethod
    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """Return at most `k` hits, as the provider gives them."""

    @abstractmethod
    def _read(self, hit: Hit) -> FetchedText:
        """Return the text of a hit."""

    def _keep(self, locator: str, text: FetchedText) -> FetchedText:
        """Clean a text and store it in the cache; also used for texts that came with a search."""
        sound = sound_text(text)
        self._cache.keep(self._place(locator), TEXT, sound)
        return sound

    def _question(self, act: str, words: str, wanted: int, scope: SearchScope) -> Question:
        limits = {"allowed": sorted(scope.domains_allowed), "denied": sorted(scope.domains_denied)}
        asked: dict[str, str | int | list[str]] = {
            "act": act,
            "query": words,
            "k": wanted,
            "language": scope.language,
        }
        return {"provider": self.name, "at": self._service.url, **asked, **limits}

    def _place(self, locator: str) -> Question:
        return {"provider": self.name, "at": self._service.url, "act": "fetch", "locator": locator}


def shortened(query: str, longest: int) -> str:
    """Return the query on one line, cut after a word if longer than `longest` characters."""
    words = " ".join(query.split())
    if len(words) <= longest:
        return words
    cut = words[: longest + 1].rpartition(" ")[0]
    return cut or words[:longest]


def _is_in_scope(hit: Hit, scope: SearchScope) -> bool:
    return is_allowed(hit.url or "", scope.domains_allowed, scope.domains_denied)


def _limited(hit: Hit, scope: SearchScope) -> Hit:
    return replace(hit, domains_allowed=tuple(scope.domains_allowed), domains_denied=tuple(scope.domains_denied))


def _distinct(hits: Sequence[Hit]) -> list[Hit]:
    return list({hit.locator: hit for hit in reversed(hits)}.values())[::-1]
