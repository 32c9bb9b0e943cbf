"""A person decides on a proposal: each field is approved, edited, kept or rejected, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.models import (
    AsideEnd,
    DecisionKind,
    FieldDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SubmissionStatus,
    SuggestionStatus,
)
from core.models.leases import SUGGESTION_HOLDS
from pipeline.messages import RunReason
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading
from services.audit import event
from services.context import Context
from services.entries.apply_decision import Standing, apply_values, cleaned_value, tell_edits, with_derived
from services.entries.decided_rows import counted_as, keep_decision, lock_entry, lock_run
from services.entries.effort import Effort
from services.entries.lost_race import lost_race
from services.entries.snapshot import snapshot
from services.messages.refused import Refused
from services.policy.waivers import waiver_of
from services.review.held_seconds import held_seconds
from services.review.preselection import Action
from services.runs.aside_rows import end_aside
from services.runs.settle_run import escalate, still_incomplete


@dataclass(frozen=True)
class FieldAnswer:
    """A person's answer for one proposed field."""

    #: "keep": the current value is right; "reject": it stays, and the field still needs a person's review.
    action: Action
    #: The new value, for "edit".
    value: str | None = None


@dataclass(frozen=True)
class Decided:
    """Status of the entry after the decision."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    missing: list[str]
    #: The id that `undo_decision` takes.
    decision_id: uuid.UUID


def decide_suggestion(
    context: Context,
    actor_id: uuid.UUID,
    suggestion_id: uuid.UUID,
    version: int,
    answers: Mapping[str, FieldAnswer],
    reason: str | None = None,
    *,
    bulk_id: uuid.UUID | None = None,
    waived: Collection[str] = (),
) -> Decided:
    """Decide every field of a pending proposal; fields without an answer are rejected.

    `waived`: what the person accepts as it is, for the `reason` (`services.policy.waivers`).
    Raises NotFoundError, ConflictError if another person decided first, holds it (HeldError) or the proposal has
    changed since `version`, InvalidInputError for an answer that names no proposed field, an invalid value, or a
    waiver without a reason or of what cannot be waived, and ForbiddenError for a person who may not waive it.
    """
    waiver = waiver_of(actor_id, waived, reason)
    with context.database.session() as session:
        submission, run = _locked(session, suggestion_id)
        seconds = held_seconds(session, "suggestion", suggestion_id, actor_id)
        suggestion = _win(session, actor_id, suggestion_id, version, answers)
        fields = _fields(session, suggestion, answers)
        for field in fields:
            _decide_field(field, answers.get(field.name, FieldAnswer("reject")), actor_id)
        doubted = [
            field.name for field in fields if field.decision == FieldDecision.REJECTED and field.name not in waived
        ]
        values = with_derived({field.name: field.final_value for field in fields if field.name not in doubted})
        before = snapshot(session, submission, run, list(values))
        standing = apply_values(
            session,
            context.settings,
            submission,
            values,
            doubted,
            waiver=waiver,
            actor_id=actor_id,
            origins={field.name: _taken(field) for field in fields if _is_taken(field)},
        )
        session.add_all(_event(submission, actor_id, field, standing, reason) for field in fields)
        tell_edits(session, submission, actor_id, standing, reason, told=[field.name for field in fields])
        before["counted"] = _settle(session, run, standing)
        decision_id = keep_decision(
            session,
            submission,
            actor_id,
            DecisionKind.SUGGESTION,
            before,
            item_id=suggestion.id,
            bulk_id=bulk_id,
            effort=Effort(len(standing.changed), seconds if bulk_id is None else None),
            measured=context.settings.measure_review_effort,
        )
        return Decided(submission.id, standing.status, standing.missing, decision_id)


def _locked(session: Session, suggestion_id: uuid.UUID) -> tuple[Submission, Run]:
    row = session.execute(
        select(ReviewSuggestion.submission_id, ReviewSuggestion.run_id).where(ReviewSuggestion.id == suggestion_id)
    ).first()
    if row is None:
        raise NotFoundError("no such proposal")
    return lock_entry(session, row.submission_id), lock_run(session, row.run_id)


def _win(
    session: Session,
    actor_id: uuid.UUID,
    suggestion_id: uuid.UUID,
    version: int,
    answers: Mapping[str, FieldAnswer],
) -> ReviewSuggestion:
    """Mark the proposal as decided if it is pending at this version and not held by another person, else raise."""
    approves = any(answer.action != "reject" for answer in answers.values())
    status = SuggestionStatus.APPROVED if approves else SuggestionStatus.REJECTED
    suggestion: ReviewSuggestion | None = session.scalar(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.id == suggestion_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
            ReviewSuggestion.version == version,
            SUGGESTION_HOLDS.free_for(actor_id),
        )
        .values(
            status=status.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
            **SUGGESTION_HOLDS.ended,
        )
        .returning(ReviewSuggestion)
    )
    if suggestion is None:
        raise lost_race(session, ReviewSuggestion, suggestion_id, actor_id)
    return suggestion


def _fields(
    session: Session, suggestion: ReviewSuggestion, answers: Mapping[str, FieldAnswer]
) -> Sequence[ReviewSuggestionField]:
    fields = session.scalars(
        select(ReviewSuggestionField)
        .where(ReviewSuggestionField.suggestion_id == suggestion.id)
        .order_by(ReviewSuggestionField.name)
    ).all()
    unknown = set(answers) - {field.name for field in fields}
    if unknown:
        raise InvalidInputError(Refused.NOT_PROPOSED, names=sorted(unknown))
    return fields


def _decide_field(field: ReviewSuggestionField, answer: FieldAnswer, actor_id: uuid.UUID) -> None:
    if answer.action == "approve":
        if field.proposed_value is None:
            raise InvalidInputError(Refused.NOTHING_PROPOSED, field=field.name)
        field.decision = FieldDecision.APPROVED.value
        field.final_value = cleaned_value(field.name, field.proposed_value)
    elif answer.action == "edit":
        field.decision = FieldDecision.EDITED.value
        field.final_value = cleaned_value(field.name, answer.value)
    elif answer.action == "keep":
        if field.current_value is None:
            raise InvalidInputError(Refused.NOTHING_READ, field=field.name)
        field.decision, field.final_value = FieldDecision.KEPT.value, field.current_value
    else:
        field.decision, field.final_value = FieldDecision.REJECTED.value, field.current_value
    field.decided_by = actor_id
    field.decided_at = utcnow()


def _is_taken(field: ReviewSuggestionField) -> bool:
    """Whether the decided value is one that the item showed, and no typed one."""
    shown = (FieldDecision.APPROVED, FieldDecision.KEPT)
    return field.decision in shown or field.final_value in (field.proposed_value, field.current_value)


def _taken(field: ReviewSuggestionField) -> FieldReading:
    """Return the decided value with how the machine came by it."""
    return FieldReading(
        value=field.final_value,
        confidence=field.confidence,
        source=Source(field.source) if field.source else None,
        method=field.method,
        probability=field.probability,
    )


def _event(
    submission: Submission,
    actor_id: uuid.UUID,
    field: ReviewSuggestionField,
    standing: Standing,
    reason: str | None,
) -> ReviewEvent:
    return event(
        submission,
        f"field_{field.decision}",
        actor_id,
        field_name=field.name,
        before=standing.before.get(field.name, field.current_value),
        after=field.final_value,
        reason=reason,
    )


def _settle(session: Session, run: Run, standing: Standing) -> dict[str, str]:
    """Set the run's outcome to the entry's status; return what the decision is counted as."""
    run.outcome = standing.status.value
    if standing.status == SubmissionStatus.ESCALATED:
        escalate(session, run, still_incomplete(standing.missing), {"missing_fields": standing.missing})
    else:
        end_aside(session, run.submission_id, AsideEnd.SETTLED)
    return counted_as(standing.status, RunReason.DECIDED_BY_PERSON)
