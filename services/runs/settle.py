"""The end of a run: settle its entry, record its failure, link its trace, start the next run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import AppError, NotFailedError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import (
    AsideEnd,
    Escalation,
    EscalationStatus,
    OrchestratorLog,
    PageRange,
    ReviewSuggestion,
    Run,
    RunStatus,
    SetAside,
    Submission,
    SubmissionStatus,
    SuggestionStatus,
    Upload,
    UploadStatus,
)
from core.models.base import error_columns
from core.models.leases import ESCALATION_HOLDS, RUN_LEASES, SUGGESTION_HOLDS, UPLOAD_LEASES
from pipeline.orchestrator.artifacts import decided_readings
from pipeline.orchestrator.context import RunResult
from pipeline.orchestrator_state import Outcome
from pipeline.profiles import Forms, derived_fields, text_fields
from pipeline.reason_codes import EscalationReason
from pipeline.schema import FIELD_NAMES, SubmissionRecord
from pipeline.supabase_db import get_field_values, save_record
from pipeline.validate import NO_DEFAULTS, Defaults, has_defaults, validate_record, with_duplicate
from pipeline.validation.policy import Policy
from research.text.language import language_by_small_words
from services.audit import event, tell_values
from services.context import Context
from services.duplicates import check_submission, prepare
from services.messages.entries import EventReason, Refused
from services.recovery.kinds import RUNS, UNSPLIT
from services.recovery.work import queue_rows
from services.runs.inputs import end_aside
from services.seasons import defaults_in_force, hold_said, latest_row, season_rules
from services.stats.lists import note_run
from services.trust.audit_sample import confidence_otherwise, decided_by_confidence, draw_audit


def settle_run(context: Context, lease: Lease[Run], result: RunResult) -> bool:
    """Write the result of the leased run, which is settled or waits at its interrupt.

    Returns False, and writes nothing, if values were given to the batch or taken back since the run took them: the
    entry is to be decided anew with those in force. Raises LeaseLostError, and writes nothing, if another worker
    has taken over the run.
    """
    prepared = prepare(context, result.record)
    with context.database.session() as session:
        run = lease.hold(session)
        submission = session.get_one(Submission, run.submission_id, with_for_update={"key_share": True})
        hold_said(session, submission.batch_id)
        defaults = defaults_in_force(session, submission.batch_id)
        if not has_defaults(result.record, defaults):
            change = latest_row(session, submission.batch_id)
            # Once a change: a later step of the graph may have emptied a field that was read.
            if change is not None and change.created_at > run.created_at:
                return False
        before = get_field_values(session, submission.id)
        save_record(session, result.record, run.run_no)
        policy = season_rules(session, run.season_id, context.settings)
        result = by_rules_in_force(result, policy)
        if check_submission(session, submission, prepared, one_entry_each=policy.one_entry_each):
            result = held_back(result)
        submission.language, submission.language_given = submission_language(result.record, defaults)
        submission.status = result.outcome.value
        submission.needs_review = result.outcome is not Outcome.COMPLETED or result.record.needs_review
        submission.review_reason_codes = list(result.record.review_reason_codes)
        submission.missing_fields = list(result.missing_fields)
        submission.confidence = result.confidence
        submission.version += 1
        if before:
            # The new reading may have replaced a typed value.
            tell_values(session, submission, "read", before, get_field_values(session, submission.id))
        else:
            _tell_carried(session, submission, result.record)
        run.ready = decided_by_confidence(result)
        run.confidence_otherwise = confidence_otherwise(result, policy)
        if result.outcome is Outcome.COMPLETED:
            draw_audit(session, context.settings, policy, run, submission, result)
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
    return True


def by_rules_in_force(result: RunResult, policy: Policy) -> RunResult:
    """Return the result; a completed entry goes to a person where the rules, changed since, do not complete it."""
    if result.outcome is not Outcome.COMPLETED:
        return result
    record, found = validate_record(result.record, policy)
    if not record.needs_review:
        return result
    return replace(
        result,
        record=record,
        outcome=Outcome.ESCALATED,
        reason=Message.of(EscalationReason.UNSURE),
        confidence=found["confidence"],
        missing_fields=found["missing_fields"],
        weak_fields=found["weak_fields"],
    )


def held_back(result: RunResult) -> RunResult:
    """Return the result for an entry that may be a duplicate: a person decides, whatever was read."""
    result = replace(result, record=with_duplicate(result.record))
    if result.outcome is not Outcome.COMPLETED:
        return result
    return replace(result, outcome=Outcome.ESCALATED, reason=Message.of(EscalationReason.SENT_BEFORE))


def _tell_carried(session: Session, submission: Submission, record: SubmissionRecord) -> None:
    """Add an event for people's values in a first reading: they come from the entries that this one replaces."""
    names = [name for name in FIELD_NAMES if name in decided_readings(record) and name not in derived_fields()]
    if names:
        session.add(event(submission, "read", message=Message.of(EventReason.CARRIED_OVER, fields=names)))


