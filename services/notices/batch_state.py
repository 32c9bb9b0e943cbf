"""Whether a batch is quiet, and how its entries stand then."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from core.models import (
    COMPLETE_STATUSES,
    Run,
    RunStatus,
    Submission,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadStatus,
)
from services.recovery.kinds import RUNS, UNSPLIT

_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)


@dataclass(frozen=True)
class Counts:
    """Numbers of a quiet batch."""

    entries: int
    complete: int
    waiting: int
    #: Entries and files that could not be read.
    failed: int
    rejected: int

    @property
    def state(self) -> str:
        """ "waits" if a person has to do something, else "done"."""
        return "waits" if self.waiting or self.failed else "done"


def is_quiet() -> ColumnElement[bool]:
    """Condition: all files of the batch are there, and nothing of it is under way or about to begin anew."""
    of_batch = select(Run.run_id).join(Submission, Submission.id == Run.submission_id)
    arrived = (
        select(func.count())
        .where(Upload.batch_id == UploadBatch.id, Upload.split_id.is_(None))
        .correlate(UploadBatch)
        .scalar_subquery()
    )
    return and_(
        arrived >= UploadBatch.file_count,
        ~select(Upload.id).where(Upload.batch_id == UploadBatch.id, Upload.status.in_(UNSPLIT)).exists(),
        ~select(Submission.id)
        .where(Submission.batch_id == UploadBatch.id, Submission.status.in_(_UNDER_WAY))
        .exists(),
        ~of_batch.where(
            Submission.batch_id == UploadBatch.id,
            or_(RUNS.due, Run.status == RunStatus.READ.value, Run.shown_early, Run.batch_due),
        ).exists(),
    )


def has_news() -> ColumnElement[bool]:
    """Condition: the batch is in a state that nobody was told of, if it is quiet. "done" is the last one."""
    waits = or_(
        select(Submission.id)
        .where(
            Submission.batch_id == UploadBatch.id,
            Submission.status.in_((*_WAITING, SubmissionStatus.FAILED.value)),
        )
        .exists(),
        select(Upload.id)
        .where(Upload.batch_id == UploadBatch.id, Upload.status == UploadStatus.FAILED.value)
        .exists(),
    )
    return or_(UploadBatch.told.is_(None), and_(UploadBatch.told == "waits", ~waits))


def was_read() -> ColumnElement[bool]:
    """Condition: the batch has a file that was read, or was to be; a person who types entries in knows of them."""
    return (
        select(Upload.id)
        .where(Upload.batch_id == UploadBatch.id, Upload.status != UploadStatus.TYPED.value)
        .exists()
    )


def counts_of(session: Session, batch_id: uuid.UUID) -> Counts:
    """Return the numbers of a batch; what was replaced does not count."""
    rows = session.execute(
        select(Submission.status, func.count()).where(Submission.batch_id == batch_id).group_by(Submission.status)
    ).all()
    by_status = {row[0]: row[1] for row in rows if row[0] != SubmissionStatus.SUPERSEDED.value}
    files = session.scalar(
        select(func.count()).where(Upload.batch_id == batch_id, Upload.status == UploadStatus.FAILED.value)
    )
    return Counts(
        sum(by_status.values()),
        sum(by_status.get(status, 0) for status in COMPLETE_STATUSES),
        sum(by_status.get(status, 0) for status in _WAITING),
        by_status.get(SubmissionStatus.FAILED.value, 0) + (files or 0),
        by_status.get(SubmissionStatus.REJECTED.value, 0),
    )
