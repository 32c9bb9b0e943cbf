"""A settled entry waits for a person again."""

from __future__ import annotations

import uuid

from core.errors import ConflictError
from core.models import DecisionKind, SubmissionStatus
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import can_approve_record
from services.audit import event
from services.context import Context
from services.entries.decided_rows import keep_decision, latest_run, win_entry
from services.entries.snapshot import snapshot
from services.runs.settle_run import count_outcome, escalate
from services.seasons import season_policy

_OVER = (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED, SubmissionStatus.REJECTED)


def reopen_record(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    reason: str | None = None,
) -> uuid.UUID:
    """Have a completed, resolved or rejected entry wait again; the id of the escalation that waits for it.

    Raises ConflictError, saying who and what, when the entry changed since `version` was seen or is not settled.
    """
    with context.database.session() as session:
        submission = win_entry(session, submission_id, version)
        status = submission.status
        if status not in _OVER:
            raise ConflictError(f"the entry is {status}, not settled")
        run = latest_run(session, submission)
        before = snapshot(session, submission, run, ())
        policy = season_policy(session, submission.season_id, context.settings)
        _, missing = can_approve_record(get_record_by_id(session, submission.id), policy)
        submission.status = run.outcome = SubmissionStatus.ESCALATED.value
        submission.needs_review = True
        submission.missing_fields = missing
        submission.version += 1
        escalation_id = escalate(session, run, "reopened", {"missing_fields": missing})
        before["counted"] = count_outcome(session, run, SubmissionStatus.ESCALATED.value, "reopened_by_person")
        session.add(event(submission, "reopened", actor_id, before=status, after=submission.status, reason=reason))
        keep_decision(session, submission, actor_id, DecisionKind.REOPEN, before, item_id=escalation_id)
        return escalation_id
