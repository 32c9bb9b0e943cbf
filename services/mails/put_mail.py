"""Put a mail among those that wait."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import MailKind, OutgoingMail


@dataclass(frozen=True)
class WrittenMail:
    """What is sent, to whom, and what it is about."""

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

    Returns None for a notice of which the person has heard already.
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
