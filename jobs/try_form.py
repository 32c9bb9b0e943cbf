"""Job: read a sample of a form by the marks of its draft."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import FormSample
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.form_studio.read_sample import fail_sample, read_sample


def try_form_job(sample_id: str) -> None:
    """Read it; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(sample_id)
    with structlog.contextvars.bound_contextvars(form_sample_id=sample_id):
        with context.database.session() as session:
            # Gone where it was removed since; the work finds nothing to do then.
            found = session.get(FormSample, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            read_sample(context, key)

        def fail(error: AppError) -> None:
            fail_sample(context, key, error)

        at_edge(work, attempts, fail)
