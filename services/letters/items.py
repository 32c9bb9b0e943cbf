"""What letters ask of entries, and how it stands: by the entry itself, so that an undone answer asks again."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.models import (
    Escalation,
    EscalationStatus,
    Letter,
    LetterItem,
    LetterState,
    OutgoingMail,
    Profile,
    ReviewDecision,
    SetAside,
    Submission,
    SubmissionStatus,
)
from services.accounts.person_name import name_of
from services.context import Context
from services.runs.aside_rows import asks

#: Statuses of an entry that somebody may still answer for.
_OPEN = (
    SubmissionStatus.SUGGESTED,
    SubmissionStatus.ESCALATED,
    SubmissionStatus.QUEUED,
    SubmissionStatus.PROCESSING,
)


@dataclass(frozen=True)
class ItemView:
    """What one letter asks of one entry."""

    id: uuid.UUID
    letter_id: uuid.UUID
    submission_id: uuid.UUID
    #: Of the entry.
    version: int
    student_name: str | None
    school_name: str | None
    grade: str | None
    fields: tuple[str, ...]
    #: Those of them that are missing still, or that a reviewer still asks for.
    remaining: tuple[str, ...]
    state: LetterState
    asked_at: datetime
    asked_by: str | None
    answer_until: date
    way: str
    addressee: str
    #: State of its mail; None for a printed letter, and once the mail is kept no longer.
    mail_state: str | None
    answered_at: datetime | None
    answered_by: str | None
    given_up_at: datetime | None
    given_up_by: str | None
    #: Whether an answer may be entered now.
    answerable: bool
    #: Whether the entry could be settled with an answer to all of it: it is escalated, and lacks nothing else.
    settleable: bool

    @property
    def overdue(self) -> bool:
        """Whether the day has passed by which an answer was asked for."""
        return self.state is LetterState.ASKED and self.answer_until < utcnow().date()


def items_of_submission(context: Context, submission_id: uuid.UUID) -> list[ItemView]:
    """Return what was asked of an entry, the last letter first."""
    with context.database.session() as session:
        return find_items(session, LetterItem.submission_id == submission_id)


def find_items(session: Session, *where: ColumnElement[bool]) -> list[ItemView]:
    """Return items, the last letter's first, then by name."""
    query = _query().where(*where)
    return [_view(row) for row in session.execute(query)]


def _query() -> Select[*tuple[Any, ...]]:
    asker, answerer, quitter = aliased(Profile), aliased(Profile), aliased(Profile)
    pending = (
        select(Escalation.id)
        .where(Escalation.submission_id == Submission.id, Escalation.status == EscalationStatus.PENDING.value)
        .exists()
    )
    return (
        select(
            LetterItem.id,
            LetterItem.letter_id,
            LetterItem.submission_id,
            LetterItem.fields,
            LetterItem.answered_at,
            LetterItem.given_up_at,
            Letter.asked_at,
            Letter.answer_until,
            Letter.way,
            Letter.addressee,
            Submission.version,
            Submission.status,
            Submission.missing_fields,
            SetAside.fields.label("asked_for"),
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            OutgoingMail.state.label("mail_state"),
            name_of(asker).label("asked_by"),
            name_of(answerer).label("answered_by"),
            name_of(quitter).label("given_up_by"),
            ReviewDecision.id.label("decision_id"),
            pending.label("escalated"),
        )
        .join(Letter, Letter.id == LetterItem.letter_id)
        .join(Submission, Submission.id == LetterItem.submission_id)
        .join(asker, asker.id == Letter.asked_by)
        .outerjoin(answerer, answerer.id == LetterItem.answered_by)
        .outerjoin(quitter, quitter.id == LetterItem.given_up_by)
        .outerjoin(SetAside, asks(Submission.id))
        .outerjoin(OutgoingMail, OutgoingMail.letter_id == Letter.id)
        .outerjoin(
            ReviewDecision, (ReviewDecision.id == LetterItem.decision_id) & ReviewDecision.undone_at.is_(None)
        )
        .order_by(Letter.asked_at.desc(), Letter.id, Submission.grade, Submission.student_name, Submission.id)
    )


def _view(row: Row[Any]) -> ItemView:
    values = row._asdict()
    status, missing = SubmissionStatus(values.pop("status")), values.pop("missing_fields")
    lacking = {*missing, *(values.pop("asked_for") or ())}
    answered, escalated = values.pop("decision_id") is not None, values.pop("escalated")
    fields = tuple(values.pop("fields"))
    remaining = tuple(name for name in fields if name in lacking) if status in _OPEN else ()
    waits = status in (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
    if not answered:
        # What was entered was taken back.
        values["answered_at"] = values["answered_by"] = None
    return ItemView(
        **values,
        fields=fields,
        remaining=remaining,
        state=_state(remaining, answered, values["given_up_at"] is not None),
        answerable=bool(remaining) and waits,
        settleable=bool(remaining) and waits and escalated and set(missing) <= set(remaining),
    )


def _state(remaining: tuple[str, ...], answered: bool, given_up: bool) -> LetterState:
    if not remaining:
        return LetterState.ANSWERED if answered else LetterState.NOT_NEEDED
    return LetterState.GIVEN_UP if given_up else LetterState.ASKED
