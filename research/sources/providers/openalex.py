"""Scholarly works from OpenAlex (https://docs.openalex.org): the abstract, or an open copy without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from core.config import Settings
from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceError, SourceKind
from research.sources.passages import passages_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import RemoteSource, Tools
from research.sources.providers.sdk_session import session_of
from research.sources.providers.sound import each, hit_of, plain, unmarked, year_of

_URL = "https://api.openalex.org"
#: Fields of a work that are read here.
_FIELDS = [
    "id",
    "doi",
    "display_name",
    "title",
    "publication_year",
    "language",
    "primary_location",
    "best_oa_location",
    "open_access",
    "authorships",
    "is_retracted",
    "abstract_inverted_index",
    "relevance_score",
]
_ID = re.compile(r"W\d{1,15}")
#: Operators of OpenAlex's search, which it rejects in the wrong place.
_OPERATORS = re.compile(r"[*?~|!\"()]")
#: Highest accepted word position; an abstract has hundreds of words.
_LAST_POSITION = 20_000

Work = Mapping[str, Any]


class OpenAlexSource(RemoteSource):
    """Works that have not been retracted."""

    name: ClassVar[str] = "openalex"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"academic"})
    off = ProviderOff.OPENALEX
    longest_query = 500
    most_hits = 100

    @classmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """See `RemoteSource.open`."""
        if settings.openalex_api_key is None:
            return None
        headers = {"Authorization": f"Bearer {settings.openalex_api_key.get_secret_value()}"}
        return cls(tools.service(cls.name, settings.openalex_base_url or _URL, headers), tools)

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        words = " ".join(_OPERATORS.sub(" ", query).split())
        if not words:
            return []
        asked = {"search": words, "filter": {"is_retracted": False}, "per-page": k, "select": _FIELDS}
        return each(list(self._ask(asked)), self._take)

    def _take(self, rank: int, work: Work) -> Hit | None:
        """Return the hit and store its abstract; None for a retracted work."""
        hit = None if work.get("is_retracted") is True else _hit(rank, work)
        if hit and (abstract := _abstract(work)):
            self._keep(hit.locator, abstract)
        return hit

    def _read(self, hit: Hit) -> FetchedText:
        if _ID.fullmatch(hit.locator) is None:
            raise NoTextError("openalex: no id of a work")
        work = self._ask(hit.locator)
        if work.get("is_retracted") is True:
            raise NoTextError("openalex: a retracted work")
        return _abstract(work) or self._open_copy(work, hit)

    def _open_copy(self, work: Work, hit: Hit) -> FetchedText:
        failure: SourceError = NoTextError("openalex: neither an abstract nor an open copy")
        for url in _open_copies(work):
            try:
                return self._pages.fetch(url, hit)
            except SourceError as exc:
                failure = exc
        raise failure

    def _ask(self, params: dict[str, Any] | str) -> Any:
        """Return a list of works for parameters, one work for an id."""
        import pyalex

        works = pyalex.Works(params)
        url = works.url.replace(_URL, self._service.url, 1)
        # The only way to pass pyalex a session: its own has no time-out and one key for the whole process.
        return works._get_from_url(url, session_of(self._service))


def _id(work: Work) -> str:
    found = str(work["id"]).rpartition("/")[2]
    if _ID.fullmatch(found) is None:
        raise ValueError("no id of a work")
    return found


def _hit(rank: int, work: Work) -> Hit | None:
    place = _part(work, "primary_location")
    doi = str(work.get("doi") or "")
    return hit_of(
        OpenAlexSource.name,
        "academic",
        rank,
        locator=_id(work),
        url=_url(work),
        title=_title(work),
        authors=_authors(work),
        year=work.get("publication_year"),
        publisher=_part(place, "source").get("display_name"),
        doi=doi.partition("doi.org/")[2] or doi,
        snippet=" ".join(_words(work)),
        score=work.get("relevance_score"),
        language=work.get("language"),
    )


def _url(work: Work) -> str:
    return str(_part(work, "primary_location").get("landing_page_url") or work.get("doi") or work["id"])


def _title(work: Work) -> str:
    return plain(work.get("display_name")) or plain(work.get("title")) or _id(work)


def _authors(work: Work) -> Iterator[object]:
    for authorship in work.get("authorships") or []:
        yield _part(authorship, "author").get("display_name") or authorship.get("raw_author_name")


def _abstract(work: Work) -> FetchedText | None:
    passages = passages_of([(unmarked(" ".join(_words(work))), None)])
    if not passages:
        return None
    return FetchedText(passages, _url(work), _title(work), work.get("language"), year_of(work["publication_year"]))


def _words(work: Work) -> list[str]:
    """Return the words of the abstract in order, from OpenAlex's inverted index."""
    placed: dict[int, str] = {}
    for word, positions in (work.get("abstract_inverted_index") or {}).items():
        for position in positions:
            if type(position) is int and 0 <= position <= _LAST_POSITION:
                placed[position] = word
    return [placed[position] for position in sorted(placed)]


def _open_copies(work: Work) -> list[str]:
    best = _part(work, "best_oa_location")
    places = (best.get("pdf_url"), best.get("landing_page_url"), _part(work, "open_access").get("oa_url"))
    return list(dict.fromkeys(str(url) for url in places if url))


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the nested object `name`; empty if null or missing."""
    return whole.get(name) or {}
