"""Do what is due of one entry that is read anew; run by a job, safe to repeat."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping

from sqlalchemy import case, update

from core.errors import AppError
from core.lease import Lease
from core.models import RereadItem, RereadStatus
from core.models.leases import REREAD_LEASES
from services.context import Context
from services.recovery.kinds import REREADS
from services.recovery.work import keeping, take
from services.rereads.read_item import read_item
from services.rereads.take_item import take_item
from services.rereads.undo_item import undo_item

_STEPS: Mapping[str, Callable[[Context, Lease[RereadItem]], None]] = {
    RereadStatus.WAITING.value: read_item,
    RereadStatus.TAKING.value: take_item,
    RereadStatus.UNDOING.value: undo_item,
}


def work_item(context: Context, item_id: uuid.UUID) -> bool:
    """Read, take or take back; return False if there was nothing to do. Raises what reading an entry raises."""
    lease = take(context, REREADS, item_id)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            status = lease.hold(session).status
        if status in _STEPS:
            _STEPS[status](context, lease)
    return True


def fail_item(context: Context, item_id: uuid.UUID, error: AppError) -> None:
    """Note that it could not be done, and why; the entry stands as it did."""
    before = case(
        (RereadItem.status == RereadStatus.TAKING.value, RereadStatus.DIFFERS.value),
        (RereadItem.status == RereadStatus.UNDOING.value, RereadStatus.TAKEN.value),
        else_=RereadStatus.FAILED.value,
    )
    with context.database.session() as session:
        session.execute(
            update(RereadItem)
            .where(RereadItem.id == item_id, REREADS.due, REREAD_LEASES.expired())
            .values(status=before, reason=error.told)
        )
