"""Mails that wait to be sent, and were (migrations 050, 059)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, MayFail, UuidKey


class NoticeKind(LabelledEnum):
    """What a person may hear of by mail."""

    OWN_BATCH_DONE = "own_batch_done", "Everything that I handed in at one time is done"
    OWN_BATCH_WAITS = "own_batch_waits", "Something that I handed in waits for people"
    ANY_BATCH_WAITS = "any_batch_waits", "Something that anybody handed in waits for people"


#: What a person hears of who has chosen nothing.
USUAL_NOTICES = frozenset({NoticeKind.OWN_BATCH_DONE, NoticeKind.OWN_BATCH_WAITS})


class MailKind(LabelledEnum, places=("mail_kind",)):
    """What a mail is."""

    OWN_BATCH_DONE = "own_batch_done", "Notice: done"
    OWN_BATCH_WAITS = "own_batch_waits", "Notice: waits for people"
    ANY_BATCH_WAITS = "any_batch_waits", "Notice to reviewers: waits for people"
    LETTER = "letter", "Letter about what is missing"


class MailState(LabelledEnum, places=("mail_state",)):
    """States of a mail."""

    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    FAILED = "failed", "Not sent"
    CANCELLED = "cancelled", "Cancelled"


class OutgoingMail(MayFail, Base):
    """One mail to one address."""

    __tablename__ = "mails"

    id: Mapped[UuidKey]
    kind: Mapped[str]
    #: Whom a notice is for; None for a letter.
    person_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id", ondelete="CASCADE"))
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    batch_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("upload_batches.id", ondelete="CASCADE"))
    letter_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("letters.id", ondelete="CASCADE"))
    recipient: Mapped[str]
    subject: Mapped[str]
    body: Mapped[str]
    language: Mapped[str]
    state: Mapped[str] = mapped_column(server_default=text("'waiting'"))
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    #: Not before this time.
    due_at: Mapped[CreatedAt]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    sent_at: Mapped[datetime | None]
