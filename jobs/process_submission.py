"""Job: analyse and split a stored file, and queue a run for each of its entries."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import Upload
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.runs.fail import fail_upload
from services.uploads.analyse_upload import analyse_upload


def process_submission_job(upload_id: str) -> None:
    """Analyse and split the file, and queue one job for each entry; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(upload_id)
    with structlog.contextvars.bound_contextvars(upload_id=upload_id):
        with context.database.session() as session:
            # Gone where it was erased since; the work finds nothing to do then.
            found = session.get(Upload, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            enqueue(context, RUNS, *analyse_upload(context, key))

        def fail(error: AppError) -> None:
            fail_upload(context, key, error)

        at_edge(work, attempts, fail)
