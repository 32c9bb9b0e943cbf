"""Write down what became of a step."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import SecurityEventKind, SetUpKey, SetUpState, SetUpStep
from services.context import Context
from services.doctor.findings import Finding, Severity
from services.security_events import record_event


def note_step(
    session: Session,
    actor_id: uuid.UUID | None,
    step: SetUpKey,
    state: SetUpState,
    finding: Finding | None = None,
) -> None:
    """Give the step this state, with what its try found, and record the event."""
    values: dict[str, Any] = {
        "state": state.value,
        "result": finding.message if finding else None,
        "seconds": finding.seconds if finding else None,
        "read_text": None,
        "actor_id": actor_id,
        "changed_at": func.now(),
        "attempts": 0,
        "enqueued_at": None,
    }
    session.execute(
        insert(SetUpStep)
        .values(step=step.value, **values)
        .on_conflict_do_update(index_elements=[SetUpStep.step], set_=values)
    )
    record_event(session, SecurityEventKind.SET_UP, actor_id=actor_id, step=step.value, state=state.value)


def note_finding(context: Context, actor_id: uuid.UUID, step: SetUpKey, finding: Finding) -> Finding:
    """Note what a try of the step found: it is done where all is well, else it stays open. Return the finding."""
    with context.database.session() as session:
        note_step(session, actor_id, step, state_after(finding), finding)
    return finding


def state_after(finding: Finding) -> SetUpState:
    """Return the state of a step after its try."""
    return SetUpState.DONE if finding.severity is Severity.FINE else SetUpState.OPEN


def pass_step(context: Context, actor_id: uuid.UUID, step: SetUpKey) -> None:
    """Leave a step out."""
    with context.database.session() as session:
        note_step(session, actor_id, step, SetUpState.PASSED)
