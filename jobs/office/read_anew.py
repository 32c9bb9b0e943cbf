"""Job: read an entry anew to compare, take what was read, or take it back."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import RereadItem
from jobs.edge import at_edge
from jobs.process_context import reading_context
from services.rereads.work_item import fail_item, work_item


def read_anew_job(item_id: str) -> None:
    """Do what is due; safe to repeat."""
    context = reading_context()
    key = uuid.UUID(item_id)
    with structlog.contextvars.bound_contextvars(item_id=item_id):
        with context.database.session() as session:
            # Gone where its entry was erased since; the work finds nothing to do then.
            found = session.get(RereadItem, key)
            attempts = 0 if found is None else found.attempts

        def work() -> None:
            work_item(context, key)

        def fail(error: AppError) -> None:
            fail_item(context, key, error)

        at_edge(work, attempts, fail)
