"""Job: prepare, apply or undo a change of many entries."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import BulkChange
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.bulk_changes.run_change import fail_change, run_change


def change_many_job(bulk_id: str) -> None:
    """Do what is due; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(bulk_id)
    with structlog.contextvars.bound_contextvars(bulk_id=bulk_id):
        with context.database.session() as session:
            found = session.get(BulkChange, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            run_change(context, key)

        def fail(error: AppError) -> None:
            fail_change(context, key, error)

        at_edge(work, attempts, fail)
