"""Scholarly works from OpenAlex (https://docs.openalex.org): the abstract, or an open copy without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, OnErrorOmit

from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceError, SourceKind
from research.sources.passages import passages_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import RemoteSource
from research.sources.providers.replies import Line, Many, Reply, Year, unmarked

_ID = re.compile(r"W\d{1,15}")
#: Operators of OpenAlex's search, which it rejects in the wrong place.
_OPERATORS = re.compile(r"[*?~|!\"()]")


def _checked(address: str) -> str:
    found = address.rpartition("/")[2]
    if _ID.fullmatch(found) is None:
        raise ValueError("no id of a work")
    return found


#: Position of a word; an abstract has hundreds of words.
Position = Annotated[int, Field(strict=True, ge=0, le=20_000)]


class _Named(Reply):
    display_name: Line = ""


class _Location(Reply):
    source: _Named = _Named()
    landing_page_url: str = ""
    pdf_url: str = ""


class _Authorship(Reply):
    author: _Named = _Named()
    raw_author_name: Line = ""


class _OpenAccess(Reply):
    oa_url: str = ""


class _Work(Reply):
    id: Annotated[str, AfterValidator(_checked)]
    doi: Line = ""
    display_name: Line = ""
    publication_year: Year = None
    primary_location: _Location = _Location()
    best_oa_location: _Location = _Location()
    open_access: _OpenAccess = _OpenAccess()
    authorships: tuple[OnErrorOmit[_Authorship], ...] = ()
    is_retracted: bool = False
    abstract_inverted_index: dict[str, list[OnErrorOmit[Position]]] = Field(default_factory=dict)

    @property
    def abstract(self) -> str:
        placed = {at: word for word, positions in self.abstract_inverted_index.items() for at in positions}
        return unmarked(" ".join(placed[at] for at in sorted(placed)))

    @property
    def url(self) -> str:
        return self.primary_location.landing_page_url or self.doi or f"https://openalex.org/{self.id}"

    @property
    def open_copies(self) -> list[str]:
        best = self.best_oa_location
        return [
            url for url in dict.fromkeys((best.pdf_url, best.landing_page_url, self.open_access.oa_url)) if url
        ]


class _Works(Reply):
    results: Many[_Work]


class OpenAlexSource(RemoteSource):
    """Works that have not been retracted."""

    name: ClassVar[str] = "openalex"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"academic"})
    off = ProviderOff.OPENALEX
    url = "https://api.openalex.org"
    longest_query = 500

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        words = " ".join(_OPERATORS.sub(" ", query).split())
        if not words:
            return []
        limits = {"filter": "is_retracted:false", "per-page": str(k), "select": ",".join(_Work.model_fields)}
        found = self._service.get(_Works, "/works", search=words, **limits)
        return [self._hit(work) for work in found.results if not work.is_retracted]

    def _hit(self, work: _Work) -> Hit:
        """Return the hit and store its abstract."""
        if work.abstract:
            self._keep(work.id, _text(work))
        names = (one.author.display_name or one.raw_author_name for one in work.authorships)
        return Hit(
            self.name,
            "academic",
            work.display_name or work.id,
            work.id,
            work.url,
            authors=tuple(filter(None, names)),
            year=work.publication_year,
            publisher=work.primary_location.source.display_name or None,
            doi=work.doi.partition("doi.org/")[2] or work.doi or None,
        )

    def _read(self, hit: Hit) -> FetchedText:
        if _ID.fullmatch(hit.locator) is None:
            raise NoTextError("openalex: no id of a work")
        work = self._service.get(_Work, f"/works/{hit.locator}")
        if work.is_retracted:
            raise NoTextError("openalex: a retracted work")
        return _text(work) if work.abstract else self._open_copy(work, hit)

    def _open_copy(self, work: _Work, hit: Hit) -> FetchedText:
        failure: SourceError = NoTextError("openalex: neither an abstract nor an open copy")
        for url in work.open_copies:
            try:
                return self._pages.fetch(url, hit)
            except SourceError as exc:
                failure = exc
        raise failure


def _text(work: _Work) -> FetchedText:
    return FetchedText(passages_of([(work.abstract, None)]), work.url, work.publication_year)
