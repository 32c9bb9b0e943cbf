"""Documents of the library: added, changed, listed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import FileTooLargeError, NotFailedError, NotFoundError
from core.llm.embeddings import open_embedder
from core.models import (
    EmbeddingStatus,
    LibraryDocument,
    LibraryKind,
    LibraryPassage,
    LibraryStatus,
    SecurityEventKind,
)
from core.models.base import columns_of, error_columns
from core.models.leases import DOCUMENT_LEASES
from pipeline.files.content_type import PDF
from research.sources.library import FOUND_END, FOUND_START, headlines_of, search_library
from research.text.stored_meaning import StoredMeaning, open_stored
from services.audit import record_event
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.library.essays.add_essays import WITHDRAWN
from services.library.media_type import InLibraryAgainError
from services.library.passages import retry_embedding
from services.messages.entries import Refused
from services.recovery.research_kinds import DOCUMENTS, MEANINGS
from services.recovery.work import queue_rows, update_and_queue
from services.uploads.room import room_for
from services.uploads.submit import IncomingFile, display_name


@dataclass(frozen=True)
class GivenMetadata:
    """Metadata that a person gives for a document; empty values are taken from the document itself."""

    kind: LibraryKind
    collection: str = ""
    publisher: str | None = None
    is_sample: bool = False


@dataclass(frozen=True)
class Added:
    """The document's id, and whether it is new: identical files are stored and read once."""

    document_id: uuid.UUID
    is_new: bool


def add_document(
    context: Context, actor_id: uuid.UUID | None, file: IncomingFile, shelf: GivenMetadata, queue: bool = True
) -> Added:
    """Store, record and queue a document.

    With `queue` false the caller must read it. Raises FileTooLargeError and what `room_for`
    raises, before anything is stored.
    """
    if file.size > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{file.size} bytes")
    digest = file.sha256
    known = _standing(context, digest)
    if known is not None:
        return Added(known, is_new=False)
    document_id = uuid.uuid4()
    key = f"library/{document_id}"
    with room_for(context, file.size):
        file.put(context.store, key)
    try:
        with context.database.session() as session:
            session.add(
                LibraryDocument(
                    id=document_id,
                    added_by=actor_id,
                    kind=shelf.kind.value,
                    collection=" ".join(shelf.collection.split())[:200],
                    publisher=" ".join((shelf.publisher or "").split())[:200] or None,
                    is_sample=shelf.is_sample,
                    original_filename=display_name(file.filename),
                    byte_size=file.size,
                    sha256=digest,
                    storage_key=key,
                )
            )
    except IntegrityError:
        # Another request added the same file between the query and the insert: use its row.
        context.store.delete(key)
        known = _standing(context, digest)
        if known is None:
            raise
        return Added(known, is_new=False)
    if queue:
        queue_rows(context, DOCUMENTS, document_id)
    return Added(document_id, is_new=True)


def _standing(context: Context, digest: str) -> uuid.UUID | None:
    return context.database.scalar(
        select(LibraryDocument.id).where(
            LibraryDocument.sha256 == digest, LibraryDocument.status != LibraryStatus.REMOVED.value
        )
    )


_AGAIN = {
    "status": LibraryStatus.QUEUED.value,
    **error_columns(None),
    "attempts": 0,
    "pages_done": 0,
    "enqueued_at": None,
}


def retry_document(context: Context, document_id: uuid.UUID) -> None:
    """Queue a failed document again: to be read, or for its vectors. Raises NotFailedError if it is not failed."""
    failed = (LibraryDocument.id == document_id, LibraryDocument.status == LibraryStatus.FAILED.value)
    if update_and_queue(context, DOCUMENTS, failed, {**_AGAIN, "updated_at": utcnow()}, replace=True):
        return
    if not retry_embedding(context, document_id):
        raise NotFailedError(Refused.DOCUMENT_NOT_FAILED)
    queue_rows(context, MEANINGS, document_id, replace=True)


def remove_document(context: Context, document_id: uuid.UUID, actor_id: uuid.UUID | None = None) -> None:
    """Remove a document and its passages; the original file and the copies in reports are kept.

    Raises NotFoundError if it does not exist or was removed before.
    """
    with context.database.session() as session:
        gone = session.scalar(
            update(LibraryDocument)
            .where(LibraryDocument.id == document_id, LibraryDocument.status != LibraryStatus.REMOVED.value)
            .values(status=LibraryStatus.REMOVED.value, updated_at=utcnow(), **DOCUMENT_LEASES.ended)
            .returning(LibraryDocument.id)
        )
        if gone is None:
            raise NotFoundError("no such document in the library")
        session.execute(delete(LibraryPassage).where(LibraryPassage.document_id == document_id))
        record_event(session, SecurityEventKind.LIBRARY_REMOVED, actor_id=actor_id, document=str(document_id))


def restore_document(context: Context, document_id: uuid.UUID, actor_id: uuid.UUID) -> None:
    """Restore a removed document and queue it to be read again. An essay is written again from its entry.

    Raises NotFoundError if it was not removed, InLibraryAgainError if the same file was added since.
    """
    removed = LibraryDocument.id == document_id, LibraryDocument.status == LibraryStatus.REMOVED.value
    try:
        with context.database.session() as session:
            document = session.scalar(select(LibraryDocument).where(*removed).with_for_update())
            if document is None:
                raise NotFoundError("no such removed document")
            is_essay = document.submission_id is not None
            values = {"error_code": WITHDRAWN} if is_essay else _AGAIN
            session.execute(update(LibraryDocument).where(*removed).values(**values, updated_at=utcnow()))
            record_event(session, SecurityEventKind.LIBRARY_RESTORED, actor_id=actor_id, document=str(document_id))
    except IntegrityError as exc:
        raise InLibraryAgainError("the same bytes stand in the library") from exc
    if not is_essay:
        queue_rows(context, DOCUMENTS, document_id, replace=True)


