"""The entries of an upload, and who may see it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, NotFailedError, NotFoundError
from core.models import (
    EventKind,
    Profile,
    ReviewEvent,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
    Upload,
    UploadStatus,
)
from core.models.base import error_columns
from services.accounts.person import Person, name_of, visible_to
from services.context import Context
from services.entries.decision import lost_entry
from services.messages.entries import Conflict, ItemLabel, Refused
from services.recovery.kinds import UPLOADS
from services.recovery.work import queue_rows

ACTIVE_RUNS = (RunStatus.QUEUED.value, RunStatus.READ.value, RunStatus.RUNNING.value)


def lock_entries(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Submission]:
    """Lock the entries and their active runs for this transaction; return the entries by id.

    To avoid deadlocks it locks in the order of others: workers lock an active run before its entry, decisions lock
    an entry before its waiting run.
    """
    runs = select(Run.run_id).where(Run.submission_id.in_(ids), Run.status.in_(ACTIVE_RUNS))
    session.execute(runs.order_by(Run.run_id).with_for_update(key_share=True))
    entries = select(Submission).where(Submission.id.in_(ids)).order_by(Submission.id)
    return {entry.id: entry for entry in session.scalars(entries.with_for_update(key_share=True))}


def require_standing(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raise ConflictError, saying by whom, if one of these entries was superseded; of several, the first."""
    gone = session.scalar(
        select(Submission)
        .where(Submission.id.in_(ids), Submission.status == SubmissionStatus.SUPERSEDED.value)
        .order_by(Submission.upload_id, Submission.chunk_index)
        .limit(1)
    )
    if gone is not None:
        raise changed_error(session, gone)


def require_seen(session: Session, entries: Collection[Submission], versions: Mapping[uuid.UUID, int]) -> None:
    """Raise ConflictError, saying who did what, if an entry is superseded or not at the version given."""
    for entry in entries:
        if entry.status == SubmissionStatus.SUPERSEDED or versions.get(entry.id) != entry.version:
            raise changed_error(session, entry)


def require_untouched(session: Session, ids: Collection[uuid.UUID]) -> None:
    """Raise ConflictError if a person has changed one of these entries after it was made.

    The day of its batch is no change of an entry.
    """
    # An entry's first event records who made it.
    firsts = (
        select(func.min(ReviewEvent.id))
        .where(ReviewEvent.submission_id.in_(ids))
        .group_by(ReviewEvent.submission_id)
    )
    row = session.execute(
        select(ReviewEvent.kind, name_of(Profile).label("who"))
        .join(Profile, Profile.id == ReviewEvent.actor_id)
        .join(Submission, Submission.id == ReviewEvent.submission_id)
        .where(
            ReviewEvent.submission_id.in_(ids),
            ReviewEvent.id.not_in(firsts),
            or_(ReviewEvent.kind != EventKind.RECEIVED_CHANGED.value, Submission.received_given),
        )
        .order_by(ReviewEvent.id)
        .limit(1)
    ).first()
    if row is not None:
        raise ConflictError(Conflict.NEW_ENTRY_DONE, event=row.kind, who=row.who)


def changed_error(session: Session, entry: Submission) -> ConflictError:
    """Return the error for a changed entry, with its name and its latest event."""
    latest = lost_entry(session, entry.id)
    if not isinstance(latest, ConflictError):
        return ConflictError(Conflict.CHANGED, item=ItemLabel.ENTRY)
    if entry.student_name is None:
        return ConflictError(Conflict.NAMELESS_OF_SEVERAL, who=latest.who, problem=latest.told)
    return ConflictError(Conflict.ENTRY_OF_SEVERAL, who=latest.who, name=entry.student_name, problem=latest.told)


def require_visible_upload(context: Context, person: Person, upload_id: uuid.UUID) -> None:
    """Raise NotFoundError if the file does not exist or this person may not see it."""
    query = select(Upload.id).where(Upload.id == upload_id, visible_to(person, Upload.uploaded_by))
    with context.database.reading() as session:
        if session.scalar(query) is None:
            raise NotFoundError("no such file for this person")


def retry_upload(context: Context, actor_id: uuid.UUID, upload_id: uuid.UUID) -> None:
    """Queue a failed file again. Raises NotFailedError if it is not failed."""
    won = context.database.scalar(
        update(Upload)
        .where(Upload.id == upload_id, Upload.status == UploadStatus.FAILED.value)
        .values(
            status=UploadStatus.STORED.value,
            **error_columns(None),
            attempts=0,
            parse_seconds=0.0,
            enqueued_at=None,
            updated_at=utcnow(),
        )
        .returning(Upload.id)
    )
    if won is None:
        raise NotFailedError(Refused.FILE_NOT_FAILED)
    queue_rows(context, UPLOADS, upload_id, replace=True)
