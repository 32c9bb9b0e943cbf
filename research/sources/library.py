"""The office's own library as a source: it needs no key and no network."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from core.database import Database
from core.embeddings import Embedder, NoEmbedder
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from research.meaning.store import StoredMeaning, open_stored
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
from research.sources.library_search import search_library

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
            hits = [_hit(documents[one.document_id], one.score) for one in found]
            return [hit for hit in hits if scope.allows(hit.url, hit.publisher or "")][:k]

    def titled(self, title: str, k: int) -> Sequence[Hit]:
        """Return at most `k` documents of any kind whose titles contain words of `title`, best first."""
        with _answering(self._database) as session:
            ids = session.scalars(_TITLED, {"title": title, "k": k}).all()
            documents = _documents(session, ids)
            return [_hit(documents[one]) for one in ids]

    def fetch(self, hit: Hit) -> FetchedText:
        """See `Source.fetch`."""
        with _answering(self._database) as session:
            document = session.get(LibraryDocument, uuid.UUID(hit.locator))
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
        return FetchedText(passages, document.url)


@contextmanager
def _answering(database: Database) -> Iterator[Session]:
    try:
        with database.session() as session:
            yield session
    except DBAPIError as exc:
        raise SourceUnavailableError(f"the library's database: {type(exc.orig).__name__}") from exc


def _documents(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, LibraryDocument]:
    rows = session.scalars(select(LibraryDocument).where(LibraryDocument.id.in_(ids)))
    return {row.id: row for row in rows}


def _hit(document: LibraryDocument, score: float = 0.0) -> Hit:
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
        score=score,
        language=document.language,
    )
