"""Job: read the sample of the set-up."""

from __future__ import annotations

from core.errors import AppError
from core.models import SetUpStep
from jobs.edge import at_edge
from jobs.process_context import process_context
from services.set_up.read_sample import fail_sample, read_sample


def read_sample_job(step: str) -> None:
    """Read the sample; safe to repeat."""
    context = process_context()
    with context.database.session() as session:
        found = session.get(SetUpStep, step)
        attempts = 0 if found is None else found.attempts

    def work() -> None:
        read_sample(context, step)

    def fail(error: AppError) -> None:
        fail_sample(context, step, error)

    at_edge(work, attempts, fail)
