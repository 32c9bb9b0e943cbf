"""A person settles or rejects an entry that waits at its interrupt; the row is the outbox of the resume."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import func, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError
from core.models import (
    Escalation,
    EscalationStatus,
    Run,
    Submission,
    SubmissionStatus,
)
from services.apply_decision import apply_values
from services.audit import event
from services.context import Context
from services.enqueue import enqueue_resume
from services.lost_race import lost_race
from services.settle_run import count_outcome


def resolve_escalation(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Literal["settle", "reject"],
    values: Mapping[str, str | None],
    reason: str | None = None,
) -> SubmissionStatus:
    """Settle the entry with the values given, or reject it; then have its run resumed.

    The decision and the record's new state are one transaction; the resume only closes the graph's thread.
    Raises ConflictError when somebody else decided first, and InvalidInputError when the entry is still
    incomplete with these values.
    """
    decision = {"action": action, "values": dict(values), "reason": reason}
    with context.database.session() as session:
        escalation = _win(session, actor_id, escalation_id, version, action, decision)
        submission = session.get_one(Submission, escalation.submission_id, with_for_update=True)
        if action == "settle":
            standing = apply_values(session, context.settings, submission, actor_id, values)
            if standing.missing or standing.status != SubmissionStatus.RESOLVED:
                raise InvalidInputError(f"still missing: {', '.join(standing.missing)}")
            status: SubmissionStatus = standing.status
        else:
            status = SubmissionStatus.REJECTED
            submission.status = status.value
            submission.needs_review = False
            submission.version += 1
            submission.updated_at = utcnow()
        run = session.get_one(Run, escalation.run_id, with_for_update=True)
        count_outcome(session, run, status.value, "decided_by_person", 0)
        kind = "escalation_resolved" if action == "settle" else "rejected"
        session.add(event(submission, kind, actor_id, reason=reason))
    enqueue_resume(context, escalation_id)
    return status


def _win(
    session: Session,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: str,
    decision: dict[str, Any],
) -> Escalation:
    status = EscalationStatus.RESOLVED if action == "settle" else EscalationStatus.REJECTED
    escalation: Escalation | None = session.scalar(
        update(Escalation)
        .where(
            Escalation.id == escalation_id,
            Escalation.status == EscalationStatus.PENDING.value,
            Escalation.version == version,
        )
        .values(
            status=status.value,
            version=Escalation.version + 1,
            decision=decision,
            decided_by=actor_id,
            decided_at=func.now(),
        )
        .returning(Escalation)
    )
    if escalation is None:
        raise lost_race(session, Escalation, Escalation.decided_by, escalation_id, "escalation")
    return escalation
