"""Undo a decision: restore the entry and its pending items, as long as the entry has not changed since."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import (
    DecisionKind,
    ReviewDecision,
)
from services.audit import event
from services.context import Context
from services.entries.decided_rows import lock_entry, lock_run, refuse_if_held
from services.entries.lost_race import lost_entry
from services.review.duplicates.undo_pair import undo_pair
from services.review.restore_decision import hand_down, restore, undid, win_decision


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
        pair_id = _pair_of(session, decision_id)
    if pair_id is not None:
        return _undo_pair(context, actor_id, decision_id, pair_id)
    with context.database.session() as session:
        submission = lock_entry(session, entry_id)
        decision = win_decision(session, actor_id, decision_id)
        if submission.version != decision.version:
            raise lost_entry(session, submission.id)
        refuse_if_held(session, submission.id, actor_id)
        run = lock_run(session, decision.before["run"]["run_id"])
        status = submission.status
        restore(session, submission, run, decision, actor_id)
        session.add(
            event(
                submission,
                "undone",
                actor_id,
                before=status,
                after=submission.status,
                message=undid(decision),
            )
        )
        hand_down(session, submission, decision)
        return Undone(submission.id, DecisionKind(decision.kind), decision.item_id)


def _pair_of(session: Session, decision_id: uuid.UUID) -> uuid.UUID | None:
    """Return the pair that the decision is about; None for a decision on one entry."""
    return session.scalar(
        select(ReviewDecision.item_id).where(
            ReviewDecision.id == decision_id, ReviewDecision.kind == DecisionKind.DUPLICATE.value
        )
    )


def _undo_pair(context: Context, actor_id: uuid.UUID, decision_id: uuid.UUID, pair_id: uuid.UUID) -> Undone:
    undo_pair(context, actor_id, pair_id)
    with context.database.session() as session:
        decision = session.get_one(ReviewDecision, decision_id)
        return Undone(decision.submission_id, DecisionKind.DUPLICATE, pair_id)


def decision_on(context: Context, actor_id: uuid.UUID, item_id: uuid.UUID) -> uuid.UUID | None:
    """Return the id of this person's decision on the item that is not undone; None without one."""
    query = select(ReviewDecision.id).where(
        ReviewDecision.actor_id == actor_id, ReviewDecision.item_id == item_id, ReviewDecision.undone_at.is_(None)
    )
    with context.database.session() as session:
        return session.scalar(query.order_by(ReviewDecision.created_at.desc(), ReviewDecision.id).limit(1))


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
