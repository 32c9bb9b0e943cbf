"""Job: decide together the entries of one file, and queue the rest of their runs."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import Upload
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.recovery.kinds import RESTS
from services.recovery.work import enqueue
from services.runs.decide_together import decide_together, fail_together


def decide_together_job(upload_id: str) -> None:
    """Run the joint pass over a file; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(upload_id)
    with structlog.contextvars.bound_contextvars(upload_id=upload_id):
        with context.database.session() as session:
            # Gone where it was erased since; the work finds nothing to do then.
            found = session.get(Upload, key)
            attempts = 0 if found is None else found.together_attempts

        def work() -> None:
            enqueue(context, RESTS, *decide_together(context, key))

        def fail(error: AppError) -> None:
            fail_together(context, key, error)

        at_edge(work, attempts, fail)
