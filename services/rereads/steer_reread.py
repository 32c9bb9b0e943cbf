"""What people do with what was read anew: take it, leave it, take it back, stop."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import ColumnElement, func, select, update

from core.errors import ConflictError, NotFoundError
from core.models import Reread, RereadItem, RereadStatus
from services.accounts.person import Person
from services.context import Context
from services.messages.lists import ListRefused
from services.recovery.kinds import REREADS
from services.recovery.work import enqueue


def take_items(context: Context, person: Person, reread_id: uuid.UUID, ids: Collection[uuid.UUID] | None) -> int:
    """Have what differs taken of these items, of all for None; return how many.

    Raises NotFoundError, ConflictError if nothing of them waits for that.
    """
    here = [] if ids is None else [RereadItem.id.in_(ids)]
    values = {"decided_by": person.id, "decided_at": func.now()}
    keys = _turn(context, reread_id, RereadStatus.DIFFERS, RereadStatus.TAKING, *here, **values)
    if not keys:
        raise ConflictError(ListRefused.NOTHING_DIFFERS)
    enqueue(context, REREADS, *keys)
    return len(keys)


def leave_items(context: Context, person: Person, reread_id: uuid.UUID) -> int:
    """Leave the rest as it was, and forget what was read anew; return how many. Raises NotFoundError."""
    values = {"decided_by": person.id, "decided_at": func.now(), "reading": None}
    return len(_turn(context, reread_id, RereadStatus.DIFFERS, RereadStatus.LEFT, **values))


def take_back_items(context: Context, person: Person, reread_id: uuid.UUID) -> int:
    """Have all that was taken taken back; return how many. Raises NotFoundError, ConflictError for nothing."""
    values = {"undone_by": person.id, "undone_at": func.now()}
    keys = _turn(context, reread_id, RereadStatus.TAKEN, RereadStatus.UNDOING, **values)
    if not keys:
        raise ConflictError(ListRefused.NOT_UNDOABLE)
    enqueue(context, REREADS, *keys)
    return len(keys)


def stop_reread(context: Context, reread_id: uuid.UUID) -> None:
    """Leave out what is not read yet; what is not taken, or taken back, yet stays so. Raises NotFoundError."""
    _turn(context, reread_id, RereadStatus.WAITING, RereadStatus.LEFT)
    _turn(context, reread_id, RereadStatus.TAKING, RereadStatus.DIFFERS)
    _turn(context, reread_id, RereadStatus.UNDOING, RereadStatus.TAKEN)


def _turn(
    context: Context,
    reread_id: uuid.UUID,
    known: RereadStatus,
    to: RereadStatus,
    *where: ColumnElement[bool],
    **values: object,
) -> list[uuid.UUID]:
    with context.database.session() as session:
        if session.scalar(select(Reread.id).where(Reread.id == reread_id)) is None:
            raise NotFoundError("no such reading anew")
        begun = {"attempts": 0, "enqueued_at": None, "reason": None}
        return list(
            session.scalars(
                update(RereadItem)
                .where(RereadItem.reread_id == reread_id, RereadItem.status == known.value, *where)
                .values(status=to.value, **begun, **values)
                .returning(RereadItem.id)
            )
        )
