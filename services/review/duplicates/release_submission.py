"""Let an entry go on that waited because it might have been sent before."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import func
from sqlalchemy.orm import Session

from core.config import Settings
from core.models import AsideEnd, DecisionKind, Escalation, EscalationStatus, Run, Submission, SubmissionStatus
from core.models.leases import ESCALATION_HOLDS
from pipeline.messages import EscalationReason, RunReason
from services.entries.apply_decision import apply_values, tell_edits
from services.entries.decided_rows import counted_as, keep_decision, latest_run, tell_items
from services.entries.snapshot import escalation_of, snapshot
from services.runs.aside_rows import end_aside
from services.runs.settle_run import still_incomplete

_WAITING = (SubmissionStatus.SUGGESTED.value, SubmissionStatus.ESCALATED.value)


def release_submission(
    session: Session,
    settings: Settings,
    submission: Submission,
    actor_id: uuid.UUID,
    pair_id: uuid.UUID,
    carried: Mapping[str, str | None],
) -> None:
    """Write the values that are carried to the entry, which is locked, and let it go on.

    One that waited for nothing else is settled. One that may be the same as a further entry waits on, and so does
    one with a proposal, or with another question.
    """
    run = latest_run(session, submission)
    before = snapshot(session, submission, run, list(carried))
    stood = submission.status
    standing = apply_values(session, settings, submission, carried, actor_id=actor_id)
    tell_edits(session, submission, actor_id, standing, None)
    escalation = escalation_of(session, run)
    if stood not in _WAITING:
        # A person has settled it meanwhile, or it was never held up.
        submission.status, submission.needs_review = stood, False
    elif not _only_asked_this(escalation):
        submission.status, submission.needs_review = stood, True
        tell_items(session, submission.id, standing.changed)
    elif standing.status is SubmissionStatus.RESOLVED:
        assert escalation is not None
        _close(run, escalation, actor_id)
        end_aside(session, submission.id, AsideEnd.SETTLED)
        before["counted"] = counted_as(standing.status, RunReason.DECIDED_BY_PERSON)
    else:
        assert escalation is not None
        escalation.reason = still_incomplete(standing.missing)
        escalation.version += 1
    keep_decision(
        session,
        submission,
        actor_id,
        DecisionKind.DUPLICATE,
        before,
        item_id=pair_id,
        measured=settings.measure_review_effort,
    )


def _only_asked_this(escalation: Escalation | None) -> bool:
    """Whether the entry waits for nothing but the answer whether it was sent before."""
    return (
        escalation is not None
        and escalation.status == EscalationStatus.PENDING
        and escalation.reason.code == EscalationReason.SENT_BEFORE
    )


def _close(run: Run, escalation: Escalation, actor_id: uuid.UUID) -> None:
    """Settle the escalation; its run has ended before, so that there is nothing to resume."""
    escalation.status = EscalationStatus.RESOLVED.value
    escalation.decision = {"action": "settle", "values": {}, "reason": None}
    escalation.decided_by = actor_id
    escalation.decided_at = escalation.resumed_at = func.now()
    escalation.version += 1
    ESCALATION_HOLDS.end(escalation)
    run.outcome = SubmissionStatus.RESOLVED.value
