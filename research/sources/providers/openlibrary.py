"""Books from Open Library (openlibrary.org): descriptions of books, not their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, Field

from core.config import Settings
from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceKind
from research.sources.passages import passages_of
from research.sources.providers.answers import Line, Many, Year, at
from research.sources.providers.remote import AGENT, ProviderOff, RemoteSource

_KEY = r"^/works/OL\d{1,15}W$"
_REDIRECT, _DELETED = "/type/redirect", "/type/delete"
#: A merged work redirects to another; chains of these are short.
_MOST_REDIRECTS = 3


def _said(value: object) -> str:
    """Return a text given as a string or in an object; empty otherwise."""
    for name in ("value", "excerpt", "title"):
        if isinstance(value, Mapping) and name in value:
            return _said(value[name])
    return value if isinstance(value, str) else ""


Said = Annotated[str, BeforeValidator(_said)]


class _Book(BaseModel):
    key: Annotated[str, Field(pattern=_KEY)]
    title: Line = ""
    subtitle: Line = ""
    author_name: tuple[Line, ...] = ()
    first_publish_year: Year = None
    publisher: tuple[Line, ...] = ()
    isbn: tuple[Line, ...] = ()


class _Books(BaseModel):
    docs: Many[_Book]


class _Work(BaseModel):
    type: Said = at("type", "key")
    #: The key of the work that it was merged into.
    location: Said = ""
    description: Said = ""
    first_sentence: Said = ""
    excerpts: tuple[Said, ...] = ()
    table_of_contents: tuple[Said, ...] = ()


class OpenLibrarySource(RemoteSource):
    """Works with their description, first sentence and table of contents."""

    name: ClassVar[str] = "openlibrary"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"book"})
    off = ProviderOff.OPENLIBRARY
    url = "https://openlibrary.org"
    longest_query = 300
    #: Those of Solr: `works: yes` would query a field called "works".
    operators = re.compile(r"[-+&|!(){}\[\]^\"~*?:\\/]")

    @classmethod
    def headers(cls, settings: Settings) -> Mapping[str, str] | None:
        contact = settings.openlibrary_contact
        return None if contact is None else {"User-Agent": f"{AGENT} ({contact})"}

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        asked = {"q": query, "fields": ",".join(_Book.model_fields), "limit": k}
        found = self._ask(_Books, "GET", "/search.json", params=asked)
        return [self._hit(book) for book in found.docs[:k]]

    def _hit(self, book: _Book) -> Hit:
        return Hit(
            self.name,
            "book",
            ": ".join(filter(None, (book.title, book.subtitle))) or book.key,
            book.key,
            f"{self.url}{book.key}",
            authors=tuple(filter(None, book.author_name)),
            year=book.first_publish_year,
            publisher=next(filter(None, book.publisher), None),
            isbn=max(book.isbn, key=lambda isbn: len(isbn) == 13, default=None),
        )

    def _read(self, hit: Hit) -> FetchedText:
        work = self._work(hit.locator)
        said = [*paragraphs_of(work.description), work.first_sentence, *work.excerpts, *work.table_of_contents]
        passages = passages_of(said)
        if not passages:
            raise NoTextError("openlibrary: a work without a description")
        return FetchedText(passages, f"{self.url}{hit.locator}", hit.year)

    def _work(self, key: str) -> _Work:
        for _ in range(_MOST_REDIRECTS):
            if re.fullmatch(_KEY, key) is None:
                raise NoTextError("openlibrary: no key of a work")
            work = self._ask(_Work, "GET", f"{key}.json")
            if work.type == _DELETED:
                raise NoTextError("openlibrary: a deleted work")
            if work.type != _REDIRECT:
                return work
            key = work.location
        raise NoTextError("openlibrary: merged too often")
