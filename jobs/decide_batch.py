"""Job: decide together the entries of all files of a batch, and queue the runs that begin anew."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import UploadBatch
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.notices.tell_batches import tell_batches
from services.recovery.kinds import RESTS
from services.recovery.work import enqueue
from services.runs.decide_batch import decide_batch, fail_batch


def decide_batch_job(batch_id: str) -> None:
    """Run the joint pass over a batch; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(batch_id)
    with structlog.contextvars.bound_contextvars(batch_id=batch_id):
        with context.database.session() as session:
            attempts = session.get_one(UploadBatch, key).together_attempts

        def work() -> None:
            enqueue(context, RESTS, *decide_batch(context, key))
            tell_batches(context, key)

        def fail(error: AppError) -> None:
            fail_batch(context, key, error)

        at_edge(work, attempts, fail)
