"""Undo a change of many entries as one: every entry that has not changed since."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update

from core.errors import ConflictError, NotFoundError
from core.messages import Message
from core.models import BulkChangeItem, BulkItemStatus, BulkStatus, ReviewDecision
from services.bulk_changes.stage import Stage
from services.context import Context
from services.review.undo_decision import undo_decision
from services.schools.rename_school import restore_school


def undo_change(stage: Stage) -> None:
    """Give each changed entry its value back; those that changed since are kept and say why. Safe to repeat."""
    context, bulk_id = stage.context, stage.lease.key
    with context.database.session() as session:
        change = stage.lease.hold(session)
        assert change.undone_by is not None, "somebody undoes it"
        actor_id = change.undone_by
        if change.school_id is not None and change.school_renamed:
            assert change.old_value is not None and change.new_value is not None, "it was a rename"
            restore_school(session, change.school_id, change.old_value, change.new_value)
            change.school_renamed = False
        rows = session.execute(
            select(BulkChangeItem.id, ReviewDecision)
            .join(
                ReviewDecision,
                (ReviewDecision.bulk_id == BulkChangeItem.bulk_id)
                & (ReviewDecision.submission_id == BulkChangeItem.submission_id),
            )
            .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.CHANGED.value)
            .order_by(BulkChangeItem.id)
        ).all()
    for item_id, decision in rows:
        status, why = _undone(context, actor_id, decision)
        with context.database.session() as session:
            session.execute(
                update(BulkChangeItem).where(BulkChangeItem.id == item_id).values(status=status.value, reason=why)
            )
        if not stage.goes_on():
            return
    stage.finish(BulkStatus.UNDONE)


def _undone(
    context: Context, actor_id: uuid.UUID, decision: ReviewDecision
) -> tuple[BulkItemStatus, Message | None]:
    if decision.undone_at is not None and decision.undone_by == actor_id:
        # By a worker that was stopped before it could note it, or by the same person before.
        return BulkItemStatus.UNDONE, None
    try:
        undo_decision(context, actor_id, decision.id)
    except (ConflictError, NotFoundError) as error:
        return BulkItemStatus.KEPT, error.told
    return BulkItemStatus.UNDONE, None
