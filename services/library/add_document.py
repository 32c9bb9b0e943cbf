"""Add a document to the library: store the original unchanged before reading it, then queue it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from core.errors import FileTooLargeError
from core.models import LibraryDocument, LibraryKind, LibraryStatus
from services.context import Context
from services.recovery.kinds import DOCUMENTS
from services.recovery.work import enqueue
from services.uploads.submit_files import IncomingFile, display_name


@dataclass(frozen=True)
class Shelf:
    """Metadata that a person gives for a document; empty values are taken from the document itself."""

    kind: LibraryKind
    collection: str = ""
    publisher: str | None = None
    is_sample: bool = False


@dataclass(frozen=True)
class Added:
    """The document's id, and whether it is new: equal files are stored and read once."""

    document_id: uuid.UUID
    is_new: bool


def add_document(
    context: Context, actor_id: uuid.UUID | None, file: IncomingFile, shelf: Shelf, queue: bool = True
) -> Added:
    """Store, record and queue a document.

    With `queue` false the caller must read it. Raises FileTooLargeError before anything is stored.
    """
    if file.size > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{file.size} bytes")
    digest = file.sha256
    known = _standing(context, digest)
    if known is not None:
        return Added(known, is_new=False)
    document_id = uuid.uuid4()
    key = f"library/{document_id}"
    file.put(context.store, key)
    try:
        with context.database.session() as session:
            session.add(_row(document_id, actor_id, file, shelf, digest, key))
    except IntegrityError:
        # Another request added the same file between the query and the insert: use its row.
        context.store.delete(key)
        known = _standing(context, digest)
        if known is None:
            raise
        return Added(known, is_new=False)
    if queue:
        enqueue(context, DOCUMENTS, document_id)
    return Added(document_id, is_new=True)


def _row(
    document_id: uuid.UUID, actor_id: uuid.UUID | None, file: IncomingFile, shelf: Shelf, digest: str, key: str
) -> LibraryDocument:
    return LibraryDocument(
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


def _standing(context: Context, digest: str) -> uuid.UUID | None:
    with context.database.session() as session:
        return session.scalar(
            select(LibraryDocument.id).where(
                LibraryDocument.sha256 == digest, LibraryDocument.status != LibraryStatus.REMOVED.value
            )
        )
