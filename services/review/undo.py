"""Undo decisions: restore what they changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError, NotFoundError
from core.messages import Message
from core.models import (
    DecisionKind,
    DuplicatePair,
    FieldDecision,
    PairDecision,
    Profile,
    ReviewDecision,
    ReviewSuggestionField,
    Run,
    Submission,
)
from pipeline.supabase_db import restore_fields
from services.accounts.person import name_of
from services.audit import event
from services.context import Context
from services.entries.decided_rows import (
    lock_entry,
    lock_run,
    lost_entry,
    restore_entry,
    restore_escalation,
    restore_run,
    restore_set_aside,
    tell_items,
)
from services.entries.detail import replacement_of
from services.items.holds import refuse_if_held
from services.messages.entries import Conflict, EventReason, ItemLabel
from services.runs.settle import restore_suggestions
from services.stats.counts import uncount_decision
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
        decision = win_decision(session, actor_id, decision_id)
        if submission.version != decision.version:
            raise lost_entry(session, submission.id)
        refuse_if_held(session, submission.id, actor_id)
        run = lock_run(session, decision.before["run"]["run_id"])
        status = submission.status
        restore_before_decision(session, submission, run, decision, actor_id)
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
            submission = entries[decision.submission_id]
            win_decision(session, actor_id, decision.id)
            if submission.version != decision.version:
                raise lost_entry(session, submission.id)
            refuse_if_held(session, submission.id, actor_id)
            status_before = submission.status
            restore_before_decision(
                session, submission, lock_run(session, decision.before["run"]["run_id"]), decision, actor_id
            )
            session.add(
                event(
                    submission,
                    "undone",
                    actor_id,
                    before=status_before,
                    after=submission.status,
                    message=undid(decision),
                )
            )
            hand_down(session, submission, decision)


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


# Restore what a decision has changed: the parts that the undoing of every kind of decision has in common.


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


def restore_before_decision(
    session: Session, submission: Submission, run: Run, decision: ReviewDecision, actor_id: uuid.UUID
) -> None:
    """Restore the entry, its run, its fields and its pending items as they were before the decision."""
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
    """Return what the history says was undone."""
    return Message.of(EventReason.UNDID, decision_kind=decision.kind)
