"""Job: make the file of an export."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import Export
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.exports.make_export import fail_export, make_export


def make_export_job(export_id: str) -> None:
    """Make the file; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(export_id)
    with structlog.contextvars.bound_contextvars(export_id=export_id):
        with context.database.session() as session:
            # Gone where it was removed since; the work finds nothing to do then.
            found = session.get(Export, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            make_export(context, key)

        def fail(error: AppError) -> None:
            fail_export(context, key, error)

        at_edge(work, attempts, fail)
