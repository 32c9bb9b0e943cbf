"""History of an entry: events of the audit trail and steps of the supervisor, by time."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import OrchestratorLog, Profile, ReviewDecision, ReviewEvent


@dataclass(frozen=True)
class HistoryEntry:
    """One line of the history."""

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


def history_of(session: Session, submission_id: uuid.UUID) -> list[HistoryEntry]:
    """Return the history of an entry, newest first."""
    entries = _events(session, submission_id) + _steps(session, submission_id)
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


def _events(session: Session, submission_id: uuid.UUID) -> list[HistoryEntry]:
    rows = session.execute(
        select(ReviewEvent, Profile.display_name, Profile.email)
        .outerjoin(Profile, Profile.id == ReviewEvent.actor_id)
        .where(ReviewEvent.submission_id == submission_id)
        .order_by(ReviewEvent.id.desc())
    )
    undone = _undone_at(session, submission_id)
    return [
        HistoryEntry(
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


def _steps(session: Session, submission_id: uuid.UUID) -> list[HistoryEntry]:
    rows = session.execute(
        select(
            OrchestratorLog.timestamp,
            OrchestratorLog.action_taken,
            OrchestratorLog.reason,
            OrchestratorLog.run_id,
            OrchestratorLog.duration_ms,
            OrchestratorLog.model,
            OrchestratorLog.trace_id,
        )
        .where(OrchestratorLog.submission_id == submission_id)
        .order_by(OrchestratorLog.timestamp.desc(), OrchestratorLog.step.desc())
    )
    return [
        HistoryEntry(
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
