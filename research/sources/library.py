"""The office's own library as a source: it needs no key and no network."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar
from urllib.parse import urlsplit

from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from core.database import Database
from core.embeddings import Embedder, NoEmbedder
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from research.meaning.stored import StoredMeaning, open_stored
from research.sources.base import (
    FetchedText,
    Hit,
    NoTextError,
    Passage,
    SearchScope,
    SourceKind,
    SourceRefusedError,
    SourceUnavailableError,
)
from research.sources.library_search import FOUND_END, FOUND_START, FoundDocument, headlines_of, search_library

#: Any one word matches: subtitles may be missing, and the caller decides whether it is the work.
_TITLED = text(
    """
    select d.id from library_documents d,
      cast(replace(plainto_tsquery('simple', :title)::text, '&', '|') as tsquery) as words
    where d.status = 'ready' and to_tsvector('simple', coalesce(d.title, '')) @@ words
    order by ts_rank(to_tsvector('simple', d.title), words, 1) desc, d.id
    limit :k
    """
)
_UNMARKED = str.maketrans("", "", FOUND_START + FOUND_END)


class LibrarySource:
    """The documents of the library; a search returns documents of the requested kind."""

    name: ClassVar[str] = "library"
    kinds: ClassVar[frozenset[SourceKind]] = frozenset({"web", "academic", "book", "essay"})

    def __init__(self, database: Database, embedder: Embedder | None = None) -> None:
        """`embedder`: None to search by words alone."""
        self._database = database
        self._embedder = embedder or NoEmbedder()
        self._meaning: StoredMeaning | None = None

    def search(self, query: str, k: int, scope: SearchScope) -> Sequence[Hit]:
        """See `Source.search`. Domains are compared with a document's publisher, else collection, and its host."""
        with _answering(self._database) as session:
            self._meaning = self._meaning or open_stored(self._database, self._embedder)
            found = search_library(session, query, scope.kind, scope.language, self._meaning)
            documents = _documents(session, [one.document_id for one in found])
            kept = [one for one in found if _is_allowed(documents[one.document_id], scope)][: max(k, 0)]
            headlines = headlines_of(session, query, kept)
            return [_hit(one, documents[one.document_id], headlines[one.document_id]) for one in kept]

    def titled(self, title: str, k: int) -> Sequence[Hit]:
        """Return at most `k` documents of any kind whose titles contain words of `title`, best first."""
        with _answering(self._database) as session:
            ids = session.scalars(_TITLED, {"title": title, "k": k}).all()
            documents = _documents(session, ids)
            return [_hit(FoundDocument(one, 0, 0.0), documents[one], "") for one in ids]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `Source.fetch`."""
        with _answering(self._database) as session:
            document = session.get(LibraryDocument, _document_id(hit))
            if document is None or document.status == LibraryStatus.REMOVED:
                raise SourceRefusedError("no such document in the library")
            rows = session.execute(
                select(
                    LibraryPassage.text, LibraryPassage.start_char, LibraryPassage.end_char, LibraryPassage.page_no
                )
                .where(LibraryPassage.document_id == document.id)
                .order_by(LibraryPassage.position)
            ).all()
        if document.status != LibraryStatus.READY or not rows:
            raise NoTextError(f"library document {document.id} is {document.status}")
        passages = tuple(Passage(row.text, row.start_char, row.end_char, row.page_no) for row in rows)
        return FetchedText(passages, document.url, document.title, document.language)


@contextmanager
def _answering(database: Database) -> Iterator[Session]:
    try:
        with database.session() as session:
            yield session
    except DBAPIError as exc:
        raise SourceUnavailableError(f"the library's database: {type(exc.orig).__name__}") from exc


def _document_id(hit: Hit) -> uuid.UUID:
    try:
        return uuid.UUID(hit.locator)
    except ValueError as exc:
        raise SourceRefusedError("not a document of the library") from exc


def _documents(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, LibraryDocument]:
    rows = session.scalars(select(LibraryDocument).where(LibraryDocument.id.in_(ids)))
    return {row.id: row for row in rows}


def _hit(found: FoundDocument, document: LibraryDocument, headline: str) -> Hit:
    return Hit(
        provider=LibrarySource.name,
        kind=document.kind,  # type: ignore[arg-type]  # the table's check allows these alone
        title=document.title or document.original_filename,
        locator=str(document.id),
        url=document.url,
        authors=tuple(document.authors),
        year=document.year,
        publisher=document.publisher or document.collection or None,
        doi=document.doi,
        isbn=document.isbn,
        snippet=headline.translate(_UNMARKED),
        score=found.score,
        language=document.language,
    )


def _is_allowed(document: LibraryDocument, scope: SearchScope) -> bool:
    names = set(_names(document))
    if names & {_plain(name) for name in scope.domains_denied}:
        return False
    return not scope.domains_allowed or bool(names & {_plain(name) for name in scope.domains_allowed})


def _names(document: LibraryDocument) -> Iterator[str]:
    """Yield the names by which a domain rule matches the document.

    These are its publisher, else its collection, and its host with the parent domains.
    """
    yield _plain(document.publisher or document.collection or "")
    labels = (urlsplit(document.url or "").hostname or "").split(".")
    for start in range(len(labels) - 1):
        yield _plain(".".join(labels[start:]))


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).removeprefix("www.").rstrip(".")
