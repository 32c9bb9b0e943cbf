"""Read an entry again after its run failed."""

from __future__ import annotations

import uuid

from core.errors import NotFailedError
from core.models import Submission, SubmissionStatus
from services.audit import event
from services.context import Context
from services.messages.refused import Refused
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.runs.next_run import next_run


def retry_failed_run(context: Context, actor_id: uuid.UUID, run_id: str) -> str:
    """Start the next run of the entry whose run has failed. See `retry_run`; raises ValueError for another key."""
    return retry_run(context, actor_id, uuid.UUID(run_id.partition(":")[0]))


def retry_run(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID) -> str:
    """Start the next run of a failed entry and return its run_id. Raises NotFailedError if it is not failed."""
    with context.database.session() as session:
        submission = session.get_one(Submission, submission_id, with_for_update=True)
        if submission.status != SubmissionStatus.FAILED:
            raise NotFailedError(Refused.ENTRY_NOT_FAILED)
        run = next_run(session, submission)
        session.add(event(submission, "read_again", actor_id))
    enqueue(context, RUNS, run.run_id)
    return run.run_id
