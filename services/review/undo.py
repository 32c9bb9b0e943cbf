"""Undo decisions: restore what they changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.models import (
    DecisionKind,
    DuplicatePair,
    PairDecision,
    ReviewDecision,
)
from services.context import Context
from services.entries.decision import lock_entry, restore_before
from services.entries.detail import replacement_of
from services.messages.entries import Conflict, ItemLabel
from services.uploads.contents import lock_entries
from services.uploads.resplit import undo_resplit

# Undo a decision: restore the entry and its pending items, as long as the entry has not changed since.


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
        decision = restore_before(session, submission, decision_id, actor_id)
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


def undo_pair(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID) -> None:
    """Restore both entries, in one transaction; the pair waits again.

    Raises NotFoundError, and ConflictError, saying who did what, if there is no decision to undo or one of
    the entries has changed since.
    """
    split_id = _joined_by(context, pair_id)
    if split_id is not None:
        undo_resplit(context, actor_id, split_id)
        return
    with context.database.session() as session:
        pair = session.get_one(DuplicatePair, pair_id)
        entries = lock_entries(session, (pair.first_id, pair.second_id))
        reopened = session.scalar(
            update(DuplicatePair)
            .where(DuplicatePair.id == pair_id, DuplicatePair.decision.is_not(None))
            .values(decision=None, decided_by=None, decided_at=None, version=DuplicatePair.version + 1)
            .returning(DuplicatePair.id)
        )
        if reopened is None:
            raise ConflictError(Conflict.CHANGED, item=ItemLabel.PAIR)
        for decision in _decisions(session, pair_id):
            restore_before(session, entries[decision.submission_id], decision.id, actor_id)


def _joined_by(context: Context, pair_id: uuid.UUID) -> uuid.UUID | None:
    """Return the correction that joined the two entries, None if they were not joined. Raises NotFoundError."""
    with context.database.session() as session:
        pair = session.get(DuplicatePair, pair_id)
        if pair is None:
            raise NotFoundError("no such pair")
        if pair.decision != PairDecision.JOIN:
            return None
        found = replacement_of(session, pair.first_id)
        return None if found is None else found.id


def _decisions(session: Session, pair_id: uuid.UUID) -> Sequence[ReviewDecision]:
    return session.scalars(
        select(ReviewDecision)
        .where(
            ReviewDecision.item_id == pair_id,
            ReviewDecision.kind == DecisionKind.DUPLICATE.value,
            ReviewDecision.undone_at.is_(None),
        )
        .order_by(ReviewDecision.submission_id)
    ).all()
