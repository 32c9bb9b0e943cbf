"""Send the link that somebody asked for; run by a job, safe to repeat."""

from __future__ import annotations

import uuid

from sqlalchemy import delete

from core.errors import AppError, NotFoundError
from core.log import get_logger
from core.models import Profile, ResetRequest
from services.accounts.letters.hand_over import hand_over_reset
from services.context import Context
from services.recovery.kinds import RESETS
from services.recovery.work import keeping, take

log = get_logger(__name__)


def send_reset(context: Context, request_id: uuid.UUID) -> bool:
    """Make the link, send it and forget who asked; return False if there was nothing to do.

    Raises LeaseLostError, and MailError: each attempt makes a link of its own, and the one before stops working.
    """
    lease = take(context, RESETS, request_id)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            row = lease.hold(session)
            profile = session.get(Profile, row.profile_id) if row.profile_id else None
            language, email = row.language, profile.email if profile else ""
        if email:
            _send(context, email, language)
        forget_reset(context, request_id)
    return True


def _send(context: Context, email: str, language: str) -> None:
    try:
        handed = hand_over_reset(context, email, None, language=language)
    except NotFoundError:
        return  # The account was closed meanwhile.
    if handed.error is not None:
        raise handed.error


def fail_reset(context: Context, request_id: uuid.UUID, error: AppError) -> None:
    """Forget who asked, since the link cannot be sent; the log says why."""
    log.warning("reset_not_sent", code=error.code)
    forget_reset(context, request_id)


def forget_reset(context: Context, request_id: uuid.UUID) -> None:
    """Forget who asked."""
    with context.database.session() as session:
        session.execute(delete(ResetRequest).where(ResetRequest.id == request_id))
