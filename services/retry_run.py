"""Read an entry again after its run failed."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.errors import NotFailedError
from core.models import Run, RunStatus, Submission, SubmissionStatus
from services.audit import event
from services.context import Context
from services.enqueue import enqueue_run


def retry_run(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID) -> str:
    """Start the next run of a failed entry; returns its run_id. Raises NotFailedError when it is not failed."""
    with context.database.session() as session:
        submission = session.get_one(Submission, submission_id, with_for_update=True)
        if submission.status != SubmissionStatus.FAILED:
            raise NotFailedError("this entry has not failed")
        submission.run_no += 1
        submission.version += 1
        submission.status = SubmissionStatus.QUEUED.value
        submission.error_code = submission.error_message = None
        submission.updated_at = utcnow()
        run = Run(
            run_id=f"{submission.id}:{submission.run_no}",
            submission_id=submission.id,
            season_id=submission.season_id,
            run_no=submission.run_no,
            status=RunStatus.QUEUED.value,
        )
        session.add(run)
        session.add(event(submission, "read_again", actor_id))
    enqueue_run(context, run.run_id)
    return run.run_id
