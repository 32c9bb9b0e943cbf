"""What people do with a change of many entries: apply, stop, take back, try again, drop its preview."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, NotFailedError, NotFoundError
from core.models import BULK_WORKING, BulkChange, BulkChangeItem, BulkItemStatus, BulkStatus
from core.models.base import error_columns
from services.accounts.person import Person
from services.context import Context
from services.messages.lists import ListRefused
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import enqueue

_CHANGED = (BulkItemStatus.CHANGED.value, BulkItemStatus.UNDONE.value, BulkItemStatus.KEPT.value)
#: A change that was stopped or has failed while it was applied is taken back, too.
_UNDOABLE = (BulkStatus.DONE.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value)


def apply_previewed(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have the previewed change applied, in the name of whoever asked for it.

    Raises NotFoundError for a change of somebody else, ConflictError if there is no preview that waits.
    """
    own = BulkChange.requested_by == person.id
    _found(context, bulk_id, own)
    if not _turned(context, bulk_id, (BulkStatus.READY.value,), BulkStatus.APPLYING, own):
        raise ConflictError(ListRefused.NOT_READY)


def stop_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Let its worker stop after the entry in hand. Raises NotFoundError, ConflictError if it is not under way."""
    _found(context, bulk_id)
    with context.database.session() as session:
        stopped = session.scalar(
            update(BulkChange)
            .where(BulkChange.id == bulk_id, BulkChange.status.in_(BULK_WORKING))
            .values(status=BulkStatus.STOPPED.value, finished_at=func.now())
            .returning(BulkChange.id)
        )
    if stopped is None:
        raise ConflictError(ListRefused.NOT_WORKING)


def take_back(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Have every entry that it changed changed back. Raises NotFoundError, ConflictError if nothing can be."""
    _found(context, bulk_id)
    changed = (
        select(BulkChangeItem.id)
        .where(BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status == BulkItemStatus.CHANGED.value)
        .exists()
    )
    if not _turned(context, bulk_id, _UNDOABLE, BulkStatus.UNDOING, changed, undone_by=person.id):
        raise ConflictError(ListRefused.NOT_UNDOABLE)


def retry_change(context: Context, bulk_id: uuid.UUID) -> None:
    """Go on with one that failed, where it ended. Raises NotFailedError."""
    with context.database.session() as session:
        change = session.get(BulkChange, bulk_id)
        stage = None if change is None else _stage_of(session, change)
    failed = (BulkStatus.FAILED.value,)
    if stage is None or not _turned(context, bulk_id, failed, stage, replace=True):
        raise NotFailedError(ListRefused.NOT_FAILED)


def drop_change(context: Context, person: Person, bulk_id: uuid.UUID) -> None:
    """Drop a preview of one's own by which nothing was changed. Raises NotFoundError, ConflictError."""
    own = BulkChange.requested_by == person.id
    _found(context, bulk_id, own)
    changed = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == bulk_id, BulkChangeItem.status.in_(_CHANGED)
    )
    idle = BulkChange.status.in_((BulkStatus.READY.value, BulkStatus.STOPPED.value, BulkStatus.FAILED.value))
    with context.database.session() as session:
        gone = session.scalar(
            delete(BulkChange)
            .where(BulkChange.id == bulk_id, own, idle, ~changed.exists())
            .returning(BulkChange.id)
        )
    if gone is None:
        raise ConflictError(ListRefused.NOT_READY)


def _found(context: Context, bulk_id: uuid.UUID, *where: ColumnElement[bool]) -> None:
    with context.database.session() as session:
        if session.scalar(select(BulkChange.id).where(BulkChange.id == bulk_id, *where)) is None:
            raise NotFoundError("no such change of many entries")


def _turned(
    context: Context,
    bulk_id: uuid.UUID,
    known: Collection[str],
    to: BulkStatus,
    *where: ColumnElement[bool],
    replace: bool = False,
    undone_by: uuid.UUID | None = None,
) -> bool:
    """Begin a stage and queue it; False if the change is in none of the known statuses."""
    values = {} if undone_by is None else {"undone_by": undone_by, "undone_at": func.now()}
    with context.database.session() as session:
        won = session.scalar(
            update(BulkChange)
            .where(BulkChange.id == bulk_id, BulkChange.status.in_(known), *where)
            .values(
                status=to.value,
                items_done=0,
                attempts=0,
                enqueued_at=None,
                finished_at=None,
                **error_columns(None),
                **values,
            )
            .returning(BulkChange.id)
        )
    if won is None:
        return False
    enqueue(context, BULK_CHANGES, bulk_id, replace=replace)
    return True


def _stage_of(session: Session, change: BulkChange) -> BulkStatus:
    """Return the stage that a failed change was in."""
    if change.undone_by is not None:
        return BulkStatus.UNDOING
    chosen = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == change.id, BulkChangeItem.status == BulkItemStatus.CHOSEN.value
    )
    touched = select(BulkChangeItem.id).where(
        BulkChangeItem.bulk_id == change.id, BulkChangeItem.status.in_((*_CHANGED, BulkItemStatus.LOST.value))
    )
    if session.scalar(select(chosen.exists())) or not session.scalar(select(touched.exists())):
        return BulkStatus.PREPARING
    return BulkStatus.APPLYING
