"""Do what is due of a change of many entries; run by a job, safe to repeat."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping

from sqlalchemy import func, update

from core.errors import AppError
from core.models import BulkChange, BulkStatus
from core.models.base import error_columns
from core.models.leases import BULK_LEASES
from services.bulk_changes.apply_change import apply_change
from services.bulk_changes.prepare_change import prepare_change
from services.bulk_changes.stage import Stage
from services.bulk_changes.undo_change import undo_change
from services.context import Context
from services.recovery.kinds import BULK_CHANGES
from services.recovery.work import keeping, take

_STAGES: Mapping[BulkStatus, Callable[[Stage], None]] = {
    BulkStatus.PREPARING: prepare_change,
    BulkStatus.APPLYING: apply_change,
    BulkStatus.UNDOING: undo_change,
}


def run_change(context: Context, bulk_id: uuid.UUID) -> bool:
    """Prepare, apply or undo it; return False if there was nothing to do. Raises LeaseLostError."""
    lease = take(context, BULK_CHANGES, bulk_id)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            status = BulkStatus(lease.hold(session).status)
        if status in _STAGES:
            _STAGES[status](Stage(context, lease, status))
    return True


def fail_change(context: Context, bulk_id: uuid.UUID, error: AppError) -> None:
    """Mark it as failed, with the code of the error; what was changed by then stands, and can be undone."""
    with context.database.session() as session:
        session.execute(
            update(BulkChange)
            .where(BulkChange.id == bulk_id, BULK_CHANGES.due, BULK_LEASES.expired())
            .values(status=BulkStatus.FAILED.value, finished_at=func.now(), **error_columns(error.told))
        )
