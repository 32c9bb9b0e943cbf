"""Retry a failed document, remove a document from the library, and restore it."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError

from core.clock import utcnow
from core.errors import NotFailedError, NotFoundError
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from core.models.base import error_columns
from core.models.leases import DOCUMENT_LEASES
from services.context import Context
from services.library.embed_document import retry_embedding
from services.library.errors import InLibraryAgainError
from services.library.essays.add_essays import WITHDRAWN
from services.messages.refused import Refused
from services.recovery.kinds import DOCUMENTS, MEANINGS
from services.recovery.work import enqueue

_AGAIN = {
    "status": LibraryStatus.QUEUED.value,
    **error_columns(None),
    "attempts": 0,
    "pages_done": 0,
    "enqueued_at": None,
}


def retry_document(context: Context, document_id: uuid.UUID) -> None:
    """Queue a failed document again: to be read, or for its vectors. Raises NotFailedError if it is not failed."""
    with context.database.session() as session:
        won = session.scalar(
            update(LibraryDocument)
            .where(LibraryDocument.id == document_id, LibraryDocument.status == LibraryStatus.FAILED.value)
            .values(**_AGAIN, updated_at=utcnow())
            .returning(LibraryDocument.id)
        )
    if won is None:
        if not retry_embedding(context, document_id):
            raise NotFailedError(Refused.DOCUMENT_NOT_FAILED)
        enqueue(context, MEANINGS, document_id, replace=True)
        return
    enqueue(context, DOCUMENTS, document_id, replace=True)


def remove_document(context: Context, document_id: uuid.UUID) -> None:
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


def restore_document(context: Context, document_id: uuid.UUID) -> None:
    """Restore a removed document and queue it to be read again. An essay is written anew from its entry.

    Raises NotFoundError if it was not removed, InLibraryAgainError if the same file was added since.
    """
    with context.database.session() as session:
        essay = session.scalar(
            update(LibraryDocument)
            .where(
                LibraryDocument.id == document_id,
                LibraryDocument.status == LibraryStatus.REMOVED.value,
                LibraryDocument.submission_id.is_not(None),
            )
            .values(error_code=WITHDRAWN, updated_at=utcnow())
            .returning(LibraryDocument.id)
        )
    if essay is not None:
        return
    try:
        with context.database.session() as session:
            back = session.scalar(
                update(LibraryDocument)
                .where(LibraryDocument.id == document_id, LibraryDocument.status == LibraryStatus.REMOVED.value)
                .values(**_AGAIN, updated_at=utcnow())
                .returning(LibraryDocument.id)
            )
    except IntegrityError as exc:
        raise InLibraryAgainError("the same bytes stand in the library") from exc
    if back is None:
        raise NotFoundError("no such removed document")
    enqueue(context, DOCUMENTS, document_id, replace=True)
