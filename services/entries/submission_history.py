"""History of an entry: events of the audit trail and steps of the supervisor, by time."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.messages import Message
from core.models import OrchestratorLog, Profile, ReviewDecision, ReviewEvent
from services.keyset import Cursor, Page, cut_page

PAGE_SIZE = 100
#: The highest number that PostgreSQL gives an event.
_LAST_NUMBER = 2**63 - 1


@dataclass(frozen=True)
class HistoryEntry:
    """One line of the history."""

    #: Of this line among those of the entry.
    id: uuid.UUID
    at: datetime
    #: An event's kind, or the action of a step.
    kind: str
    #: Whether this is a step of the supervisor, not an event of the audit trail.
    is_step: bool
    #: Name of the person; None for the machine.
    actor: str | None = None
    field_name: str | None = None
    before: str | None = None
    after: str | None = None
    #: What a person wrote.
    reason: str | None = None
    #: What the machine says.
    message: Message | None = None
    run_no: int | None = None
    duration_ms: int | None = None
    model: str | None = None
    #: Id of the LangSmith trace of the step's run.
    trace_id: str | None = None
    #: Whether the decision that it belongs to was undone.
    undone: bool = False


def history_of(
    session: Session, submission_id: uuid.UUID, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[HistoryEntry]:
    """Return one page of the history of an entry, newest first. Raises InvalidInputError for a bad cursor."""
    place = Cursor.decode(cursor) if cursor else None
    backwards = place is not None and place.backwards
    found = _events(session, submission_id, place, limit + 1) + _steps(session, submission_id, place, limit + 1)
    found.sort(key=lambda entry: (entry.at, entry.id), reverse=not backwards)
    rows, after, before = cut_page(found[: limit + 1], "at", place, limit)
    return Page(list(rows), after, before)


def _near(
    query: Select[*tuple[Any, ...]],
    place: Cursor | None,
    at: InstrumentedAttribute[datetime],
    key: InstrumentedAttribute[Any],
    key_of_place: int | uuid.UUID,
) -> Select[*tuple[Any, ...]]:
    """Return the rows of one table next to a place of the history, nearest first."""
    here = tuple_(at, key)
    if place is None:
        return query.order_by(at.desc(), key.desc())
    there = tuple_(place.sorted_by, key_of_place)
    if place.backwards:
        return query.where(here > there).order_by(at, key)
    return query.where(here < there).order_by(at.desc(), key.desc())


def _events(session: Session, submission_id: uuid.UUID, place: Cursor | None, most: int) -> list[HistoryEntry]:
    query = (
        select(ReviewEvent, Profile.display_name, Profile.email)
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == submission_id)
    )
    # An event's number is the lowest part of an id, so that at one moment all events come before all steps.
    number = min(place.id.int, _LAST_NUMBER) if place else 0
    rows = session.execute(_near(query, place, ReviewEvent.created_at, ReviewEvent.id, number).limit(most))
    undone = _undone_at(session, submission_id)
    return [
        HistoryEntry(
            id=uuid.UUID(int=event.id),
            at=event.created_at,
            kind=event.kind,
            is_step=False,
            actor=display_name or email,
            field_name=event.field_name,
            before=event.before_value,
            after=event.after_value,
            reason=event.reason,
            message=event.message,
            run_no=event.run_no,
            undone=event.created_at in undone,
        )
        for event, display_name, email in rows
    ]


def _undone_at(session: Session, submission_id: uuid.UUID) -> set[datetime]:
    """Return the times of undone decisions. Events share them: all rows of a transaction have the same time."""
    return set(
        session.scalars(
            select(ReviewDecision.created_at).where(
                ReviewDecision.submission_id == submission_id, ReviewDecision.undone_at.is_not(None)
            )
        )
    )


def _steps(session: Session, submission_id: uuid.UUID, place: Cursor | None, most: int) -> list[HistoryEntry]:
    query = select(
        OrchestratorLog.id,
        OrchestratorLog.timestamp,
        OrchestratorLog.action_taken,
        OrchestratorLog.reason,
        OrchestratorLog.run_id,
        OrchestratorLog.duration_ms,
        OrchestratorLog.model,
        OrchestratorLog.trace_id,
    ).where(OrchestratorLog.submission_id == submission_id)
    key = place.id if place else submission_id
    rows = session.execute(_near(query, place, OrchestratorLog.timestamp, OrchestratorLog.id, key).limit(most))
    return [
        HistoryEntry(
            id=row.id,
            at=row.timestamp,
            kind=row.action_taken,
            is_step=True,
            message=row.reason,
            run_no=int(row.run_id.rpartition(":")[2]),
            duration_ms=row.duration_ms,
            model=row.model,
            trace_id=row.trace_id,
        )
        for row in rows
    ]