def escalate(session: Session, run: Run, reason: Message, payload: dict[str, Any]) -> uuid.UUID:
    """Create or reopen the run's escalation, unless it is pending already, and return its id."""
    row = insert(Escalation).values(
        submission_id=run.submission_id, season_id=run.season_id, run_id=run.run_id, reason=reason, payload=payload
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


def ask_for_missing(session: Session, run: Run, missing: Sequence[str]) -> None:
    """Escalate what a person left incomplete; it may be a duplicate where nothing is missing."""
    escalate(session, run, still_incomplete(missing), {"missing_fields": missing})


def still_incomplete(missing: Sequence[str]) -> Message:
    """Return the codes for why an entry still waits after a person's decision; it may be a duplicate."""
    if not missing:
        return Message.of(EscalationReason.SENT_BEFORE)
    return Message.of(EscalationReason.STILL_INCOMPLETE, fields=missing)


def close_run(session: Session, run: Run, result: RunResult, waits: bool) -> None:
    """Record the outcome and end the lease. `waits`: the graph is stopped at its interrupt."""
    end_run(run, RunStatus.INTERRUPTED if waits else RunStatus.SETTLED, result.outcome)
    run.reason = result.reason
    run.tools_used = list(result.tools_used)
    run.confidence = result.confidence


def set_status(
    session: Session,
    submission: Submission,
    status: SubmissionStatus,
    actor_id: uuid.UUID | None = None,
    *,
    kind: str | None = None,
    needs_review: bool = False,
    compared: bool = True,
    reason: str | None = None,
    message: Message | None = None,
) -> None:
    """Give an entry, which is locked, this status with the event that tells of it.

    `kind`: of the event, if that is not the status. `compared`: whether the event has the status before it.
    """
    before, after = (submission.status, status.value) if compared else (None, None)
    submission.status = status.value
    submission.needs_review = needs_review
    submission.version += 1
    submission.updated_at = utcnow()
    told = event(
        submission, kind or status.value, actor_id, before=before, after=after, reason=reason, message=message
    )
    session.add(told)


def end_run(run: Run, status: RunStatus, outcome: str | None) -> None:
    """End the run, or let it wait at its interrupt. A worker that has it finds its lease lost."""
    run.status, run.outcome = status.value, outcome
    RUN_LEASES.end(run)
    run.settled_at = None if status is RunStatus.INTERRUPTED else utcnow()


def supersede_run(
    session: Session,
    submission: Submission,
    run: Run,
    options: Mapping[str, Any],
    actor_id: uuid.UUID | None = None,
) -> Run:
    """End the run with the entry's pending items; create and return the next run. The caller adds the event."""
    supersede_items(session, submission.id, actor_id)
    end_run(run, RunStatus.SUPERSEDED, SubmissionStatus.SUPERSEDED.value)
    return next_run(session, submission, options)


_OPEN_RUN = (RunStatus.QUEUED.value, RunStatus.READ.value, RunStatus.RUNNING.value)


def fail_upload(context: Context, upload_id: uuid.UUID, error: AppError) -> None:
    """Mark a file as failed, unless another worker has leased it; the original file is kept.

    Entries that were made from it continue; the rest is read when a person retries.
    """
    with context.database.session() as session:
        failed = session.scalar(
            update(Upload)
            .where(Upload.id == upload_id, Upload.status.in_(UNSPLIT), UPLOAD_LEASES.expired())
            .values(status=UploadStatus.FAILED.value, **error_columns(error.told), updated_at=utcnow())
            .returning(Upload.id)
        )
        if failed is not None:
            session.execute(delete(PageRange).where(PageRange.upload_id == upload_id))


def fail_pages(context: Context, range_id: uuid.UUID, error: AppError) -> None:
    """Mark the file as failed whose pages could not be read. See `fail_upload`."""
    upload_id = context.database.scalar(select(PageRange.upload_id).where(PageRange.id == range_id))
    if upload_id is not None:
        fail_upload(context, upload_id, error)


def fail_run(context: Context, run_id: str, error: AppError) -> None:
    """Mark a run and its entry as failed, unless it is settled or another worker has leased it."""
    with context.database.session() as session:
        run = RUN_LEASES.lock_expired(session, run_id, Run.status.in_(_OPEN_RUN))
        if run is None:
            return
        failed = SubmissionStatus.FAILED
        end_run(run, RunStatus.FAILED, failed.value)
        run.reason = error.told
        submission = session.get_one(Submission, run.submission_id, with_for_update=True)
        submission.error = error.told
        set_status(session, submission, failed, needs_review=True, compared=False, message=error.told)
        provider = run.options.get("ocr_provider") or context.settings.ocr_provider
        note_run(session, run, submission, failed.value, error.told, run.tools_used, str(provider))


def retry_failed_run(context: Context, actor_id: uuid.UUID, run_id: str) -> str:
    """Start the next run of the entry whose run has failed. See `retry_run`; raises ValueError for another key."""
    return retry_run(context, actor_id, uuid.UUID(run_id.partition(":")[0]))


def retry_run(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID) -> str:
    """Start the next run of a failed entry and return its run_id. Raises NotFailedError if it is not failed."""
    with context.database.session() as session:
        submission = session.get_one(Submission, submission_id, with_for_update=True)
        if submission.status != SubmissionStatus.FAILED:
            raise NotFailedError(Refused.ENTRY_NOT_FAILED)
        run = next_run(session, submission)
        session.add(event(submission, "read_again", actor_id))
    queue_rows(context, RUNS, run.run_id)
    return run.run_id


def trace_page(context: Context, trace_id: uuid.UUID) -> str:
    """Return the URL of the trace's page. Raises NotFoundError if no run has this trace or tracing is off."""
    of_a_step = select(OrchestratorLog.id).where(OrchestratorLog.trace_id == str(trace_id)).limit(1)
    known = context.database.scalar(of_a_step) is not None
    if not known or not context.settings.langsmith_tracing:
        raise NotFoundError("no such trace")
    # LangSmith's package takes a fifth of a second to load.
    from core.tracing.traces import trace_url

    return trace_url(context.settings, str(trace_id))


def chunk_to_read(submission: Submission, options: Mapping[str, Any], forms: Forms) -> dict[str, Any]:
    """Return the split's metadata of the entry, with the form that a person chose, else those of the season."""
    chunk, profile = submission.chunk_metadata, options.get("profile")
    if chunk and profile:
        return {**chunk, "profile": profile, "forms": [profile]}
    return {**chunk, "forms": list(forms)} if chunk and forms else chunk


class SupersededItems(TypedDict):
    """Ids of what was superseded, as JSON values."""

    suggestions: list[str]
    escalations: list[str]
    #: What the entry was set aside for.
    asides: list[str]


def supersede_items(session: Session, submission_id: uuid.UUID, actor_id: uuid.UUID | None) -> SupersededItems:
    """Supersede the entry's pending proposals and escalations, ending the holds on them; return their ids.

    No actor means the machine.
    """
    suggestions = session.scalars(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.submission_id == submission_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
        )
        .values(
            status=SuggestionStatus.SUPERSEDED.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
            **SUGGESTION_HOLDS.ended,
        )
        .returning(ReviewSuggestion.id)
    )
    escalations = session.scalars(
        update(Escalation)
        .where(Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value)
        .values(
            status=EscalationStatus.SUPERSEDED.value,
            version=Escalation.version + 1,
            decided_by=actor_id,
            **ESCALATION_HOLDS.ended,
        )
        .returning(Escalation.id)
    )
    aside = end_aside(session, submission_id, AsideEnd.SUPERSEDED)
    return {
        "asides": [] if aside is None else [str(aside)],
        "suggestions": [str(found) for found in suggestions],
        "escalations": [str(found) for found in escalations],
    }


