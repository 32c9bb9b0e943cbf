"""Queue the joint passes that a run may have held up, also by its failure."""

from __future__ import annotations

from sqlalchemy import select

from core.errors import AppError
from core.models import Run, Submission, Upload, UploadBatch
from services.context import Context
from services.recovery.kinds import BATCHES, TOGETHER
from services.recovery.work import enqueue
from services.runs.fail import fail_run


def fail_run_and_queue_passes(context: Context, run_id: str, error: AppError) -> None:
    """Mark a run as failed; the other entries of its file and its batch need not wait for it any more."""
    fail_run(context, run_id, error)
    queue_passes(context, run_id)


def queue_passes(context: Context, run_id: str) -> None:
    """Queue the joint pass over the run's file, or its batch, if it is due: nothing of it is still to be read."""
    submission = select(Submission).join(Run, Run.submission_id == Submission.id).where(Run.run_id == run_id)
    with context.database.session() as session:
        came = session.scalar(submission)
        if came is None:
            # Erased since. The reconciler finds what waited for it.
            return
        upload_id = session.scalar(select(Upload.id).where(Upload.id == came.upload_id, TOGETHER.due))
        batch_id = session.scalar(select(UploadBatch.id).where(UploadBatch.id == came.batch_id, BATCHES.due))
    if upload_id is not None:
        enqueue(context, TOGETHER, upload_id)
    if batch_id is not None:
        enqueue(context, BATCHES, batch_id)
