"""Job: send the link for a new password that somebody asked for."""

from __future__ import annotations

import uuid

from core.errors import AppError
from core.log import get_logger
from core.models import ResetRequest
from jobs.edge import at_edge
from jobs.process_context import process_context
from services.accounts.letters.send_reset import forget_reset, send_reset

log = get_logger(__name__)


def send_reset_job(request_id: str) -> None:
    """Send it; safe to repeat."""
    context = process_context()
    key = uuid.UUID(request_id)
    with context.database.session() as session:
        found = session.get(ResetRequest, key)
        attempts = 0 if found is None else found.attempts

    def work() -> None:
        send_reset(context, key)

    def fail(error: AppError) -> None:
        log.warning("reset_not_sent", code=error.code)
        forget_reset(context, key)

    at_edge(work, attempts, fail)
