"""Job: resume a run with the decision of a person."""

from __future__ import annotations

import uuid

import structlog

from jobs.process_context import reading_context
from services.runs.resume_run import resume_run


def resume_run_job(escalation_id: str) -> None:
    """Resume the run; after an error the queue tries again, and after its last retry the reconciler."""
    with structlog.contextvars.bound_contextvars(escalation_id=escalation_id):
        resume_run(reading_context(), uuid.UUID(escalation_id))
