"""Decide on a proposal, alone or with the other fields on the page."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.models import (
    AsideEnd,
    AsideKind,
    DecisionKind,
    FieldDecision,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    Submission,
    SubmissionStatus,
    SuggestionStatus,
)
from pipeline.pages.page_model import Source
from pipeline.reason_codes import RunReason
from pipeline.schema import FieldReading
from services.audit import event
from services.context import Context
from services.entries.change import (
    DecidedState,
    apply_values,
    cleaned_value,
    cleaned_values,
    tell_edits,
    waiver_of,
    with_derived,
)
from services.entries.decision import begin_decision, lock_entry, lock_run
from services.items.holds import ItemKind, held_seconds, win_pending
from services.messages.entries import Refused
from services.review.asides import put_back, set_aside
from services.review.details import Action
from services.review.waiting import ROWS
from services.runs.inputs import end_aside
from services.runs.settle import ask_for_missing, set_status


@dataclass(frozen=True)
class FieldAnswer:
    #: "keep": the current value is right; "reject": it stays, and the field still needs a person's review.
    action: Action
    #: The new value, for "edit".
    value: str | None = None


@dataclass(frozen=True)
class Decided:
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
    values: Mapping[str, str | None] = MappingProxyType({}),
    asked: Collection[str] = (),
    waived: Collection[str] = (),
    leaves_open: bool = True,
) -> Decided:
    """Decide every field of a pending proposal; fields without an answer are rejected.

    `values` are written into fields for which nothing is proposed. Fields of `asked` that are still missing then
    are listed for letters, and the entry is set aside until they come. `waived`: fields that are accepted as they
    are, which needs a reason. Without `leaves_open`, nothing else may be missing after the decision.

    Raises NotFoundError, ConflictError if another person decided first, holds it (HeldError) or the proposal has
    changed since `version`, and InvalidInputError for an answer that names no proposed field, an invalid value or
    a field that is left open; ForbiddenError for a person who may waive nothing.
    """
    written = cleaned_values(values)
    with context.database.session() as session:
        submission, run = locked_item(session, "suggestion", suggestion_id)
        seconds = held_seconds(session, "suggestion", suggestion_id, actor_id)
        approves = any(answer.action != "reject" for answer in answers.values())
        status = SuggestionStatus.APPROVED if approves else SuggestionStatus.REJECTED
        suggestion = _win(session, actor_id, suggestion_id, version, status)
        fields = _fields(session, suggestion, answers)
        for field in fields:
            _decide_field(field, answers.get(field.name, FieldAnswer("reject")), actor_id)
        left = [field.name for field in fields if field.decision == FieldDecision.REJECTED]
        doubted = [name for name in left if name not in waived]
        finals = with_derived({field.name: field.final_value for field in fields if field.name not in doubted})
        finals |= written
        decision = begin_decision(context.settings, session, submission, run, actor_id, finals)
        waiver = waiver_of(actor_id, waived, reason)
        standing = apply_values(
            session,
            context.settings,
            submission,
            finals,
            doubted,
            waiver=waiver,
            actor_id=actor_id,
            origins={field.name: _taken(field) for field in fields if _is_taken(field)},
        )
        if not leaves_open:
            refuse_open(standing, asked)
        session.add_all(
            event(
                submission,
                f"field_{field.decision}",
                actor_id,
                field_name=field.name,
                before=standing.before.get(field.name, field.current_value),
                after=field.final_value,
                reason=reason,
            )
            for field in fields
        )
        tell_edits(session, submission, actor_id, standing, reason, recorded=[field.name for field in fields])
        ask_for(session, submission, actor_id, standing, asked, reason)
        _settle(session, run, standing)
        decision.count(RunReason.DECIDED_BY_PERSON)
        decision_id = decision.keep(
            DecisionKind.SUGGESTION,
            suggestion.id,
            bulk_id=bulk_id,
            edits=len(standing.changed),
            seconds=seconds if bulk_id is None else None,
        )
        return Decided(submission.id, standing.status, standing.missing, decision_id)


def reject_suggested(
    context: Context, actor_id: uuid.UUID, suggestion_id: uuid.UUID, version: int, reason: str | None = None
) -> Decided:
    """Reject the entry of a pending proposal: no value is taken, and the season does not count the entry.

    Raises NotFoundError, ConflictError and HeldError as `decide_suggestion` does.
    """
    with context.database.session() as session:
        submission, run = locked_item(session, "suggestion", suggestion_id)
        seconds = held_seconds(session, "suggestion", suggestion_id, actor_id)
        suggestion = _win(session, actor_id, suggestion_id, version, SuggestionStatus.REJECTED)
        for field in _fields(session, suggestion, {}):
            _decide_field(field, FieldAnswer("reject"), actor_id)
        decision = begin_decision(context.settings, session, submission, run, actor_id)
        reject_submission(session, submission, actor_id, reason)
        run.outcome = submission.status
        decision.count(RunReason.DECIDED_BY_PERSON)
        decision_id = decision.keep(DecisionKind.SUGGESTION, suggestion.id, seconds=seconds)
        return Decided(submission.id, SubmissionStatus.REJECTED, [], decision_id)


def _win(
    session: Session, actor_id: uuid.UUID, suggestion_id: uuid.UUID, version: int, status: SuggestionStatus
) -> ReviewSuggestion:
    """Mark the proposal as decided if it is pending at this version and not held by another person, else raise."""
    decided = {"status": status.value, "resolved_at": func.now(), "resolved_by_user_id": actor_id}
    suggestion: ReviewSuggestion = win_pending(session, "suggestion", suggestion_id, version, actor_id, decided)
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
    """Whether the decided value is one that the item showed, not a typed one."""
    shown = (FieldDecision.APPROVED, FieldDecision.KEPT)
    return field.decision in shown or field.final_value in (field.proposed_value, field.current_value)


def _taken(field: ReviewSuggestionField) -> FieldReading:
    """Return the decided value with its origin."""
    return FieldReading(
        value=field.final_value,
        confidence=field.confidence,
        source=Source(field.source) if field.source else None,
        method=field.method,
        probability=field.probability,
    )


def _settle(session: Session, run: Run, standing: DecidedState) -> None:
    """Set the run's outcome to the entry's status; escalate the run, or end what it was set aside for."""
    run.outcome = standing.status.value
    if standing.status == SubmissionStatus.ESCALATED:
        ask_for_missing(session, run, standing.missing)
    else:
        end_aside(session, run.submission_id, AsideEnd.SETTLED)


# Ends of a visit to an item that are common to proposals and escalations.


#: The kind of decision that is recorded for an item of this kind.
_DECISION: dict[ItemKind, DecisionKind] = {
    "suggestion": DecisionKind.SUGGESTION,
    "escalation": DecisionKind.ESCALATION,
}


def refuse_open(standing: DecidedState, asked: Collection[str]) -> None:
    """Raise InvalidInputError if more is missing than what is asked for."""
    left = [name for name in standing.missing if name not in asked]
    if left:
        raise InvalidInputError(Refused.STILL_MISSING, fields=left)


def ask_for(
    session: Session,
    submission: Submission,
    actor_id: uuid.UUID,
    standing: DecidedState,
    asked: Collection[str],
    note: str | None,
) -> None:
    """Set the entry aside until the missing fields of `asked` come; do nothing if none is missing."""
    wanted = [name for name in standing.missing if name in asked]
    if wanted:
        set_aside(session, submission, actor_id, AsideKind.ASKED, fields=wanted, note=note)


def park_item(
    context: Context,
    actor_id: uuid.UUID,
    kind: ItemKind,
    item_id: uuid.UUID,
    version: int,
    note: str | None,
    until: datetime | None,
) -> uuid.UUID:
    """Park a pending item with a note until a time; return the id of the decision, which can be undone.

    Nothing of the entry changes. Raises NotFoundError, ConflictError if another person decided first, holds it
    (HeldError) or it has changed since `version`, and InvalidInputError for a time that has passed.
    """
    with context.database.session() as session:
        submission, run = locked_item(session, kind, item_id)
        decision = begin_decision(context.settings, session, submission, run, actor_id)
        win_pending(session, kind, item_id, version, actor_id)
        set_aside(session, submission, actor_id, AsideKind.PARKED, note=note, until=until)
        submission.version += 1
        return decision.keep(_DECISION[kind], item_id, measured=False)


def put_back_in_queue(context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID) -> None:
    """Return an entry that was set aside to the queue. Raises NotFoundError."""
    with context.database.session() as session:
        put_back(session, lock_entry(session, submission_id), actor_id)


def locked_item(session: Session, kind: ItemKind, item_id: uuid.UUID) -> tuple[Submission, Run]:
    """Lock the entry and the run of an item and return them. Raises NotFoundError."""
    row = ROWS[kind]
    found = session.execute(select(row.submission_id, row.run_id).where(row.id == item_id)).first()
    if found is None:
        raise NotFoundError("no such item of the queue")
    return lock_entry(session, found.submission_id), lock_run(session, found.run_id)


def reject_submission(session: Session, submission: Submission, actor_id: uuid.UUID, reason: str | None) -> None:
    """Reject an entry: it is settled without being complete."""
    set_status(session, submission, SubmissionStatus.REJECTED, actor_id, compared=False, reason=reason)
    end_aside(session, submission.id, AsideEnd.REJECTED)
