"""Entries that were set aside: what is missing is asked for, or they are parked until a time or an answer.

Proposals and escalations of such an entry stay pending; only the desk's queue leaves it out.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.messages import Message
from core.models import AsideEnd, AsideKind, Profile, SetAside, Submission, SubmissionStatus
from pipeline.profiles import derived_fields, fields_of_form
from services.accounts.person import name_of
from services.audit import checked_note, event
from services.messages.entries import Conflict, EventReason, Refused
from services.runs.inputs import end_aside

#: Time without an answer, or a decision, after which an entry is back in the queue.
USUAL_TIME = {AsideKind.ASKED: timedelta(days=21), AsideKind.PARKED: timedelta(days=7)}
LONGEST = timedelta(days=366)
_WAITING = (SubmissionStatus.SUGGESTED, SubmissionStatus.ESCALATED)
_TOLD = {AsideKind.ASKED: EventReason.ASKED_FOR, AsideKind.PARKED: EventReason.PARKED_UNTIL}


@dataclass(frozen=True)
class AsideView:
    """What an entry is set aside for, or was until its time passed."""

    kind: AsideKind
    #: What is asked for, in the order of the form.
    fields: tuple[str, ...]
    note: str | None
    until: datetime
    #: Name of who set it aside.
    by: str | None
    since: datetime
    #: Whether its time has passed without an answer: the entry is in the queue again.
    returned: bool


def set_aside(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    kind: AsideKind,
    *,
    fields: Sequence[str] = (),
    note: str | None = None,
    until: datetime | None = None,
) -> None:
    """Set a waiting entry, which the caller has locked, aside; this replaces what it was set aside for before.

    `fields`: what is asked for; needed for ASKED, empty for PARKED. Without `until` it comes back after
    `USUAL_TIME`. Raises ConflictError for an entry that does not wait, and InvalidInputError for a field that its
    form does not have, nothing to ask for, a note that is too long, or a time that has passed or is too far away.
    """
    if submission.status not in _WAITING:
        raise ConflictError(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
    asked = _asked(submission, fields) if kind is AsideKind.ASKED else []
    note = checked_note(note)
    now = utcnow()
    until = until or now + USUAL_TIME[kind]
    if not now < until <= now + LONGEST:
        raise InvalidInputError(Refused.ASIDE_UNTIL)
    end_aside(session, submission.id, AsideEnd.REPLACED)
    session.add(
        SetAside(
            submission_id=submission.id,
            season_id=submission.season_id,
            kind=kind.value,
            fields=asked,
            note=note,
            until=until,
            created_by=actor_id,
        )
    )
    message = Message.of(_TOLD[kind], date=until.date().isoformat(), **({"fields": asked} if asked else {}))
    session.add(event(submission, kind.value, actor_id, reason=note, message=message))
    session.flush()


def _asked(submission: Submission, fields: Sequence[str]) -> list[str]:
    """Return the fields in the order of the form. Raises InvalidInputError."""
    order = [
        name
        for name in fields_of_form(submission.profile, submission.profile_version)
        if name not in derived_fields()
    ]
    if unknown := sorted(set(fields) - set(order)):
        raise InvalidInputError(Refused.NO_SUCH_FIELD, names=unknown)
    if not fields:
        raise InvalidInputError(Refused.NOTHING_ASKED_FOR)
    return [name for name in order if name in fields]


def put_back(session: Session, submission: Submission, actor_id: uuid.UUID) -> None:
    """Put an entry that was set aside back in the queue at a person's request; ignore any other entry."""
    if end_aside(session, submission.id, AsideEnd.TAKEN_BACK) is not None:
        session.add(event(submission, "put_back", actor_id))


def is_aside(
    submission_id: InstrumentedAttribute[uuid.UUID] | ColumnElement[uuid.UUID], kind: AsideKind | None = None
) -> ColumnElement[bool]:
    """Return the condition that the entry of this id is set aside now: not ended, and its time has not passed.

    `kind`: only if it is set aside in this way.
    """
    return standing_asides(kind).where(SetAside.submission_id == submission_id).exists()


def standing_asides(kind: AsideKind | None = None) -> Select[Any]:
    """Return the query of rows that set an entry aside now, in this way if a `kind` is given."""
    found = select(SetAside.id).where(SetAside.ended_at.is_(None), SetAside.until > func.now())
    return found if kind is None else found.where(SetAside.kind == kind.value)


def aside_of(session: Session, submission_id: uuid.UUID) -> AsideView | None:
    """Return what the entry is set aside for, even if its time has passed; None if that has ended."""
    query = with_aside(select(Submission.id).where(Submission.id == submission_id), Submission.id)
    row = session.execute(query).one_or_none()
    return None if row is None else aside_in(row)


def with_aside(query: Select[Any], submission_id: Any) -> Select[Any]:
    """Add to a query what `aside_in` reads from its rows: what the entry of this id is set aside for."""
    setter = aliased(Profile)
    return (
        query.outerjoin(SetAside, and_(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None)))
        .outerjoin(setter, setter.id == SetAside.created_by)
        .add_columns(
            SetAside.kind.label("aside_kind"),
            SetAside.fields.label("aside_fields"),
            SetAside.note.label("aside_note"),
            SetAside.until.label("aside_until"),
            SetAside.created_at.label("aside_since"),
            (SetAside.until <= func.now()).label("aside_returned"),
            name_of(setter).label("aside_by"),
        )
    )


def aside_in(row: Any) -> AsideView | None:
    """Return what the entry of a row of `with_aside` is set aside for, even if its time has passed."""
    if row.aside_kind is None:
        return None
    return AsideView(
        AsideKind(row.aside_kind),
        tuple(row.aside_fields),
        row.aside_note,
        row.aside_until,
        row.aside_by,
        row.aside_since,
        row.aside_returned,
    )
