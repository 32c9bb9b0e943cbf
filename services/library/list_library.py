"""List the library's documents, filtered and paginated, or search them, with an excerpt for each."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from core.embeddings import open_embedder
from core.models import EmbeddingStatus, LibraryDocument, LibraryStatus
from research.meaning.store import StoredMeaning, open_stored
from research.sources.library_search import FOUND_END, FOUND_START, headlines_of, search_library
from services.context import Context
from services.keyset import Page, fetch_page

PAGE_SIZE = 50
_WORKING = (LibraryStatus.QUEUED, LibraryStatus.READING)
_EMBEDDING = (EmbeddingStatus.QUEUED, EmbeddingStatus.RUNNING)
_COLUMNS = (
    "id",
    "kind",
    "collection",
    "title",
    "authors",
    "publisher",
    "year",
    "language",
    "original_filename",
    "is_sample",
    "status",
    "error_code",
    "error_params",
    "page_count",
    "pages_done",
    "embedding",
    "passages_embedded",
    "passages_total",
    "created_at",
)


@dataclass(frozen=True)
class LibraryFilter:
    """Filters of the list; None does not filter."""

    kind: str | None = None
    language: str | None = None
    collection: str | None = None
    status: str | None = None
    #: A query for the full-text search.
    text: str | None = None


@dataclass(frozen=True)
class Piece:
    """A part of an excerpt, and whether it matches the search."""

    text: str
    found: bool


@dataclass(frozen=True)
class LibraryRow:
    """One line of the list."""

    id: uuid.UUID
    kind: str
    collection: str
    title: str
    authors: list[str]
    publisher: str | None
    year: int | None
    language: str
    original_filename: str
    is_sample: bool
    status: str
    error_code: str | None
    error_params: dict[str, Any]
    page_count: int | None
    pages_done: int
    embedding: str
    passages_embedded: int
    passages_total: int
    created_at: datetime
    #: Of a search result: the position of the matching passage, and its excerpt in pieces.
    position: int | None = None
    headline: list[Piece] = field(default_factory=list)

    @property
    def working(self) -> bool:
        return self.status in _WORKING or self.embedding in _EMBEDDING


@dataclass(frozen=True)
class LibraryList:
    """One page of the list."""

    page: Page[LibraryRow]

    @property
    def working(self) -> bool:
        """Whether documents on the page are still being processed."""
        return any(row.working for row in self.page.rows)

    @property
    def fingerprint(self) -> str:
        """Hash that changes whenever the shown data changes."""
        return hashlib.sha256(repr(self.page).encode()).hexdigest()[:32]


def list_library(
    context: Context, wanted: LibraryFilter, language: Literal["en", "es"] = "en", cursor: str | None = None
) -> LibraryList:
    """Return one page of documents, newest first, or for a search the best matches first.

    Raises InvalidInputError for an invalid cursor.
    """
    meaning = open_stored(context.database, open_embedder(context.settings)) if wanted.text else None
    with context.database.session() as session:
        if wanted.text:
            return LibraryList(Page(_searched(session, wanted, language, meaning), None, None))
        query = select(*(getattr(LibraryDocument, name) for name in _COLUMNS)).where(*_conditions(wanted))
        rows, after, before = fetch_page(
            session, query, LibraryDocument.created_at, LibraryDocument.id, cursor, PAGE_SIZE
        )
    return LibraryList(Page([_row(row) for row in rows], after, before))


def collections(context: Context) -> list[str]:
    """Return the names of all collections, sorted."""
    with context.database.session() as session:
        query = select(LibraryDocument.collection).where(
            LibraryDocument.collection != "", LibraryDocument.status != LibraryStatus.REMOVED.value
        )
        return list(session.scalars(query.distinct().order_by(LibraryDocument.collection)))


def _searched(
    session: Session, wanted: LibraryFilter, language: Literal["en", "es"], meaning: StoredMeaning | None
) -> list[LibraryRow]:
    found = search_library(session, wanted.text or "", wanted.kind, language, meaning)
    query = select(*(getattr(LibraryDocument, name) for name in _COLUMNS)).where(
        LibraryDocument.id.in_([one.document_id for one in found]), *_conditions(wanted)
    )
    rows = {row.id: row for row in session.execute(query)}
    kept = [one for one in found if one.document_id in rows][:PAGE_SIZE]
    headlines = headlines_of(session, wanted.text or "", kept)
    return [
        _row(rows[one.document_id], position=one.position, headline=pieces(headlines[one.document_id]))
        for one in kept
    ]


def _conditions(wanted: LibraryFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [LibraryDocument.status != LibraryStatus.REMOVED.value]
    for column, value in (
        (LibraryDocument.kind, wanted.kind),
        (LibraryDocument.language, wanted.language),
        (LibraryDocument.collection, wanted.collection),
        (LibraryDocument.status, wanted.status),
    ):
        if value is not None:
            found.append(column == value)
    return found


def _row(row: Any, **found: Any) -> LibraryRow:
    return LibraryRow(**{name: getattr(row, name) for name in _COLUMNS}, **found)


def pieces(headline: str) -> list[Piece]:
    """Split a headline at its match markers."""
    found: list[Piece] = []
    for part in headline.split(FOUND_START):
        hit, mark, rest = part.partition(FOUND_END)
        found += [Piece(hit, found=True), Piece(rest, found=False)] if mark else [Piece(part, found=False)]
    return [piece for piece in found if piece.text]
