"""Job: send one mail."""

from __future__ import annotations

import uuid

import structlog

from core.errors import AppError
from core.models import OutgoingMail
from jobs.edge import MAX_ATTEMPTS, at_edge
from jobs.process_context import process_context
from services.mails.send_waiting import MOST_ATTEMPTS, fail_mail, send_waiting


def send_mail_job(mail_id: str) -> None:
    """Send the mail; safe to repeat."""
    context = process_context()
    key = uuid.UUID(mail_id)
    with structlog.contextvars.bound_contextvars(mail_id=mail_id):
        with context.database.session() as session:
            # Gone where what it is about was erased; the work finds nothing to do then.
            found = session.get(OutgoingMail, key)
            # A mail has more attempts than other work, over a longer time.
            given_up = found is not None and found.attempts >= MOST_ATTEMPTS

        def work() -> None:
            send_waiting(context, key)

        def fail(error: AppError) -> None:
            fail_mail(context, key, error)

        at_edge(work, MAX_ATTEMPTS if given_up else 0, fail)
