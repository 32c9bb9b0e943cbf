"""Job: run a supervision of a report."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import ReportSupervision
from jobs.edge import at_edge
from jobs.process_context import process_context
from services.context import Context
from services.supervision.fail_supervision import fail_supervision
from services.supervision.run_supervision import run_supervision


def run_supervision_job(supervision_id: str) -> None:
    """Run the supervision; continues from its checkpoint after a crash or a decision."""
    context: Context = process_context()
    key = uuid.UUID(supervision_id)
    with structlog.contextvars.bound_contextvars(supervision_id=supervision_id):
        with context.database.session() as session:
            attempts = session.get_one(ReportSupervision, key).attempts

        def work() -> None:
            run_supervision(context, key)

        def fail(error: AppError) -> None:
            fail_supervision(context, key, error)

        at_edge(work, attempts, fail)
