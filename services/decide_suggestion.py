"""A person decides on a proposal: each field approved, edited or rejected. One transaction, one winner."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError
from core.models import (
    FieldDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SubmissionStatus,
    SuggestionStatus,
)
from services.apply_decision import apply_values
from services.audit import event
from services.context import Context
from services.lost_race import lost_race
from services.settle_run import count_outcome, escalate


@dataclass(frozen=True)
class FieldAnswer:
    """What a person says of one proposed field."""

    action: Literal["approve", "edit", "reject"]
    value: str | None = None


@dataclass(frozen=True)
class Decided:
    """What became of the entry."""

    submission_id: uuid.UUID
    status: SubmissionStatus
    missing: list[str]


def decide_suggestion(
    context: Context,
    actor_id: uuid.UUID,
    suggestion_id: uuid.UUID,
    version: int,
    answers: Mapping[str, FieldAnswer],
    reason: str | None = None,
) -> Decided:
    """Decide every field of a pending proposal; one without an answer is rejected, that is, left as it was.

    Raises ConflictError when somebody else decided first or the proposal changed since `version` was seen, and
    InvalidInputError for an answer that names no proposed field or a value that does not fit.
    """
    with context.database.session() as session:
        suggestion = _win(session, actor_id, suggestion_id, version, answers)
        submission = session.get_one(Submission, suggestion.submission_id, with_for_update=True)
        fields = session.scalars(
            select(ReviewSuggestionField)
            .where(ReviewSuggestionField.suggestion_id == suggestion.id)
            .order_by(ReviewSuggestionField.name)
        ).all()
        unknown = set(answers) - {field.name for field in fields}
        if unknown:
            raise InvalidInputError(f"not among the proposed fields: {', '.join(sorted(unknown))}")
        values: dict[str, str | None] = {}
        doubted: list[str] = []
        for field in fields:
            answer = answers.get(field.name, FieldAnswer("reject"))
            _decide_field(field, answer, actor_id)
            if field.decision == FieldDecision.REJECTED:
                doubted.append(field.name)
            else:
                values[field.name] = field.final_value
            session.add(_event(submission, actor_id, field, reason))
        standing = apply_values(session, context.settings, submission, actor_id, values, doubted)
        run = session.get_one(Run, suggestion.run_id, with_for_update=True)
        run.outcome = standing.status.value
        if standing.status == SubmissionStatus.ESCALATED:
            escalate(session, run, "still_incomplete", {"missing_fields": standing.missing})
        count_outcome(session, run, standing.status.value, "decided_by_person", 0)
        return Decided(submission.id, standing.status, standing.missing)


def _win(
    session: Session,
    actor_id: uuid.UUID,
    suggestion_id: uuid.UUID,
    version: int,
    answers: Mapping[str, FieldAnswer],
) -> ReviewSuggestion:
    """Take the proposal if it is still pending at this version; only the winner goes on."""
    approves = any(answer.action != "reject" for answer in answers.values())
    status = SuggestionStatus.APPROVED if approves else SuggestionStatus.REJECTED
    suggestion: ReviewSuggestion | None = session.scalar(
        update(ReviewSuggestion)
        .where(
            ReviewSuggestion.id == suggestion_id,
            ReviewSuggestion.status == SuggestionStatus.PENDING.value,
            ReviewSuggestion.version == version,
        )
        .values(
            status=status.value,
            version=ReviewSuggestion.version + 1,
            resolved_at=func.now(),
            resolved_by_user_id=actor_id,
        )
        .returning(ReviewSuggestion)
    )
    if suggestion is None:
        raise lost_race(session, ReviewSuggestion, ReviewSuggestion.resolved_by_user_id, suggestion_id, "proposal")
    return suggestion


def _decide_field(field: ReviewSuggestionField, answer: FieldAnswer, actor_id: uuid.UUID) -> None:
    if answer.action == "approve":
        if field.proposed_value is None:
            raise InvalidInputError(f"{field.name}: nothing is proposed; type a value or reject")
        field.decision, field.final_value = FieldDecision.APPROVED.value, field.proposed_value
    elif answer.action == "edit":
        field.decision, field.final_value = FieldDecision.EDITED.value, answer.value
    else:
        field.decision, field.final_value = FieldDecision.REJECTED.value, field.current_value
    field.decided_by = actor_id
    field.decided_at = utcnow()


def _event(
    submission: Submission, actor_id: uuid.UUID, field: ReviewSuggestionField, reason: str | None
) -> ReviewEvent:
    return event(
        submission,
        f"field_{field.decision}",
        actor_id,
        field_name=field.name,
        before=field.current_value,
        after=field.final_value,
        reason=reason,
        # Told before `apply_values` raises it.
        version=submission.version + 1,
    )
