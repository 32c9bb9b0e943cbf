"""Undo a decision: restore the entry and its pending items, as long as the entry has not changed since."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, NotFoundError
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
from services.context import Context
from services.entries.decided_rows import lock_entry, lock_run, refuse_if_held, tell_items
from services.entries.lost_race import lost_entry
from services.entries.snapshot import restore_entry, restore_escalation, restore_run
from services.messages.conflict import Conflict
from services.messages.event import EventReason
from services.runs.pending_items import restore_suggestions
from services.stats.count import uncount_decision


@dataclass(frozen=True)
class Undone:
    """Result of undoing a decision."""

    submission_id: uuid.UUID
    kind: DecisionKind
    #: The proposal or escalation that is pending again; None for an edit.
    item_id: uuid.UUID | None


def undo_decision(context: Context, actor_id: uuid.UUID, decision_id: uuid.UUID) -> Undone:
    """Restore everything that the decision changed, in one transaction. A decision can be undone once.

    The thread of a run that was already resumed with the decision has ended; the next decision settles such a run
    from its row. Raises NotFoundError, and ConflictError, saying who did what, if the decision was undone already,
    the entry has changed since or another person holds it.
    """
    with context.database.session() as session:
        entry_id = session.scalar(select(ReviewDecision.submission_id).where(ReviewDecision.id == decision_id))
        if entry_id is None:
            raise NotFoundError("no such decision")
        submission = lock_entry(session, entry_id)
        decision = _win(session, actor_id, decision_id)
        if submission.version != decision.version:
            raise lost_entry(session, submission.id)
        refuse_if_held(session, submission.id, actor_id)
        run = lock_run(session, decision.before["run"]["run_id"])
        status = submission.status
        _restore(session, submission, run, decision, actor_id)
        session.add(
            event(
                submission,
                "undone",
                actor_id,
                before=status,
                after=submission.status,
                message=_undid(decision),
            )
        )
        _hand_down(session, submission, decision)
        return Undone(submission.id, DecisionKind(decision.kind), decision.item_id)


def last_decision(
    context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID | None = None
) -> uuid.UUID | None:
    """Return the id of this person's newest decision that is not undone, on this entry if one is given."""
    query = select(ReviewDecision.id).where(
        ReviewDecision.actor_id == actor_id, ReviewDecision.undone_at.is_(None)
    )
    if submission_id is not None:
        query = query.where(ReviewDecision.submission_id == submission_id)
    with context.database.session() as session:
        return session.scalar(query.order_by(ReviewDecision.created_at.desc(), ReviewDecision.id).limit(1))


def _win(session: Session, actor_id: uuid.UUID, decision_id: uuid.UUID) -> ReviewDecision:
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


def _restore(
    session: Session, submission: Submission, run: Run, decision: ReviewDecision, actor_id: uuid.UUID
) -> None:
    kept = decision.before
    uncount_decision(session, decision.id)
    restore_entry(submission, kept)
    restore_run(run, kept, waits=decision.kind == DecisionKind.ESCALATION)
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
                message=_undid(decision),
            )
        )
    if decision.kind == DecisionKind.EDIT:
        tell_items(session, submission.id, {name: now for name, (_, now) in changed.items()}, by_person=False)
    if kept.get("escalates", True):
        restore_escalation(session, run, kept)
    if decision.kind == DecisionKind.SUGGESTION:
        _wait_again(session, decision)


def _wait_again(session: Session, decision: ReviewDecision) -> None:
    """Set the proposal and each of its fields to pending again."""
    assert decision.item_id is not None, "a decision on a proposal names it"
    restore_suggestions(session, [decision.item_id])
    session.execute(
        update(ReviewSuggestionField)
        .where(ReviewSuggestionField.suggestion_id == decision.item_id)
        .values(decision=FieldDecision.PENDING.value, final_value=None, decided_by=None, decided_at=None)
    )


def _hand_down(session: Session, submission: Submission, decision: ReviewDecision) -> None:
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


def _undid(decision: ReviewDecision) -> Message:
    return Message.of(EventReason.UNDID, decision_kind=decision.kind)
