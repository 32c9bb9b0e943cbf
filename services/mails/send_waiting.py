"""Send one mail that waits; run by a job, safe to repeat."""

from __future__ import annotations

import uuid
from email.utils import parseaddr

from sqlalchemy import func, update

from core.errors import AppError, MailError
from core.lease import Lease
from core.log import get_logger
from core.mail.mail import Mail, in_ascii
from core.mail.send import send_mail
from core.models import MailState, OutgoingMail
from core.models.base import error_columns
from core.models.leases import MAIL_LEASES
from services.context import Context
from services.recovery.kinds import MAIL_WAITS, MAILS
from services.recovery.work import keeping, take

log = get_logger(__name__)


def send_waiting(context: Context, mail_id: uuid.UUID) -> bool:
    """Send the mail and return whether it was sent; one that failed for now waits for its next attempt.

    A mail is sent by the holder of its lease alone. If the process dies, or the database breaks off, after the
    server took the mail and before that is committed, it is sent again, under the same Message-ID.
    """
    lease = take(context, MAILS, mail_id)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            row = lease.hold(session)
            attempts, values = row.attempts, (row.recipient, row.subject, row.body)
        try:
            send_mail(context.settings, _mail(context, mail_id, *values))
        except MailError as error:
            log.warning("mail_not_sent", code=error.code, detail=error.detail, attempts=attempts)
            _not_sent(context, lease, attempts, error)
            return False
        with context.database.session() as session:
            row = lease.hold(session)
            row.state, row.sent_at, row.error = MailState.SENT.value, session.scalar(func.now()), None
    return True


def _mail(context: Context, mail_id: uuid.UUID, recipient: str, subject: str, body: str) -> Mail:
    """Raises MailInvalidError."""
    domain = in_ascii(parseaddr(context.settings.mail_from or "")[1]).rpartition("@")[2]
    return Mail(recipient, subject, body, message_id=f"{mail_id}@{domain or 'localhost'}")


def _not_sent(context: Context, lease: Lease[OutgoingMail], attempts: int, error: MailError) -> None:
    with context.database.session() as session:
        row = lease.hold(session)
        row.error = error.told
        if not error.retryable or attempts >= MAILS.most_attempts:
            row.state = MailState.FAILED.value
        else:
            row.due_at, row.enqueued_at = func.now() + MAIL_WAITS[attempts - 1], None


def fail_mail(context: Context, mail_id: uuid.UUID, error: AppError) -> None:
    """Mark a mail that nobody is sending as failed, with the code of the error."""
    with context.database.session() as session:
        session.execute(
            update(OutgoingMail)
            .where(OutgoingMail.id == mail_id, MAILS.due, MAIL_LEASES.expired())
            .values(state=MailState.FAILED.value, **error_columns(error.told))
        )
