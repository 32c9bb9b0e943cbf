"""Scholarly works from OpenAlex (https://docs.openalex.org): the abstract, or an open copy without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, Field, OnErrorOmit

from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceError, SourceKind
from research.sources.passages import passages_of
from research.sources.providers.answers import Line, Many, Said, Year, at, unmarked
from research.sources.providers.remote import ProviderOff, RemoteSource

_ID = r"^W[0-9]{1,15}$"
#: The fields of a work that are asked for.
_FIELDS = (
    "id,doi,display_name,publication_year,primary_location,best_oa_location,open_access,authorships,is_retracted,"
    "abstract_inverted_index"
)


#: Position of a word; an abstract has hundreds of words.
Position = Annotated[int, Field(strict=True, ge=0, le=20_000)]


class _Author(BaseModel):
    name: Line = Field("", validation_alias=AliasChoices(AliasPath("author", "display_name"), "raw_author_name"))


class _Work(BaseModel):
    #: The end of the address that OpenAlex calls an id.
    id: Annotated[str, BeforeValidator(lambda given: str(given).rpartition("/")[2]), Field(pattern=_ID)]
    doi: Line = ""
    title: Line = at("display_name")
    year: Year = at("publication_year", default=None)
    journal: Line = at("primary_location", "source", "display_name")
    page: Said = at("primary_location", "landing_page_url")
    open_pdf: Said = at("best_oa_location", "pdf_url")
    open_page: Said = at("best_oa_location", "landing_page_url")
    open_url: Said = at("open_access", "oa_url")
    authors: tuple[OnErrorOmit[_Author], ...] = at("authorships", default=())
    is_retracted: bool = False
    words: dict[str, list[OnErrorOmit[Position]]] = at("abstract_inverted_index", default={})

    @property
    def text(self) -> FetchedText:
        """The abstract; without passages if the work has none."""
        placed = {place: word for word, places in self.words.items() for place in places}
        abstract = unmarked(" ".join(placed[place] for place in sorted(placed)))
        return FetchedText(passages_of([abstract]), self.url, self.year)

    @property
    def url(self) -> str:
        return self.page or self.doi or f"https://openalex.org/{self.id}"


class _Works(BaseModel):
    results: Many[_Work]


class OpenAlexSource(RemoteSource):
    """Works that have not been retracted."""

    name: ClassVar[str] = "openalex"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"academic"})
    off = ProviderOff.OPENALEX
    url = "https://api.openalex.org"
    longest_query = 500
    operators = re.compile(r"[*?~|!\"()]")

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        limits = {"filter": "is_retracted:false", "per-page": str(k), "select": _FIELDS}
        found = self._ask(_Works, "GET", "/works", params={"search": query, **limits})
        return [self._hit(work) for work in found.results if not work.is_retracted]

    def _hit(self, work: _Work) -> Hit:
        """Return the hit and store its abstract."""
        text = work.text
        if text.passages:
            self._keep(work.id, text)
        return Hit(
            self.name,
            "academic",
            work.title or work.id,
            work.id,
            work.url,
            authors=tuple(author.name for author in work.authors if author.name),
            year=work.year,
            publisher=work.journal or None,
            doi=work.doi.partition("doi.org/")[2] or work.doi or None,
        )

    def _read(self, hit: Hit) -> FetchedText:
        if re.fullmatch(_ID, hit.locator) is None:
            raise NoTextError("openalex: no id of a work")
        work = self._ask(_Work, "GET", f"/works/{hit.locator}")
        if work.is_retracted:
            raise NoTextError("openalex: a retracted work")
        text = work.text
        return text if text.passages else self._open_copy(work, hit)

    def _open_copy(self, work: _Work, hit: Hit) -> FetchedText:
        failure: SourceError = NoTextError("openalex: neither an abstract nor an open copy")
        for url in filter(None, dict.fromkeys((work.open_pdf, work.open_page, work.open_url))):
            try:
                return self._page(url, hit)
            except SourceError as exc:
                failure = exc
        raise failure
