"""Restore what a decision has changed: the parts that the undoing of every kind of decision has in common."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError
from core.messages import Message
from core.models import (
    DecisionKind,
    FieldDecision,
    Profile,
    ReviewDecision,
    ReviewSuggestionField,
    Run,
    Submission,
)
from pipeline.supabase_db import restore_fields
from services.accounts.person_name import name_of
from services.audit import event
from services.entries.decided_rows import tell_items
from services.entries.snapshot import restore_entry, restore_escalation, restore_run, restore_set_aside
from services.messages.conflict import Conflict
from services.messages.event import EventReason
from services.runs.pending_items import restore_suggestions
from services.stats.count import uncount_decision


def win_decision(session: Session, actor_id: uuid.UUID, decision_id: uuid.UUID) -> ReviewDecision:
    """Mark the decision as undone and return it. Raises ConflictError, saying by whom, if it is already."""
    decision: ReviewDecision | None = session.scalar(
        update(ReviewDecision)
        .where(ReviewDecision.id == decision_id, ReviewDecision.undone_at.is_(None))
        .values(undone_at=func.now(), undone_by=actor_id)
        .returning(ReviewDecision)
    )
    if decision is None:
        name = session.scalar(
            select(name_of(Profile))
            .join(ReviewDecision, ReviewDecision.undone_by == Profile.id)
            .where(ReviewDecision.id == decision_id)
        )
        raise ConflictError(Conflict.UNDONE, who=name)
    return decision


def restore(
    session: Session, submission: Submission, run: Run, decision: ReviewDecision, actor_id: uuid.UUID
) -> None:
    """Give the entry, its run, its fields and what waits of it back what they were before the decision."""
    kept = decision.before
    uncount_decision(session, decision.id)
    restore_entry(submission, kept)
    restore_set_aside(session, submission, kept)
    restore_run(run, kept, waits=decision.kind in (DecisionKind.ESCALATION, DecisionKind.DUPLICATE))
    submission.version += 1
    submission.updated_at = utcnow()
    changed = restore_fields(session, submission.id, kept["fields"])
    for name, (was, now) in changed.items():
        session.add(
            event(
                submission,
                "undone",
                actor_id,
                field_name=name,
                before=was,
                after=now,
                message=undid(decision),
            )
        )
    if decision.kind == DecisionKind.EDIT:
        tell_items(session, submission.id, {name: now for name, (_, now) in changed.items()}, by_person=False)
    if kept.get("escalates", True):
        restore_escalation(session, run, kept)
    if decision.kind == DecisionKind.SUGGESTION:
        _wait_again(session, decision)
    restore_suggestions(session, [uuid.UUID(found) for found in kept.get("suggestions", ())])


def _wait_again(session: Session, decision: ReviewDecision) -> None:
    """Set the proposal and each of its fields to pending again."""
    assert decision.item_id is not None, "a decision on a proposal names it"
    restore_suggestions(session, [decision.item_id])
    session.execute(
        update(ReviewSuggestionField)
        .where(ReviewSuggestionField.suggestion_id == decision.item_id)
        .values(decision=FieldDecision.PENDING.value, final_value=None, decided_by=None, decided_at=None)
    )


def hand_down(session: Session, submission: Submission, decision: ReviewDecision) -> None:
    """Give the previous decision the entry's present version, so that it can be undone next."""
    session.execute(
        update(ReviewDecision)
        .where(
            ReviewDecision.submission_id == submission.id,
            ReviewDecision.version == decision.before["version"],
            ReviewDecision.undone_at.is_(None),
        )
        .values(version=submission.version)
    )


def undid(decision: ReviewDecision) -> Message:
    """Return what the history says was taken back."""
    return Message.of(EventReason.UNDID, decision_kind=decision.kind)
