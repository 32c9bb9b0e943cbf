"""The interface of a provider of sources, and texts split into passages.

Lists of allowed and denied domains limit both; each entry includes its subdomains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

from core.errors import AppError, UnavailableError
from core.messages import MessageCode
from research.config import Language, ResearchCode

#: Target length of a passage in characters.
TARGET = 800
BREAK = "\n\n"

#: The end of a sentence: its mark, closing quotes or brackets, and white space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s+")
_SPACE = re.compile(r"\s+")
#: Separators between two cells of a line.
_GAP = re.compile(r"\s*\t\s*|\s{2,}")
#: Soft hyphens and zero-width characters: invisible, so quotations do not contain them.
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))

#: The text of a paragraph and its page number.
Paragraph = tuple[str, int | None]


def page_passages(paragraphs: Iterable[str | Paragraph]) -> tuple[Passage, ...]:
    """Return passages, each from one page; blank paragraphs are dropped."""
    given = ((one, None) if isinstance(one, str) else one for one in paragraphs)
    cleaned = [(text, page) for raw, page in given if (text := clean_paragraphs(raw))]
    passages: list[Passage] = []
    start, held, on = 0, "", None
    for index, (text, page) in enumerate(cleaned):
        for piece in _pieces(text + BREAK if index < len(cleaned) - 1 else text):
            if held and (page != on or len(held) + len(piece) > TARGET):
                passages.append(Passage(held, start, start + len(held), on))
                start, held = start + len(held), ""
            held, on = held + piece, page
    return (*passages, Passage(held, start, start + len(held), on)) if held else ()


def clean_paragraphs(text: str) -> str:
    """Normalise to NFC, collapse white space in lines, drop blank lines and unprintable characters.

    A tab is kept between the columns of adjacent lines that use tabs, or have cells at the same position.
    """
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    lines = [kept for line in composed.splitlines() if (kept := _kept(line).strip())]
    begins = [{"\t" if "\t" in gap[0] else gap.end() for gap in _GAP.finditer(line)} for line in lines]
    beside = zip([set(), *begins], [*begins[1:], set()], strict=False)
    cells = [
        _GAP.split(line) if own & (before | after) else [line]
        for line, own, (before, after) in zip(lines, begins, beside, strict=False)
    ]
    return "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in cells)


def _kept(line: str) -> str:
    """Replace control characters but tabs, surrogates, private-use and unassigned code points by spaces."""
    if line.isprintable():
        return line
    gone = ("Cc", "Cs", "Co", "Cn")
    return "".join(" " if char != "\t" and unicodedata.category(char) in gone else char for char in line)


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > TARGET * 5 // 4:
        end = _cut(text, start)
        yield text[start:end]
        start = end
    yield text[start:]


def _cut(text: str, start: int) -> int:
    """Return the end of the next piece: after a sentence, else after a word, else at `TARGET` characters."""
    for pattern in (_SENTENCE_END, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, start, start + TARGET)]
        if ends and ends[-1] - start >= TARGET // 4:
            return ends[-1]
    return start + TARGET


# The interface of a provider of sources: it searches, and it fetches the text of its hits.


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
    """The URL, or one that it redirects to, is private, or its domain is not allowed."""

    code: ClassVar[MessageCode] = ResearchCode.SOURCE_FORBIDDEN


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The limits of a search."""

    kind: SourceKind
    language: Language = "en"
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()

    def allows(self, url: str | None, name: str = "") -> bool:
        """Return whether the lists permit a URL, or a document of this publisher; no allowed domains: any."""
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
    #: None if uncertain: then detect it from the text.
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


class SourceProvider(Protocol):
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
    """Raise ForbiddenAddressError for a URL outside the domains of the search that found the hit."""
    if hit.scope and not hit.scope.allows(url):
        raise ForbiddenAddressError("a domain that this report does not read")


def domains_of(entries: Iterable[str]) -> list[str]:
    """Return a list's domains: of `https://www.Example.org/page` and of `*.example.org` it is `example.org`."""
    hosts = (host_of(entry if "://" in entry else f"//{entry.strip().lstrip('.')}") for entry in entries)
    return [name for host in hosts if (name := host.removeprefix("*.").removeprefix("www."))]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).removeprefix("www.").rstrip(".")
