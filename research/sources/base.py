"""The interface of a provider of sources: it searches, and it fetches the text of its hits.

Lists of allowed and denied domains limit both; each entry includes its subdomains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

from core.errors import AppError, UnavailableError
from core.messages import MessageCode
from research.codes import ResearchCode
from research.config import Language

SourceKind = Literal["web", "academic", "book", "essay"]


class SourceError(AppError):
    """A provider or page failed. The failure is recorded as such and never used as text."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_FAILED


class SourceUnavailableError(UnavailableError, SourceError):
    """A time-out, status 429 or 5xx, or a malformed answer, after all attempts."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_UNAVAILABLE


class SourceRefusedError(SourceError):
    """A wrong key, a spent quota, a forbidden or missing page: retrying does not help."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_REFUSED


class NoTextError(SourceError):
    """The source exists, but its text is not available, so it cannot be quoted."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_WITHOUT_TEXT


class ForbiddenAddressError(SourceError):
    """The address, or one that it redirects to, is private, or its domain is not allowed."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_FORBIDDEN


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The limits of a search."""

    kind: SourceKind
    language: Language = "en"
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()

    def allows(self, url: str | None, name: str = "") -> bool:
        """Return whether the lists permit a URL, or a document of this publisher; no domains allowed: any."""
        return not self._lists(self.domains_denied, url, name) and (
            not domains_of(self.domains_allowed) or self._lists(self.domains_allowed, url, name)
        )

    @staticmethod
    def _lists(entries: Sequence[str], url: str | None, name: str) -> bool:
        host, own = f".{host_of(url or '')}", _plain(name)
        return own in filter(None, map(_plain, entries)) or any(
            host.endswith(f".{one}") for one in domains_of(entries)
        )


@dataclass(frozen=True)
class Hit:
    """A search result: its location and bibliographic data, without text."""

    provider: str
    kind: SourceKind
    title: str
    #: The provider's identifier, by which `fetch` finds it: a URL, a work's id or a library document's id.
    locator: str
    url: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    #: Journal, publisher or site.
    publisher: str | None = None
    doi: str | None = None
    isbn: str | None = None
    #: Of the library's hits; higher is better.
    score: float = 0.0
    #: As far as it is certain; otherwise its text tells.
    language: str | None = None
    #: The limits of the search that found it; a fetch applies them also after redirects.
    scope: SearchScope | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a text, at `[start_char:end_char]`; passages are contiguous."""

    text: str
    start_char: int
    end_char: int
    page_no: int | None = None


@dataclass(frozen=True, slots=True)
class FetchedText:
    """The whole text of a source, in contiguous passages."""

    passages: tuple[Passage, ...]
    #: The URL of the text after redirects.
    url: str | None = None
    #: Year of publication according to the page.
    year: int | None = None

    @property
    def text(self) -> str:
        """The passages joined; quotations are searched for in this text."""
        return "".join(passage.text for passage in self.passages)


class Source(Protocol):
    """A provider. Implementations: `library`, `openalex`, `openlibrary`, `tavily`, `firecrawl`."""

    name: ClassVar[str]
    #: Kinds of researcher that it answers.
    kinds: ClassVar[frozenset[SourceKind]]

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """Return at most `k` hits, best first; empty if nothing is found. Raises SourceError."""
        ...

    def fetch(self, hit: Hit) -> FetchedText:
        """Return the text of a hit of this provider. Raises SourceError (NoTextError if it has no text)."""
        ...


def host_of(url: str) -> str:
    """Return a URL's host as DNS looks it up (lower case, Punycode); empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".").encode("idna").decode("ascii")
    except ValueError:
        return ""


def check_allowed(url: str, hit: Hit) -> None:
    """Raise ForbiddenAddressError for an address outside the domains of the search that found the hit."""
    if hit.scope and not hit.scope.allows(url):
        raise ForbiddenAddressError("a domain that this report does not read")


def domains_of(entries: Iterable[str]) -> list[str]:
    """Return a list's domains: of `https://www.Example.org/page` and of `*.example.org` it is `example.org`."""
    hosts = (host_of(entry if "://" in entry else f"//{entry.strip().lstrip('.')}") for entry in entries)
    return [name for host in hosts if (name := host.removeprefix("*.").removeprefix("www."))]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).removeprefix("www.").rstrip(".")
