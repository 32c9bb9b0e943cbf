"""A person decides on an escalated entry. The escalation's row is the outbox of the run's resume."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.models import (
    AsideEnd,
    DecisionKind,
    Escalation,
    EscalationStatus,
    Run,
    Submission,
    SubmissionStatus,
)
from core.models.leases import ESCALATION_HOLDS
from pipeline.messages import RunReason
from services.audit import event
from services.context import Context
from services.entries.apply_decision import apply_values, cleaned_values, tell_edits
from services.entries.decided_rows import counted_as, keep_decision, lock_entry, lock_run
from services.entries.effort import Effort
from services.entries.lost_race import lost_race
from services.entries.snapshot import snapshot
from services.messages.refused import Refused
from services.policy.waivers import Waiver, waiver_of
from services.recovery.kinds import RESUMES, RUNS
from services.recovery.work import enqueue
from services.review.held_seconds import held_seconds
from services.review.read_again import options_of, read_again
from services.runs.aside_rows import end_aside

Action = Literal["settle", "reject", "read_again", "ask_model"]


def resolve_escalation(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Action,
    values: Mapping[str, str | None],
    reason: str | None = None,
    options: Mapping[str, Any] | None = None,
    waived: Collection[str] = (),
) -> SubmissionStatus:
    """Settle the entry with the given values, reject it, or have it read again, with or without the model.

    The decision and the record's new state are written in one transaction. The job queued after it closes the
    graph's thread, or is the next run. `options` are for reading again: `ocr_provider`, `profile`. `waived` is for
    settling: what the person accepts as it is, for the `reason` (`services.policy.waivers`).

    Returns the entry's new status. Raises NotFoundError, ConflictError if another person decided first or holds it
    (HeldError), InvalidInputError if the entry is incomplete with these values, an option is not available, or a
    waiver has no reason or is of what cannot be waived, and ForbiddenError for a person who may not waive it.
    """
    if action in ("read_again", "ask_model"):
        following = _read_again(context, actor_id, escalation_id, version, action, reason, options)
        enqueue(context, RUNS, following)
        status = SubmissionStatus.QUEUED
    else:
        waiver = waiver_of(actor_id, waived if action == "settle" else (), reason)
        status = _decide(context, actor_id, escalation_id, version, action, cleaned_values(values), reason, waiver)
        enqueue(context, RESUMES, escalation_id)
    return status


def _decide(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Action,
    values: Mapping[str, str | None],
    reason: str | None,
    waiver: Waiver | None,
) -> SubmissionStatus:
    settles = action == "settle"
    with context.database.session() as session:
        submission, run = _locked(session, escalation_id)
        before = snapshot(session, submission, run, list(values) if settles else ())
        decision = {"action": action, "values": dict(values), "reason": reason}
        status = EscalationStatus.RESOLVED if settles else EscalationStatus.REJECTED
        seconds = held_seconds(session, "escalation", escalation_id, actor_id)
        _win(
            session,
            actor_id,
            escalation_id,
            version,
            status=status.value,
            decision=decision,
            decided_at=func.now(),
        )
        edits = 0
        if settles:
            edits = _settle(context, session, submission, actor_id, values, reason, waiver)
        else:
            _reject(session, submission, actor_id, reason)
        run.outcome = submission.status
        before["counted"] = counted_as(submission.status, RunReason.DECIDED_BY_PERSON)
        keep_decision(
            session,
            submission,
            actor_id,
            DecisionKind.ESCALATION,
            before,
            item_id=escalation_id,
            effort=Effort(edits, seconds),
            measured=context.settings.measure_review_effort,
        )
        return SubmissionStatus(submission.status)


def _read_again(
    context: Context,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Literal["read_again", "ask_model"],
    reason: str | None,
    options: Mapping[str, Any] | None,
) -> str:
    wanted = options_of(context.settings, action, options)
    with context.database.session() as session:
        submission, run = _locked(session, escalation_id)
        _win(session, actor_id, escalation_id, version, status=EscalationStatus.SUPERSEDED.value)
        if action == "ask_model" and not submission.missing_fields:
            raise InvalidInputError(Refused.NOTHING_TO_ASK)
        following = read_again(session, submission, run, actor_id, wanted, reason)
        session.flush()
        return following.run_id


def _locked(session: Session, escalation_id: uuid.UUID) -> tuple[Submission, Run]:
    row = session.execute(
        select(Escalation.submission_id, Escalation.run_id).where(Escalation.id == escalation_id)
    ).first()
    if row is None:
        raise NotFoundError("no such escalation")
    return lock_entry(session, row.submission_id), lock_run(session, row.run_id)


def _win(session: Session, actor_id: uuid.UUID, escalation_id: uuid.UUID, version: int, **values: Any) -> None:
    """Update the escalation if it is pending at this version and not held by another person, else raise."""
    won = session.scalar(
        update(Escalation)
        .where(
            Escalation.id == escalation_id,
            Escalation.status == EscalationStatus.PENDING.value,
            Escalation.version == version,
            ESCALATION_HOLDS.free_for(actor_id),
        )
        .values(version=Escalation.version + 1, decided_by=actor_id, **ESCALATION_HOLDS.ended, **values)
        .returning(Escalation.id)
    )
    if won is None:
        raise lost_race(session, Escalation, escalation_id, actor_id)


def _settle(
    context: Context,
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    values: Mapping[str, str | None],
    reason: str | None,
    waiver: Waiver | None,
) -> int:
    """Apply the values, tell of them, and return how many changed. Raises InvalidInputError."""
    standing = apply_values(session, context.settings, submission, values, waiver=waiver, actor_id=actor_id)
    if standing.status != SubmissionStatus.RESOLVED and not standing.missing:
        raise InvalidInputError(Refused.SENT_BEFORE)
    if standing.status != SubmissionStatus.RESOLVED:
        raise InvalidInputError(Refused.STILL_MISSING, fields=standing.missing)
    end_aside(session, submission.id, AsideEnd.SETTLED)
    tell_edits(session, submission, actor_id, standing, reason)
    session.add(event(submission, "escalation_resolved", actor_id, reason=reason))
    return len(standing.changed)


def _reject(session: Session, submission: Submission, actor_id: uuid.UUID, reason: str | None) -> None:
    end_aside(session, submission.id, AsideEnd.REJECTED)
    submission.status = SubmissionStatus.REJECTED.value
    submission.needs_review = False
    submission.version += 1
    submission.updated_at = utcnow()
    session.add(event(submission, "rejected", actor_id, reason=reason))