def restore_items(session: Session, items: Mapping[str, Sequence[str]]) -> None:
    """Make superseded proposals and escalations pending again, without holds, set aside as they were."""
    restore_suggestions(session, [uuid.UUID(found) for found in items["suggestions"]])
    session.execute(
        update(Escalation)
        .where(Escalation.id.in_([uuid.UUID(found) for found in items["escalations"]]))
        .values(status=EscalationStatus.PENDING.value, version=Escalation.version + 1, decided_by=None)
    )
    # Items stored by an earlier version lack it.
    ended = [uuid.UUID(found) for found in items.get("asides", ())]
    session.execute(update(SetAside).where(SetAside.id.in_(ended)).values(ended_at=None, ended_why=None))


def show_suggestion(session: Session, run_id: str) -> None:
    """Make the proposal of a run that is being settled pending; `write_proposal` has written it."""
    written = session.scalars(
        select(ReviewSuggestion.id).where(
            ReviewSuggestion.run_id == run_id, ReviewSuggestion.status == SuggestionStatus.SUPERSEDED.value
        )
    )
    restore_suggestions(session, written.all())


def restore_suggestions(session: Session, ids: Sequence[uuid.UUID]) -> None:
    """Make proposals that were superseded or decided pending again; their fields are unchanged."""
    session.execute(
        update(ReviewSuggestion)
        .where(ReviewSuggestion.id.in_(ids))
        .values(
            status=SuggestionStatus.PENDING.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=None,
            resolved_by_user_id=None,
        )
    )


def next_run(session: Session, submission: Submission, options: Mapping[str, Any] | None = None) -> Run:
    """Create and return the run that reads the entry again; the caller queues it after the commit.

    `options` override the settings: `ocr_provider`, `profile`, `ask_model`.
    """
    submission.run_no += 1
    submission.version += 1
    submission.status = SubmissionStatus.QUEUED.value
    submission.error = None
    submission.updated_at = utcnow()
    run = Run(
        run_id=f"{submission.id}:{submission.run_no}",
        submission_id=submission.id,
        season_id=submission.season_id,
        run_no=submission.run_no,
        status=RunStatus.QUEUED.value,
        options=dict(options or {}),
    )
    session.add(run)
    return run


def submission_language(record: SubmissionRecord, defaults: Defaults = NO_DEFAULTS) -> tuple[str | None, bool]:
    """Return "en" or "es" by the words of the essay, and whether it is only the batch's default.

    None without telling words and without a default.
    """
    language = language_by_small_words(" ".join(record.value_of(name) or "" for name in text_fields()))
    return (language, False) if language else (defaults.language, defaults.language is not None)