def documents_being_read(context: Context) -> int:
    """Return the number of documents that a search does not find yet."""
    return context.database.scalar(select(func.count()).where(LibraryDocument.status.in_(_WORKING))) or 0


PAGE_SIZE = 50
_WORKING = (LibraryStatus.QUEUED, LibraryStatus.READING)
_EMBEDDING = (EmbeddingStatus.QUEUED, EmbeddingStatus.RUNNING)


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
class ExcerptPart:
    """A part of an excerpt, and whether it matches the search."""

    text: str
    found: bool


@dataclass(frozen=True)
class LibraryRow:
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
    headline: list[ExcerptPart] = field(default_factory=list)

    @property
    def working(self) -> bool:
        return self.status in _WORKING or self.embedding in _EMBEDDING


@dataclass(frozen=True)
class LibraryList:
    page: RowPage[LibraryRow]

    @property
    def working(self) -> bool:
        """Whether documents on the page are still being processed."""
        return any(row.working for row in self.page.rows)


def list_library(
    context: Context, wanted: LibraryFilter, language: Literal["en", "es"] = "en", cursor: str | None = None
) -> LibraryList:
    """Return one page of documents, newest first, or for a search the best matches first.

    Raises InvalidInputError for an invalid cursor.
    """
    meaning = open_stored(context.database, open_embedder(context.settings)) if wanted.text else None
    with context.database.reading() as session:
        if wanted.text:
            return LibraryList(RowPage(_searched(session, wanted, language, meaning), None, None))
        query = select(*columns_of(LibraryDocument, LibraryRow)).where(*_conditions(wanted))
        rows, after, before = fetch_page(
            session, query, LibraryDocument.created_at, LibraryDocument.id, cursor, PAGE_SIZE
        )
    return LibraryList(RowPage([LibraryRow(**row._asdict()) for row in rows], after, before))


def collections(context: Context) -> list[str]:
    """Return the names of all collections, sorted."""
    with context.database.reading() as session:
        query = select(LibraryDocument.collection).where(
            LibraryDocument.collection != "", LibraryDocument.status != LibraryStatus.REMOVED.value
        )
        return list(session.scalars(query.distinct().order_by(LibraryDocument.collection)))


def _searched(
    session: Session, wanted: LibraryFilter, language: Literal["en", "es"], meaning: StoredMeaning | None
) -> list[LibraryRow]:
    found = search_library(session, wanted.text or "", wanted.kind, language, meaning)
    query = select(*columns_of(LibraryDocument, LibraryRow)).where(
        LibraryDocument.id.in_([one.document_id for one in found]), *_conditions(wanted)
    )
    rows = {row.id: row for row in session.execute(query)}
    kept = [one for one in found if one.document_id in rows][:PAGE_SIZE]
    headlines = headlines_of(session, wanted.text or "", kept)
    return [
        LibraryRow(
            **rows[one.document_id]._asdict(),
            position=one.position,
            headline=excerpt_parts(headlines[one.document_id]),
        )
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


def excerpt_parts(headline: str) -> list[ExcerptPart]:
    """Split a headline at its match markers."""
    found: list[ExcerptPart] = []
    for part in headline.split(FOUND_START):
        hit, mark, rest = part.partition(FOUND_END)
        found += (
            [ExcerptPart(hit, found=True), ExcerptPart(rest, found=False)]
            if mark
            else [ExcerptPart(part, found=False)]
        )
    return [piece for piece in found if piece.text]


#: Passages shown at a time; about twenty printed pages.
WINDOW = 40


@dataclass(frozen=True)
class PassageView:
    position: int
    page_no: int | None
    #: Set for the first passage shown, unless its text begins with the heading.
    heading: str | None
    text: str


@dataclass(frozen=True)
class DocumentView:
    """A document, and those of its passages that are shown."""

    document: LibraryDocument
    passages: list[PassageView]
    first: int
    total: int

    @property
    def previous(self) -> int | None:
        """Position at which the previous range begins, None at the start."""
        return max(self.first - WINDOW, 0) if self.first else None

    @property
    def next(self) -> int | None:
        """Position at which the next range begins, None at the end."""
        return self.first + WINDOW if self.first + WINDOW < self.total else None

    @property
    def has_pictures(self) -> bool:
        """Whether its pages can be shown as pictures."""
        return self.document.content_type == PDF


def library_document(context: Context, document_id: uuid.UUID, around: int = 0) -> DocumentView:
    """Return the document with the passages around a position. Raises NotFoundError, also if it was removed."""
    with context.database.reading() as session:
        document = session.get(LibraryDocument, document_id)
        if document is None or document.status == LibraryStatus.REMOVED:
            raise NotFoundError("no such document in the library")
        of_it = LibraryPassage.document_id == document_id
        total = session.scalar(select(func.count()).where(of_it)) or 0
        first = min(max(around, 0), max(total - 1, 0)) // WINDOW * WINDOW
        rows = session.scalars(
            select(LibraryPassage)
            .where(of_it, LibraryPassage.position >= first, LibraryPassage.position < first + WINDOW)
            .order_by(LibraryPassage.position)
        ).all()
    return DocumentView(document, _views(rows), first, total)


def _views(rows: Sequence[LibraryPassage]) -> list[PassageView]:
    return [
        PassageView(row.position, row.page_no, None if index else _heading_of(row), row.text.strip())
        for index, row in enumerate(rows)
    ]


def _heading_of(row: LibraryPassage) -> str | None:
    """Return the heading above a passage, unless the passage begins with it."""
    last = (row.heading or "").rpartition(" › ")[2]
    return None if not last or row.text.startswith(last) else row.heading
