"""Job: read some pages of a long file, and queue a run for each entry that they complete."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import PageRange
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.queue.kinds import JobKind
from services.recovery.kinds import RUNS
from services.recovery.work import enqueue
from services.runs.fail import fail_upload
from services.uploads.read_pages import read_pages


def read_pages_job(range_id: str) -> None:
    """Read the pages; safe to repeat. If they cannot be read, the file fails."""
    context = reading_context()
    key = uuid.UUID(range_id)
    with context.database.session() as session:
        pages = session.get(PageRange, key)
    if pages is None:
        # The file is split, or has failed.
        return
    with structlog.contextvars.bound_contextvars(upload_id=str(pages.upload_id), first_page=pages.first_page):

        def work() -> None:
            enqueue(context, RUNS, *read_pages(context, key))

        def fail(error: AppError) -> None:
            fail_upload(context, pages.upload_id, error)

        at_edge(work, pages.attempts, fail, (JobKind.UPLOAD, str(pages.upload_id)))
