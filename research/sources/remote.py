"""What every provider outside this machine shares: limits, domains, what is kept, and how it is opened."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import unescape
from typing import ClassVar, Self

from core.config import Settings
from research.sources.addresses import checked_url
from research.sources.attempts import Attempts
from research.sources.base import (
    FetchedText,
    ForbiddenAddressError,
    Hit,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    SourceUnavailableError,
)
from research.sources.cache import Question, SourceCache
from research.sources.domains import is_allowed
from research.sources.exchange import Bounds
from research.sources.pace import Pace
from research.sources.pages import Pages, check_allowed
from research.sources.passages import clean
from research.sources.service import Service

#: What an answer that has another shape than the provider's makes our reading of it raise.
_MALFORMED = (ValueError, KeyError, TypeError, AttributeError)
_MARKUP = re.compile(r"</?[A-Za-z][\w:-]*(\s[^<>]*)?/?>")
_YEAR = re.compile(r"(1[5-9]|20)\d\d")


@dataclass(frozen=True)
class Tools:
    """What providers are built from."""

    cache: SourceCache
    pages: Pages
    attempts: Attempts
    pace: Pace
    bounds: Bounds
    user_agent: str

    def service(self, name: str, url: str, headers: Mapping[str, str]) -> Service:
        """The provider's address; `headers` carry its key."""
        agent = {"User-Agent": self.user_agent}
        return Service(name, url.rstrip("/"), agent | dict(headers), self.attempts, self.pace, self.bounds)


class RemoteSource(ABC):
    """A provider that is asked over the network."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[SourceKind]]
    #: What to do where it is off, for people.
    help_message: ClassVar[str]
    #: Characters of a query, and hits of a search.
    longest_query: ClassVar[int]
    most_hits: ClassVar[int]

    def __init__(self, service: Service, tools: Tools) -> None:
        self._service = service
        self._cache = tools.cache
        self._pages = tools.pages

    @classmethod
    @abstractmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """The provider, None where the settings do not switch it on. Connects to nothing yet."""

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `Source.search`."""
        words = shortened(query, self.longest_query)
        if k < 1 or not words:
            return []
        # Some of what a provider brings is left out below.
        wanted = min(self.most_hits, 2 * k if scope.domains_allowed or scope.domains_denied else k)
        question = self._question("search", words, wanted, scope)
        found = self._cache.hits(question)
        if found is None:
            with understood(self.name):
                found = [usable for hit in self._find(words, wanted, scope) if (usable := _usable(hit))]
            self._cache.keep_hits(question, found)
        return [_limited(hit, scope) for hit in _distinct(found) if _is_in_scope(hit, scope)][:k]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `Source.fetch`."""
        if hit.provider != self.name:
            raise SourceRefusedError(f"{self.name}: a hit of another provider")
        if hit.url:
            check_allowed(hit.url, hit)
        text = self._cache.text(self._place(hit.locator))
        if text is None:
            with understood(self.name):
                text = self._read(hit)
            self._keep(hit.locator, text)
        if text.url:
            check_allowed(text.url, hit)
        return text

    @abstractmethod
    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """At most `k` hits, as the provider has them."""

    @abstractmethod
    def _read(self, hit: Hit) -> FetchedText:
        """The text of a hit."""

    def _keep(self, locator: str, text: FetchedText) -> None:
        """Remember a text, also one that came with a search."""
        self._cache.keep_text(self._place(locator), text)

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


@contextmanager
def understood(name: str) -> Iterator[None]:
    """Read an answer; what has another shape than expected is no answer of its kind."""
    try:
        yield
        return
    except _MALFORMED:
        pass
    # Raised outside the handler: a validation error quotes the answer and must not travel along.
    raise SourceUnavailableError(f"{name}: an answer of another shape")


def shortened(query: str, longest: int) -> str:
    """On one line, and cut behind a word where it is too long."""
    words = " ".join(query.split())
    if len(words) <= longest:
        return words
    cut = words[: longest + 1].rpartition(" ")[0]
    return cut or words[:longest]


def plain(text: object) -> str:
    """A title or name without markup and entities; empty for what is no text."""
    return " ".join(clean(_MARKUP.sub("", unescape(text))).split()) if isinstance(text, str) else ""


def year_of(value: object) -> int | None:
    """The year of a number or of a date that begins with it."""
    found = _YEAR.match(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    return int(found[0]) if found else None


def _usable(hit: Hit) -> Hit | None:
    """The hit, None where its address could never be opened."""
    if hit.url is None:
        return hit
    try:
        checked_url(hit.url)
    except ForbiddenAddressError:
        return None
    return hit


def _is_in_scope(hit: Hit, scope: SearchScope) -> bool:
    return is_allowed(hit.url or "", scope.domains_allowed, scope.domains_denied)


def _limited(hit: Hit, scope: SearchScope) -> Hit:
    return replace(hit, domains_allowed=tuple(scope.domains_allowed), domains_denied=tuple(scope.domains_denied))


def _distinct(hits: Sequence[Hit]) -> list[Hit]:
    return list({hit.locator: hit for hit in reversed(hits)}.values())[::-1]
