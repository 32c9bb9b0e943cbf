"""Try a mail again that was not sent, or cancel one that waits."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, func, update

from core.errors import ConflictError, NotFailedError
from core.models import MailState, OutgoingMail
from core.models.base import error_columns
from core.models.leases import MAIL_LEASES
from core.queue import forget_jobs
from services.context import Context
from services.messages.conflict import Conflict
from services.recovery.kinds import MAILS
from services.recovery.work import enqueue

#: Days that mails are kept which were sent, given up or cancelled.
KEPT_DAYS = 30
_ENDED = (MailState.FAILED.value, MailState.CANCELLED.value)


def retry_mail(context: Context, mail_id: uuid.UUID) -> None:
    """Have a mail sent that was given up or cancelled. Raises NotFailedError for any other."""
    with context.database.session() as session:
        again = session.scalar(
            update(OutgoingMail)
            .where(OutgoingMail.id == mail_id, OutgoingMail.state.in_(_ENDED))
            .values(
                state=MailState.WAITING.value,
                attempts=0,
                due_at=func.now(),
                enqueued_at=None,
                **error_columns(None),
            )
            .returning(OutgoingMail.id)
        )
    if again is None:
        raise NotFailedError
    enqueue(context, MAILS, mail_id)


def cancel_mail(context: Context, mail_id: uuid.UUID) -> None:
    """Take back a mail that waits. Raises ConflictError if it is being sent, or does not wait any more."""
    with context.database.session() as session:
        cancelled = session.scalar(
            update(OutgoingMail)
            .where(
                OutgoingMail.id == mail_id,
                OutgoingMail.state == MailState.WAITING.value,
                MAIL_LEASES.expired(),
            )
            .values(state=MailState.CANCELLED.value)
            .returning(OutgoingMail.id)
        )
    if cancelled is None:
        raise ConflictError(Conflict.MAIL_GONE)
    forget_jobs(context.redis, [MAILS.job_id(mail_id)])


def purge_mails(context: Context) -> int:
    """Remove mails that do not wait and are older than KEPT_DAYS; return how many there were."""
    old = OutgoingMail.created_at < func.now() - func.make_interval(0, 0, 0, KEPT_DAYS)
    with context.database.session() as session:
        gone = session.scalars(
            delete(OutgoingMail)
            .where(OutgoingMail.state != MailState.WAITING.value, old)
            .returning(OutgoingMail.id)
        )
        return len(gone.all())
