"""Take back the decision on two entries that may be one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFoundError
from core.models import DecisionKind, DuplicatePair, PairDecision, ReviewDecision
from services.audit import event
from services.context import Context
from services.entries.decided_rows import lock_run, refuse_if_held
from services.entries.lost_race import lost_entry
from services.entries.past_splits import replacement_of
from services.messages.conflict import Conflict, Item
from services.review.restore_decision import hand_down, restore, undid, win_decision
from services.uploads.entries_seen import lock_entries
from services.uploads.undo_resplit import undo_resplit


def undo_pair(context: Context, actor_id: uuid.UUID, pair_id: uuid.UUID) -> None:
    """Give both entries back what they were, in one transaction; the pair waits again.

    Raises NotFoundError, and ConflictError, saying who did what, if there is no decision to take back or one of
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
            raise ConflictError(Conflict.CHANGED, item=Item.PAIR)
        for decision in _decisions(session, pair_id):
            submission = entries[decision.submission_id]
            win_decision(session, actor_id, decision.id)
            if submission.version != decision.version:
                raise lost_entry(session, submission.id)
            refuse_if_held(session, submission.id, actor_id)
            stood = submission.status
            restore(session, submission, lock_run(session, decision.before["run"]["run_id"]), decision, actor_id)
            session.add(
                event(
                    submission,
                    "undone",
                    actor_id,
                    before=stood,
                    after=submission.status,
                    message=undid(decision),
                )
            )
            hand_down(session, submission, decision)


def _joined_by(context: Context, pair_id: uuid.UUID) -> uuid.UUID | None:
    """Return the correction that joined the two entries, None where they were not joined. Raises NotFoundError."""
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
