"""Books from Open Library (openlibrary.org): descriptions of books, not their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from core.config import Settings
from research.markdown_text.parsing import paragraphs_of
from research.sources.base import FetchedText, Hit, NoTextError, SearchScope, SourceKind
from research.sources.passages import passages_of
from research.sources.providers.codes import ProviderOff
from research.sources.providers.remote import AGENT, RemoteSource, Tools
from research.sources.providers.sound import each, hit_of, plain
from research.text import detect_language

_URL = "https://openlibrary.org"
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publisher,isbn,language"
_KEY = re.compile(r"/works/OL\d{1,15}W")
_REDIRECT, _DELETED = "/type/redirect", "/type/delete"
#: Operators of Solr, which Open Library uses: `works: yes` would query a field called "works".
_OPERATORS = re.compile(r"[-+&|!(){}\[\]^\"~*?:\\/]")
#: A merged work redirects to another; chains of these are short.
_MOST_REDIRECTS = 3
_LANGUAGES = {"eng": "en", "spa": "es"}

Work = Mapping[str, Any]


class OpenLibrarySource(RemoteSource):
    """Works with their description, first sentence and table of contents."""

    name: ClassVar[str] = "openlibrary"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"book"})
    off = ProviderOff.OPENLIBRARY
    longest_query = 300
    most_hits = 100

    @classmethod
    def open(cls, settings: Settings, tools: Tools) -> Self | None:
        """See `RemoteSource.open`."""
        if settings.openlibrary_contact is None:
            return None
        headers = {"User-Agent": f"{AGENT} ({settings.openlibrary_contact})"}
        return cls(tools.service(cls.name, settings.openlibrary_base_url or _URL, headers), tools)

    def _find(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        words = " ".join(_OPERATORS.sub(" ", query).split())
        if not words:
            return []
        docs = self._service.get("/search.json", q=words, fields=_FIELDS, limit=k)["docs"]
        return each(docs, _hit)[:k]

    def _read(self, hit: Hit) -> FetchedText:
        work = self._work(hit.locator)
        passages = passages_of((paragraph, None) for paragraph in _paragraphs(work))
        if not passages:
            raise NoTextError("openlibrary: a work without a description")
        language = detect_language("".join(passage.text for passage in passages))
        return FetchedText(passages, _page(hit.locator), plain(work.get("title")) or None, language, hit.year)

    def _work(self, key: str) -> Work:
        for _ in range(_MOST_REDIRECTS):
            if _KEY.fullmatch(key) is None:
                raise NoTextError("openlibrary: no key of a work")
            work = self._service.get(f"{key}.json")
            kind = (work.get("type") or {}).get("key")
            if kind == _DELETED:
                raise NoTextError("openlibrary: a deleted work")
            if kind != _REDIRECT:
                return work
            key = str(work["location"])
        raise NoTextError("openlibrary: merged too often")


def _page(key: str) -> str:
    return f"{_URL}{key}"


def _hit(rank: int, doc: Mapping[str, Any]) -> Hit | None:
    key = str(doc["key"])
    if _KEY.fullmatch(key) is None:
        raise ValueError("no key of a work")
    names = [name for name in (doc.get("title"), doc.get("subtitle")) if name]
    languages = {_LANGUAGES[code] for code in doc.get("language") or [] if code in _LANGUAGES}
    return hit_of(
        OpenLibrarySource.name,
        "book",
        rank,
        locator=key,
        url=_page(key),
        title=": ".join(names),
        authors=doc.get("author_name") or [],
        year=doc.get("first_publish_year"),
        publisher=next(filter(None, doc.get("publisher") or []), None),
        isbn=_isbn([str(isbn) for isbn in doc.get("isbn") or []]),
        language=languages.pop() if len(languages) == 1 else None,
    )


def _isbn(isbns: Sequence[str]) -> str | None:
    """Return the first ISBN of thirteen digits, else the first; None if there are none."""
    return next((isbn for isbn in isbns if len(isbn) == 13), isbns[0] if isbns else None)


def _paragraphs(work: Work) -> Iterator[str]:
    yield from paragraphs_of(_said(work.get("description")))
    yield _said(work.get("first_sentence"))
    for excerpt in work.get("excerpts") or []:
        yield _said(excerpt.get("excerpt") if isinstance(excerpt, Mapping) else excerpt)
    for chapter in work.get("table_of_contents") or []:
        yield _said(chapter.get("title") if isinstance(chapter, Mapping) else chapter)


def _said(value: object) -> str:
    """Return a text given as a string or in the "value" of an object; empty otherwise."""
    said = value.get("value") if isinstance(value, Mapping) else value
    return said if isinstance(said, str) else ""
