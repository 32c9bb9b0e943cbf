"""Job: read the blank of a draft of a form."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import FormDraft
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.form_studio.read_blank import fail_blank, read_blank


def read_blank_job(key: str) -> None:
    """Read it; safe to repeat."""
    context = reading_context()
    row_id = uuid.UUID(key)
    with structlog.contextvars.bound_contextvars(form_draft_id=key):
        with context.database.session() as session:
            # Gone where it was removed since; the work finds nothing to do then.
            found = session.get(FormDraft, row_id)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            read_blank(context, row_id)

        def fail(error: AppError) -> None:
            fail_blank(context, row_id, error)

        at_edge(work, attempts, fail)
