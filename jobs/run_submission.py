"""Job: do one run of one entry."""

from __future__ import annotations

import structlog

from core.errors import AppError
from core.models import Run
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.runs.fail import fail_run
from services.runs.queue_passes import queue_passes
from services.runs.run_submission import run_submission


def run_submission_job(run_id: str) -> None:
    """Do the run `submission:run_no`; continues from its checkpoint after a crash."""
    context = reading_context()
    submission_id, _, _ = run_id.partition(":")
    with structlog.contextvars.bound_contextvars(run_id=run_id, submission_id=submission_id):
        with context.database.session() as session:
            # Gone where it was erased since; the work finds nothing to do then.
            found = session.get(Run, run_id)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            run_submission(context, run_id)

        def fail(error: AppError) -> None:
            fail_run(context, run_id, error)
            # The other entries of the file and the batch need not wait for this one any more.
            queue_passes(context, run_id)

        at_edge(work, attempts, fail)
