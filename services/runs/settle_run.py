"""Write the result of a run in one transaction: record, status, audit trail, escalation and counts."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.lease import Lease
from core.messages import Message
from core.models import Escalation, EscalationStatus, Run, RunStatus, Season, Submission
from core.models.leases import ESCALATION_HOLDS, RUN_LEASES
from pipeline.messages import EscalationReason
from pipeline.orchestrator.result import RunResult
from pipeline.orchestrator_state import Outcome
from pipeline.profiles.declared import derived_fields
from pipeline.records.decided import decided_readings
from pipeline.schema import FIELD_NAMES, SubmissionRecord
from pipeline.supabase_db import get_field_values, save_record
from pipeline.validate import with_duplicate
from pipeline.validation.season_policy import policy_of
from services.audit import event
from services.context import Context
from services.defaults.in_force import defaults_in_force
from services.duplicates.check_submission import check_submission
from services.duplicates.prepare import prepare
from services.messages.event import EventReason
from services.runs.pending_items import show_suggestion
from services.runs.submission_language import submission_language
from services.stats.run_facts import note_run
from services.trust.draw_audit import draw_audit, is_ready


def settle_run(context: Context, lease: Lease[Run], result: RunResult) -> None:
    """Write the result of the leased run, which is settled or waits at its interrupt.

    Raises LeaseLostError, and writes nothing, if another worker has taken over the run.
    """
    prepared = prepare(context, result.record)
    with context.database.session() as session:
        run = lease.hold(session)
        submission = session.get_one(Submission, run.submission_id, with_for_update={"key_share": True})
        before = get_field_values(session, submission.id)
        save_record(session, result.record, run.run_no)
        policy = policy_of(context.settings, session.get_one(Season, run.season_id).policy)
        if check_submission(session, submission, prepared, one_entry_each=policy.one_entry_each):
            result = held_back(result)
        submission.language, submission.language_given = submission_language(
            result.record, defaults_in_force(session, submission.batch_id)
        )
        submission.status = result.outcome.value
        submission.needs_review = result.outcome is not Outcome.COMPLETED or result.record.needs_review
        submission.review_reason_codes = list(result.record.review_reason_codes)
        submission.missing_fields = list(result.missing_fields)
        submission.confidence = result.confidence
        submission.version += 1
        if run.run_no > 1:
            _tell_changes(session, submission, before)
        else:
            _tell_carried(session, submission, result.record)
        run.ready = is_ready(result)
        if result.outcome is Outcome.COMPLETED:
            draw_audit(session, context.settings, run, submission, result)
        if result.outcome is Outcome.SUGGESTED:
            show_suggestion(session, run.run_id)
        if result.outcome is Outcome.ESCALATED:
            escalate(session, run, result.reason, result.interrupt or {})
        close_run(session, run, result, waits=result.interrupt is not None)
        session.add(event(submission, result.outcome.value, message=result.reason))
        note_run(
            session,
            run,
            submission,
            result.outcome.value,
            result.reason,
            result.tools_used,
            (result.report.get("ocr_summary") or {}).get("provider"),
        )


def held_back(result: RunResult) -> RunResult:
    """Return the result of an entry that may have been sent before: a person decides, whatever was read."""
    result = replace(result, record=with_duplicate(result.record))
    if result.outcome is not Outcome.COMPLETED:
        return result
    return replace(result, outcome=Outcome.ESCALATED, reason=Message.of(EscalationReason.SENT_BEFORE))


def _tell_changes(session: Session, submission: Submission, before: Mapping[str, str | None]) -> None:
    """Add an event for each value that reading again has changed, since it may have replaced a typed value."""
    for name, value in get_field_values(session, submission.id).items():
        if before.get(name) != value:
            session.add(event(submission, "read", field_name=name, before=before.get(name), after=value))


def _tell_carried(session: Session, submission: Submission, record: SubmissionRecord) -> None:
    """Add an event for the values of people in a first reading: they are from the entries that it replaces."""
    names = [name for name in FIELD_NAMES if name in decided_readings(record) and name not in derived_fields()]
    if names:
        session.add(event(submission, "read", message=Message.of(EventReason.CARRIED_OVER, fields=names)))


def escalate(session: Session, run: Run, reason: Message, payload: dict[str, Any]) -> uuid.UUID:
    """Create or reopen the run's escalation, unless it is pending already, and return its id."""
    row = insert(Escalation).values(
        submission_id=run.submission_id,
        season_id=run.season_id,
        run_id=run.run_id,
        reason=reason,
        payload=payload,
    )
    session.execute(
        row.on_conflict_do_update(
            index_elements=["run_id"],
            set_={
                "status": EscalationStatus.PENDING.value,
                "version": Escalation.version + 1,
                "reason": row.excluded.reason,
                "payload": row.excluded.payload,
                **dict.fromkeys(("decision", "decided_by", "decided_at", "resumed_at")),
                **ESCALATION_HOLDS.ended,
            },
            where=Escalation.status != EscalationStatus.PENDING.value,
        )
    )
    return session.scalars(select(Escalation.id).where(Escalation.run_id == run.run_id)).one()


def still_incomplete(missing: Sequence[str]) -> Message:
    """Codes of why an entry still waits after a person's decision; it may have been sent before."""
    if not missing:
        return Message.of(EscalationReason.SENT_BEFORE)
    return Message.of(EscalationReason.STILL_INCOMPLETE, fields=missing)


def close_run(session: Session, run: Run, result: RunResult, waits: bool) -> None:
    """Record the outcome and end the lease. `waits`: the graph is stopped at its interrupt."""
    run.status = RunStatus.INTERRUPTED.value if waits else RunStatus.SETTLED.value
    run.outcome = result.outcome
    run.reason = result.reason
    run.tools_used = list(result.tools_used)
    run.confidence = result.confidence
    RUN_LEASES.end(run)
    run.settled_at = None if waits else utcnow()
