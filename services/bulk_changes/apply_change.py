"""Apply a change of many entries: each at the version of its preview, in a transaction of its own."""

from __future__ import annotations

from sqlalchemy import select, update

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.messages import Message
from core.models import BulkChange, BulkChangeItem, BulkItemStatus, BulkStatus, ReviewDecision
from services.bulk_changes.stage import Stage
from services.context import Context
from services.entries.edit_record import BulkOf, edit_record
from services.schools.rename_school import rename_school
from services.seasons import season_policy


def apply_change(stage: Stage) -> None:
    """Change each entry of the preview that has not changed since; safe to repeat, and stopped between two."""
    context, bulk_id = stage.context, stage.lease.key
    with context.database.session() as session:
        change = stage.lease.hold(session)
        if change.school_id is not None and not change.school_renamed:
            assert change.new_value is not None, "a rename has a new value"
            change.school_renamed = rename_school(session, change.school_id, change.new_value)
            session.flush()
        bulk = BulkOf(bulk_id, season_policy(session, change.season_id, context.settings))
        items = session.scalars(
            select(BulkChangeItem)
            .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.READY.value)
            .order_by(BulkChangeItem.id)
        ).all()
        # Of a worker that was stopped between the change of an entry and the note of it.
        done = set(
            session.scalars(
                select(ReviewDecision.submission_id).where(
                    ReviewDecision.bulk_id == bulk_id, ReviewDecision.undone_at.is_(None)
                )
            )
        )
    for item in items:
        known = item.submission_id in done
        status, why = (BulkItemStatus.CHANGED, None) if known else _changed(context, change, item, bulk)
        with context.database.session() as session:
            session.execute(
                update(BulkChangeItem).where(BulkChangeItem.id == item.id).values(status=status.value, reason=why)
            )
        if not stage.goes_on():
            return
    stage.finish(BulkStatus.DONE)


def _changed(
    context: Context, change: BulkChange, item: BulkChangeItem, bulk: BulkOf
) -> tuple[BulkItemStatus, Message | None]:
    assert item.version is not None, "the preview has been prepared"
    try:
        edit_record(
            context,
            change.requested_by,
            item.submission_id,
            item.version,
            {change.field_name: change.new_value},
            change.reason,
            bulk=bulk,
        )
    except (ConflictError, InvalidInputError, NotFoundError) as error:
        return BulkItemStatus.LOST, error.told
    return BulkItemStatus.CHANGED, None
