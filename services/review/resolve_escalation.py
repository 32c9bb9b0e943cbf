"""A person decides on an escalated entry. The escalation's row is the outbox of the run's resume."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any, Literal

from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError
from core.models import AsideEnd, DecisionKind, Escalation, EscalationStatus, Submission, SubmissionStatus
from pipeline.messages import RunReason
from services.audit import event
from services.context import Context
from services.entries.apply_decision import apply_values, cleaned_values, tell_edits
from services.entries.decided_rows import counted_as, keep_decision
from services.entries.effort import Effort
from services.entries.snapshot import snapshot
from services.messages.refused import Refused
from services.policy.waivers import Waiver, waiver_of
from services.recovery.kinds import RESUMES, RUNS
from services.recovery.work import enqueue
from services.review.desk_decisions import ask_for, locked, refuse_open, reject_submission, win_pending
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
    *,
    asked: Collection[str] = (),
    waived: Collection[str] = (),
) -> SubmissionStatus:
    """Settle the entry with the given values, reject it, or have it read again, with or without the model.

    The decision and the record's new state are written in one transaction. The job queued after it closes the
    graph's thread, or is the next run. `options` are for reading again: `ocr_provider`, `profile`.
    For `settle`: where only fields in `asked` are still missing, the values are kept, the entry is set aside until
    these come, and it stays escalated. `waived`: fields that are accepted as they are, which needs a reason.

    Returns the entry's new status. Raises NotFoundError, ConflictError if another person decided first or holds it
    (HeldError), and InvalidInputError if the entry is incomplete with these values or an option is not available;
    ForbiddenError for a person who may accept nothing as it is.
    """
    if action in ("read_again", "ask_model"):
        following = _read_again(context, actor_id, escalation_id, version, action, reason, options)
        enqueue(context, RUNS, following)
        status = SubmissionStatus.QUEUED
    else:
        status = _decide(
            context, actor_id, escalation_id, version, action, cleaned_values(values), reason, asked, waived
        )
        if status != SubmissionStatus.ESCALATED:
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
    asked: Collection[str],
    waived: Collection[str],
) -> SubmissionStatus:
    settles = action == "settle"
    with context.database.session() as session:
        submission, run = locked(session, "escalation", escalation_id)
        before = snapshot(session, submission, run, list(values) if settles else ())
        seconds = held_seconds(session, "escalation", escalation_id, actor_id)
        escalation: Escalation = win_pending(session, "escalation", escalation_id, version, actor_id)
        edits = 0
        if settles:
            waiver = waiver_of(actor_id, waived, reason)
            edits = _settle(context, session, submission, actor_id, values, reason, asked, waiver)
        else:
            reject_submission(session, submission, actor_id, reason)
        if submission.status != SubmissionStatus.ESCALATED:
            escalation.status = EscalationStatus.RESOLVED if settles else EscalationStatus.REJECTED
            escalation.decision = {"action": action, "values": dict(values), "reason": reason}
            escalation.decided_by, escalation.decided_at = actor_id, utcnow()
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
        submission, run = locked(session, "escalation", escalation_id)
        decided = {"status": EscalationStatus.SUPERSEDED.value, "decided_by": actor_id}
        win_pending(session, "escalation", escalation_id, version, actor_id, **decided)
        if action == "ask_model" and not submission.missing_fields:
            raise InvalidInputError(Refused.NOTHING_TO_ASK)
        following = read_again(session, submission, run, actor_id, wanted, reason)
        session.flush()
        return following.run_id


def _settle(
    context: Context,
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    values: Mapping[str, str | None],
    reason: str | None,
    asked: Collection[str],
    waiver: Waiver | None,
) -> int:
    """Apply the values, tell of them, and return how many changed. Raises InvalidInputError."""
    standing = apply_values(session, context.settings, submission, values, waiver=waiver, actor_id=actor_id)
    refuse_open(standing, asked)
    if standing.status != SubmissionStatus.RESOLVED and not standing.missing:
        raise InvalidInputError(Refused.SENT_BEFORE)
    tell_edits(session, submission, actor_id, standing, reason)
    if standing.missing:
        ask_for(session, submission, actor_id, standing, asked, reason)
    else:
        end_aside(session, submission.id, AsideEnd.SETTLED)
        session.add(event(submission, "escalation_resolved", actor_id, reason=reason))
    return len(standing.changed)
