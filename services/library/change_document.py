"""Read a failed document once more, take one out of the library, and put it back."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError

from core.clock import utcnow
from core.errors import NotFailedError, NotFoundError
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from core.models.leases import DOCUMENT_LEASES
from services.context import Context
from services.library.errors import InLibraryAgainError
from services.recovery.kinds import DOCUMENTS
from services.recovery.work import enqueue

_AGAIN = {
    "status": LibraryStatus.QUEUED.value,
    "error_code": None,
    "error_message": None,
    "attempts": 0,
    "pages_done": 0,
    "enqueued_at": None,
}


def retry_document(context: Context, document_id: uuid.UUID) -> None:
    """Queue a failed document again. Raises NotFailedError when it is not, or no longer, failed."""
    with context.database.session() as session:
        won = session.scalar(
            update(LibraryDocument)
            .where(LibraryDocument.id == document_id, LibraryDocument.status == LibraryStatus.FAILED.value)
            .values(**_AGAIN, updated_at=utcnow())
            .returning(LibraryDocument.id)
        )
    if won is None:
        raise NotFailedError("this document has not failed")
    enqueue(context, DOCUMENTS, document_id, replace=True)


def remove_document(context: Context, document_id: uuid.UUID) -> None:
    """Take a document out of the library; its passages go, reports keep their own copies, the original stays.

    Raises NotFoundError for what is not there (any more).
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
    """Put a removed document back and read it anew.

    Raises NotFoundError for what was not removed, InLibraryAgainError where the same file was added since.
    """
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
