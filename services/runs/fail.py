"""Record that a file or a run failed, so that the error is shown and a person can retry."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, select, update

from core.clock import utcnow
from core.errors import AppError
from core.models import PageRange, Run, RunStatus, Submission, SubmissionStatus, Upload, UploadStatus
from core.models.base import error_columns
from core.models.leases import RUN_LEASES, UPLOAD_LEASES
from services.audit import event
from services.context import Context
from services.recovery.kinds import UNSPLIT
from services.stats.run_facts import note_run

_OPEN_RUN = (RunStatus.QUEUED.value, RunStatus.READ.value, RunStatus.RUNNING.value)


def fail_upload(context: Context, upload_id: uuid.UUID, error: AppError) -> None:
    """Mark a file as failed, unless another worker has leased it; the original file is kept.

    Entries that were made of it before go on; the rest is read when a person retries.
    """
    with context.database.session() as session:
        failed = session.scalar(
            update(Upload)
            .where(Upload.id == upload_id, Upload.status.in_(UNSPLIT), UPLOAD_LEASES.expired())
            .values(
                status=UploadStatus.FAILED.value,
                **error_columns(error.told),
                updated_at=utcnow(),
            )
            .returning(Upload.id)
        )
        if failed is not None:
            session.execute(delete(PageRange).where(PageRange.upload_id == upload_id))


def fail_pages(context: Context, range_id: uuid.UUID, error: AppError) -> None:
    """Mark the file as failed whose pages could not be read. See `fail_upload`."""
    with context.database.session() as session:
        upload_id = session.scalar(select(PageRange.upload_id).where(PageRange.id == range_id))
    if upload_id is not None:
        fail_upload(context, upload_id, error)


def fail_run(context: Context, run_id: str, error: AppError) -> None:
    """Mark a run and its entry as failed, unless it is settled or another worker has leased it."""
    with context.database.session() as session:
        run = RUN_LEASES.lock_expired(session, run_id, Run.status.in_(_OPEN_RUN))
        if run is None:
            return
        run.status = RunStatus.FAILED.value
        run.outcome = SubmissionStatus.FAILED.value
        run.reason = error.told
        RUN_LEASES.end(run)
        run.settled_at = utcnow()
        submission = session.get_one(Submission, run.submission_id, with_for_update=True)
        submission.status = SubmissionStatus.FAILED.value
        submission.needs_review = True
        submission.error = error.told
        submission.version += 1
        submission.updated_at = utcnow()
        session.add(event(submission, SubmissionStatus.FAILED.value, message=error.told))
        provider = run.options.get("ocr_provider") or context.settings.ocr_provider
        note_run(session, run, submission, run.outcome, error.told, run.tools_used, str(provider))
