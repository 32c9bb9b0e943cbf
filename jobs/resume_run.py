"""Job: a run that waited for a person goes on with the decision."""

from __future__ import annotations

import uuid

import structlog

from jobs.process_context import process_context
from services.runs.resume_run import resume_run


def resume_run_job(escalation_id: str) -> None:
    """Resume the run; an error goes to the queue's retries, and after these to the reconciler."""
    with structlog.contextvars.bound_contextvars(escalation_id=escalation_id):
        resume_run(process_context(), uuid.UUID(escalation_id))
