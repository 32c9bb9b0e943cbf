"""Begin a draft with a blank form, have its blank read again, and remove it."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, update

from core.errors import (
    ConflictError,
    FileTooLargeError,
    InvalidInputError,
    NoFileError,
    NotFailedError,
    NotFoundError,
)
from core.models import FormDraft, FormDraftStatus, FormSample
from core.models.base import error_columns
from core.queue import forget_jobs
from services.context import Context
from services.form_studio.stored import blank_key, folder_of_draft
from services.forms.form_version import blank_pdf, form_version
from services.messages.form_studio import StudioConflict, StudioRefused
from services.recovery.kinds import BLANKS, SAMPLES
from services.recovery.work import enqueue
from services.uploads.submit_files import display_name


def begin_draft(
    context: Context, actor_id: uuid.UUID, filename: str, blank: bytes, start_key: str | None = None
) -> uuid.UUID:
    """Store the blank, have it read and return the draft's id.

    With `start_key` the marks begin as those of this form. Raises NoFileError and FileTooLargeError.
    """
    if not blank:
        raise NoFileError
    if len(blank) > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{len(blank)} bytes")
    draft_id = uuid.uuid4()
    context.store.put(blank_key(draft_id), blank)
    with context.database.session() as session:
        session.add(
            FormDraft(
                id=draft_id,
                created_by=actor_id,
                original_filename=display_name(filename),
                byte_size=len(blank),
                start_key=start_key or None,
            )
        )
    enqueue(context, BLANKS, draft_id)
    return draft_id


def begin_next_version(context: Context, actor_id: uuid.UUID, key: str) -> uuid.UUID:
    """Begin a draft of the next version of a form, on the blank that it was saved with; return its id.

    Raises NotFoundError, and InvalidInputError where it was saved without one.
    """
    version = form_version(context, key)
    blank = blank_pdf(context, version)
    if blank is None:
        raise InvalidInputError(StudioRefused.NO_BLANK)
    return begin_draft(context, actor_id, f"{key}.pdf", blank, key)


def choose_page(context: Context, draft_id: uuid.UUID, page_no: int) -> None:
    """Take another page of the blank as the form; what was marked is begun anew.

    Raises NotFoundError, and InvalidInputError for a page that the file does not have.
    """
    with context.database.session() as session:
        draft = session.get(FormDraft, draft_id)
        if draft is None:
            raise NotFoundError("no such draft")
        if not 1 <= page_no <= (draft.page_count or 1):
            raise InvalidInputError(StudioRefused.NO_SUCH_PAGE, limit=draft.page_count or 1)
        won = session.scalar(
            update(FormDraft)
            .where(FormDraft.id == draft_id, FormDraft.status == FormDraftStatus.READY.value)
            .values(status=FormDraftStatus.QUEUED.value, wanted_page=page_no, attempts=0)
            .returning(FormDraft.id)
        )
    if won is None:
        raise ConflictError(StudioConflict.BEING_READ)
    enqueue(context, BLANKS, draft_id, replace=True)


def retry_draft(context: Context, draft_id: uuid.UUID) -> None:
    """Have a blank read again that could not be read. Raises NotFailedError."""
    with context.database.session() as session:
        won = session.scalar(
            update(FormDraft)
            .where(FormDraft.id == draft_id, FormDraft.status == FormDraftStatus.FAILED.value)
            .values(status=FormDraftStatus.QUEUED.value, attempts=0, **error_columns(None))
            .returning(FormDraft.id)
        )
    if won is None:
        raise NotFailedError
    enqueue(context, BLANKS, draft_id, replace=True)


def remove_draft(context: Context, draft_id: uuid.UUID) -> None:
    """Remove a draft with its samples and all their files. Raises NotFoundError, StorageError."""
    with context.database.session() as session:
        samples = list(
            session.scalars(delete(FormSample).where(FormSample.draft_id == draft_id).returning(FormSample.id))
        )
        gone = session.scalar(delete(FormDraft).where(FormDraft.id == draft_id).returning(FormDraft.id))
    if gone is None:
        raise NotFoundError("no such draft")
    forget_jobs(context.redis, [BLANKS.job_id(draft_id), *(SAMPLES.job_id(sample) for sample in samples)])
    context.store.delete_prefix(folder_of_draft(draft_id))
