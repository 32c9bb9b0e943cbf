"""What a provider of sources is: it searches, and it fetches the text of what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from core.errors import AppError, UnavailableError
from core.messages import MessageCode
from research.codes import ResearchCode

SourceKind = Literal["web", "academic", "book", "essay"]


class SourceError(AppError):
    """A provider or page could not be had; a record of its own, never text."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_FAILED


class SourceUnavailableError(UnavailableError, SourceError):
    """Time-out, 429, 5xx or what is no answer of its kind, after all attempts."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_UNAVAILABLE


class SourceRefusedError(SourceError):
    """A wrong key, a spent quota, a forbidden or missing page: asking again changes nothing."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_REFUSED


class NoTextError(SourceError):
    """The source is there, but no text of it can be had; it cannot be quoted."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_WITHOUT_TEXT


class ForbiddenAddressError(SourceError):
    """The address, or one that it redirects to, is private, or its domain is not allowed."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_FORBIDDEN


@dataclass(frozen=True, slots=True)
class Hit:
    """What a search found: where it is and what it is called, nothing to quote from."""

    provider: str
    kind: SourceKind
    title: str
    #: As the provider names it: a URL, a work's id, a library document's id. What `fetch` needs.
    locator: str
    url: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    #: Journal, publisher or site.
    publisher: str | None = None
    doi: str | None = None
    isbn: str | None = None
    #: For choosing among hits; never a source itself.
    snippet: str = ""
    #: By the provider's own scale, higher is better.
    score: float = 0.0
    language: str | None = None
    #: Limits of the search that found it: a fetch that is redirected stays within them.
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the text; passages follow each other without a gap."""

    text: str
    start_char: int
    end_char: int
    page_no: int | None = None


@dataclass(frozen=True, slots=True)
class FetchedText:
    """The whole text of a source, in passages: `"".join(passage.text)` is what quotations are looked for in."""

    passages: tuple[Passage, ...]
    #: Where the text came from in the end, after redirects.
    url: str | None = None
    title: str | None = None
    language: str | None = None
    #: Of publication, as the text's own page says.
    year: int | None = None

    @property
    def text(self) -> str:
        """The text whole."""
        return "".join(passage.text for passage in self.passages)


@dataclass(frozen=True, slots=True)
class SearchScope:
    """What a search may bring."""

    kind: SourceKind
    language: Literal["en", "es"] = "en"
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()


class Source(Protocol):
    """A provider. Implementations: `library`, `openalex`, `openlibrary`, `tavily`, `firecrawl`."""

    name: ClassVar[str]
    #: Kinds of researcher that it answers.
    kinds: ClassVar[frozenset[SourceKind]]

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """At most `k` hits, best first; an empty list is an honest answer. Raises SourceError."""
        ...

    def fetch(self, hit: Hit) -> FetchedText:
        """The text of a hit of this provider. Raises SourceError (NoTextError where there is none)."""
        ...
