"""Mails, queued and sent, and letters that ask for missing values (migration 015)."""

from __future__ import annotations

import uuid
from datetime import date, datetime

from sqlalchemy import ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from core.messages import LabelledEnum
from core.models.base import Base, CreatedAt, JsonObject, Keyed, MayFail, Queued, UuidKey


class NoticeKind(LabelledEnum):
    """What a person may be notified of by mail."""

    OWN_BATCH_DONE = "own_batch_done", "An upload of mine is finished"
    OWN_BATCH_WAITS = "own_batch_waits", "Something in my uploads is waiting for a person"
    ANY_BATCH_WAITS = "any_batch_waits", "Something in anyone's uploads is waiting for a person"


#: The notices of a person who has chosen none.
USUAL_NOTICES = frozenset({NoticeKind.OWN_BATCH_DONE, NoticeKind.OWN_BATCH_WAITS})


class MailKind(LabelledEnum, places=("mail_kind",)):
    OWN_BATCH_DONE = "own_batch_done", "Notice: upload finished"
    OWN_BATCH_WAITS = "own_batch_waits", "Notice: waiting for a person"
    ANY_BATCH_WAITS = "any_batch_waits", "Notice to reviewers: waiting for a person"
    LETTER = "letter", "Letter about what is missing"


class MailState(LabelledEnum, places=("mail_state",)):
    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    FAILED = "failed", "Not sent"
    CANCELLED = "cancelled", "Canceled"


class OutgoingMail(MayFail, Queued, Keyed, Base):
    """One mail to one address."""

    __tablename__ = "mails"

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
    #: Not before this time.
    due_at: Mapped[CreatedAt]
    sent_at: Mapped[datetime | None]


class LetterWay(LabelledEnum):
    MAIL = "mail", "By e-mail"
    PRINT = "print", "Printed"


class AddressedTo(LabelledEnum):
    SCHOOL = "school", "School"
    PARENT = "parent", "Parents"


class LetterState(LabelledEnum, places=("letter_state",)):
    """States of what a letter asks about an entry; computed by `services.letters.state`."""

    ASKED = "asked", "Asked"
    ANSWERED = "answered", "Answered"
    GIVEN_UP = "given_up", "No answer"
    NOT_NEEDED = "not_needed", "No longer needed"


class LetterTexts(Base):
    """The office's own texts for the letters of a season."""

    __tablename__ = "letter_texts"

    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True)
    office: Mapped[str] = mapped_column(server_default=text("''"))
    contact: Mapped[str] = mapped_column(server_default=text("''"))
    #: {language: {subject, body, reminder}}.
    texts: Mapped[JsonObject]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    changed_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    changed_at: Mapped[CreatedAt]


class Letter(Base):
    """One letter, about one or several entries."""

    __tablename__ = "letters"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    way: Mapped[str]
    addressed_to: Mapped[str]
    #: The school's name or the parent's address; "" once a child of the letter was erased, as the text is.
    addressee: Mapped[str]
    subject: Mapped[str]
    body: Mapped[str]
    language: Mapped[str]
    answer_until: Mapped[date]
    asked_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    asked_at: Mapped[CreatedAt]


class LetterItem(Base):
    """What a letter asks about one entry."""

    __tablename__ = "letter_items"
    __table_args__ = (UniqueConstraint("letter_id", "submission_id"),)

    id: Mapped[UuidKey]
    letter_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("letters.id", ondelete="CASCADE"))
    submission_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    fields: Mapped[list[str]]
    #: The last decision by which an answer was entered.
    decision_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("review_decisions.id", ondelete="SET NULL"))
    answered_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    answered_at: Mapped[datetime | None]
    given_up_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("profiles.id"))
    given_up_at: Mapped[datetime | None]
