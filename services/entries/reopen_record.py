"""Reopen a settled entry, so that it waits for a person again."""

from __future__ import annotations

import uuid

from core.errors import ConflictError
from core.messages import Message
from core.models import DecisionKind, SubmissionStatus
from pipeline.messages import EscalationReason, RunReason
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import can_approve_record
from services.audit import event
from services.context import Context
from services.entries.decided_rows import counted_as, keep_decision, latest_run, win_entry
from services.entries.snapshot import snapshot
from services.messages.conflict import Conflict
from services.runs.settle_run import escalate
from services.seasons import season_policy

_OVER = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED, SubmissionStatus.REJECTED)


def reopen_record(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    reason: str | None = None,
) -> uuid.UUID:
    """Reopen a completed, resolved or rejected entry and return the id of its escalation.

    Raises ConflictError, saying who did what, if the entry has changed since `version` or is not settled.
    """
    with context.database.session() as session:
        submission = win_entry(session, submission_id, version)
        status = submission.status
        if status not in _OVER:
            raise ConflictError(Conflict.ENTRY_NOT_SETTLED, entry_status=status)
        run = latest_run(session, submission)
        before = snapshot(session, submission, run, ())
        policy = season_policy(session, submission.season_id, context.settings)
        _, missing = can_approve_record(get_record_by_id(session, submission.id), policy)
        submission.status = run.outcome = SubmissionStatus.ESCALATED.value
        submission.needs_review = True
        submission.missing_fields = missing
        submission.version += 1
        escalation_id = escalate(session, run, Message.of(EscalationReason.REOPENED), {"missing_fields": missing})
        before["counted"] = counted_as(SubmissionStatus.ESCALATED, RunReason.REOPENED_BY_PERSON)
        session.add(event(submission, "reopened", actor_id, before=status, after=submission.status, reason=reason))
        keep_decision(
            session,
            submission,
            actor_id,
            DecisionKind.REOPEN,
            before,
            item_id=escalation_id,
            measured=context.settings.measure_review_effort,
        )
        return escalation_id
