"""Mails that wait to be sent."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import ConflictError, MailError, NotFailedError
from core.lease import Lease
from core.mail import Mail, in_ascii, send_mail
from core.messages import Message
from core.models import MailKind, MailState, OutgoingMail
from core.models.base import columns_of, error_columns
from core.models.leases import MAIL_LEASES
from core.queue import forget_jobs
from core.tracing.log import get_logger
from services.context import Context
from services.keyset import RowPage, fetch_page
from services.messages.entries import Conflict
from services.recovery.kinds import MAIL_WAITS, MAILS
from services.recovery.work import keeping, take_lease, update_and_queue

#: Days for which mails are kept after they were sent, given up or cancelled.
KEPT_DAYS = 30
_ENDED = (MailState.FAILED.value, MailState.CANCELLED.value)


def retry_mail(context: Context, mail_id: uuid.UUID) -> None:
    """Queue a mail that was given up or cancelled. Raises NotFailedError for any other."""
    ended = (OutgoingMail.id == mail_id, OutgoingMail.state.in_(_ENDED))
    again = {"state": MailState.WAITING.value, "due_at": func.now(), **error_columns(None)}
    if not update_and_queue(context, MAILS, ended, again):
        raise NotFailedError


def cancel_mail(context: Context, mail_id: uuid.UUID) -> None:
    """Cancel a mail that waits. Raises ConflictError if it is being sent or no longer waits."""
    cancelled = context.database.scalar(
        update(OutgoingMail)
        .where(OutgoingMail.id == mail_id, OutgoingMail.state == MailState.WAITING.value, MAIL_LEASES.expired())
        .values(state=MailState.CANCELLED.value)
        .returning(OutgoingMail.id)
    )
    if cancelled is None:
        raise ConflictError(Conflict.MAIL_GONE)
    forget_jobs(context.redis, [MAILS.job_id(mail_id)])


def purge_mails(context: Context) -> int:
    """Remove mails that do not wait and are older than KEPT_DAYS; return their number."""
    old = OutgoingMail.created_at < func.now() - func.make_interval(0, 0, 0, KEPT_DAYS)
    with context.database.session() as session:
        gone = session.scalars(
            delete(OutgoingMail)
            .where(OutgoingMail.state != MailState.WAITING.value, old)
            .returning(OutgoingMail.id)
        )
        return len(gone.all())


PAGE_SIZE = 50


@dataclass(frozen=True)
class MailView:
    """One mail, without its text."""

    id: uuid.UUID
    kind: str
    recipient: str
    subject: str
    language: str
    state: str
    error: Message | None
    attempts: int
    due_at: datetime
    created_at: datetime
    sent_at: datetime | None


def list_mails(context: Context, state: MailState | None = None, cursor: str | None = None) -> RowPage[MailView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    query = select(*columns_of(OutgoingMail, MailView), OutgoingMail.error_code, OutgoingMail.error_params)
    if state is not None:
        query = query.where(OutgoingMail.state == state.value)
    with context.database.reading() as session:
        rows, after, before = fetch_page(
            session, query, OutgoingMail.created_at, OutgoingMail.id, cursor, PAGE_SIZE
        )
    return RowPage([_view(row) for row in rows], after, before)


def count_mails(context: Context) -> dict[MailState, int]:
    """Return how many mails there are in each state."""
    with context.database.reading() as session:
        found = session.execute(select(OutgoingMail.state, func.count()).group_by(OutgoingMail.state)).all()
    numbers = {row[0]: row[1] for row in found}
    return {state: numbers.get(state.value, 0) for state in MailState}


def _view(row: Row[Any]) -> MailView:
    values = row._asdict()
    code, params = values.pop("error_code"), values.pop("error_params")
    return MailView(**values, error=Message(code, params) if code else None)


@dataclass(frozen=True)
class WrittenMail:
    """A mail to send, its recipient, and what it is about."""

    kind: MailKind
    season_id: uuid.UUID
    recipient: str
    subject: str
    body: str
    #: "en" or "es".
    language: str
    person_id: uuid.UUID | None = None
    batch_id: uuid.UUID | None = None
    letter_id: uuid.UUID | None = None


def put_mail(session: Session, mail: WrittenMail) -> uuid.UUID | None:
    """Add a mail in the caller's transaction and return its id, to be queued once that is committed.

    Returns None for a notice that the person was sent before.
    """
    values = {
        "id": uuid.uuid4(),
        "kind": mail.kind.value,
        "season_id": mail.season_id,
        "recipient": mail.recipient,
        "subject": mail.subject,
        "body": mail.body,
        "language": mail.language,
        "person_id": mail.person_id,
        "batch_id": mail.batch_id,
        "letter_id": mail.letter_id,
    }
    row = (
        insert(OutgoingMail)
        .values(values)
        .on_conflict_do_nothing(index_elements=["batch_id", "kind", "person_id"])
    )
    return session.scalar(row.returning(OutgoingMail.id))


log = get_logger(__name__)


def send_waiting(context: Context, mail_id: uuid.UUID) -> bool:
    """Send the mail and return whether it was sent; one that failed for now waits for its next attempt.

    Only the holder of its lease sends a mail. If the process or the database fails after the server took the mail
    and before that is committed, it is sent again, under the same Message-ID.
    """
    lease = take_lease(context, MAILS, mail_id)
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
