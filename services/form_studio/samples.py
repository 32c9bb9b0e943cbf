"""Samples that a draft is tried on: add, list, read again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.errors import (
    ConflictError,
    FileTooLargeError,
    InvalidInputError,
    NoFileError,
    NotFailedError,
    NotFoundError,
)
from core.messages import Message
from core.models import FormDraft, FormSample, FormSampleStatus, Submission, Upload
from core.models.base import error_columns
from services.accounts.person_name import name_by_id
from services.context import Context
from services.form_studio.sample_result import SampleResult
from services.form_studio.stored import KEPT, sample_key
from services.messages.form_studio import StudioConflict, StudioRefused
from services.recovery.kinds import SAMPLES
from services.recovery.work import enqueue
from services.uploads.submit_files import IncomingFile, display_name

#: Most samples of one draft.
MOST_SAMPLES = 30


@dataclass(frozen=True)
class SampleView:
    """One sample."""

    id: uuid.UUID
    filename: str
    submission_id: uuid.UUID | None
    status: str
    error: Message | None
    result: SampleResult | None
    #: The version of the draft that it was read by.
    draft_version: int | None
    requested_by: str
    created_at: datetime
    kept_until: datetime

    @property
    def working(self) -> bool:
        """Whether it is still to be read."""
        return self.status in (FormSampleStatus.QUEUED, FormSampleStatus.RUNNING)


def add_samples(
    context: Context,
    actor_id: uuid.UUID,
    draft_id: uuid.UUID,
    files: Sequence[IncomingFile],
    submission_ids: Sequence[uuid.UUID] = (),
) -> list[uuid.UUID]:
    """Store files and name entries as samples, have them read and return their ids.

    Raises NotFoundError, NoFileError, FileTooLargeError, InvalidInputError for an entry that there is not or for
    too many samples, and ConflictError before the blank was read.
    """
    if not files and not submission_ids:
        raise NoFileError
    for file in files:
        if file.size > context.settings.max_upload_bytes:
            raise FileTooLargeError(f"{file.size} bytes")
    with context.database.session() as session:
        _require_ready(session, draft_id)
        there = session.scalars(select(FormSample.id).where(FormSample.draft_id == draft_id)).all()
        if len(there) + len(files) + len(submission_ids) > MOST_SAMPLES:
            raise InvalidInputError(StudioRefused.TOO_MANY_SAMPLES, limit=MOST_SAMPLES)
        rows = [_of_submission(session, actor_id, draft_id, one) for one in submission_ids]
    for file in files:
        row = FormSample(
            id=uuid.uuid4(),
            draft_id=draft_id,
            requested_by=actor_id,
            original_filename=display_name(file.filename),
            byte_size=file.size,
        )
        file.put(context.store, sample_key(draft_id, row.id))
        rows.append(row)
    with context.database.session() as session:
        session.add_all(rows)
        ids = [row.id for row in rows]
    enqueue(context, SAMPLES, *ids)
    return ids


def list_samples(context: Context, draft_id: uuid.UUID) -> list[SampleView]:
    """Return the samples of a draft in the order in which they were added."""
    with context.database.session() as session:
        rows = session.scalars(
            select(FormSample)
            .where(FormSample.draft_id == draft_id)
            .order_by(FormSample.created_at, FormSample.id)
        )
        return [_view(session, row) for row in rows.all()]


def find_sample(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> SampleView:
    """Return one sample. Raises NotFoundError."""
    with context.database.session() as session:
        row = session.get(FormSample, sample_id)
        if row is None or row.draft_id != draft_id:
            raise NotFoundError("no such sample")
        return _view(session, row)


def read_samples_again(context: Context, draft_id: uuid.UUID) -> None:
    """Have all samples of a draft read by its marks of now; those under way are read by them anyway."""
    with context.database.session() as session:
        _require_ready(session, draft_id)
        ids = session.scalars(
            update(FormSample)
            .where(FormSample.draft_id == draft_id, ~SAMPLES.due)
            .values(status=FormSampleStatus.QUEUED.value, attempts=0, **error_columns(None))
            .returning(FormSample.id)
        ).all()
    enqueue(context, SAMPLES, *ids, replace=True)


def retry_sample(context: Context, sample_id: uuid.UUID) -> None:
    """Have a sample read again that could not be read. Raises NotFailedError."""
    with context.database.session() as session:
        won = session.scalar(
            update(FormSample)
            .where(FormSample.id == sample_id, FormSample.status == FormSampleStatus.FAILED.value)
            .values(status=FormSampleStatus.QUEUED.value, attempts=0, **error_columns(None))
            .returning(FormSample.id)
        )
    if won is None:
        raise NotFailedError
    enqueue(context, SAMPLES, sample_id, replace=True)


def _require_ready(session: Session, draft_id: uuid.UUID) -> None:
    draft = session.get(FormDraft, draft_id)
    if draft is None:
        raise NotFoundError("no such draft")
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)


def _of_submission(
    session: Session, actor_id: uuid.UUID, draft_id: uuid.UUID, submission_id: uuid.UUID
) -> FormSample:
    filename = session.scalar(
        select(Upload.original_filename)
        .join(Submission, Submission.upload_id == Upload.id)
        .where(Submission.id == submission_id, Upload.pdf_key.is_not(None))
    )
    if filename is None:
        raise InvalidInputError(StudioRefused.NO_SUCH_SUBMISSION)
    return FormSample(
        id=uuid.uuid4(),
        draft_id=draft_id,
        requested_by=actor_id,
        submission_id=submission_id,
        original_filename=filename,
    )


def _view(session: Session, row: FormSample) -> SampleView:
    return SampleView(
        id=row.id,
        filename=row.original_filename,
        submission_id=row.submission_id,
        status=row.status,
        error=row.error,
        result=None if row.result is None else SampleResult.model_validate(row.result),
        draft_version=row.draft_version,
        requested_by=name_by_id(session, row.requested_by) or "",
        created_at=row.created_at,
        kept_until=row.created_at + KEPT,
    )
