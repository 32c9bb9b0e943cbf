"""Record that a supervision failed, so that the error is shown; the report's versions are kept."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.errors import AppError
from core.models import OPEN_SUPERVISIONS, ReportSupervision, SupervisionStatus
from core.models.leases import SUPERVISION_LEASES
from research.supervision.revisions import withdraw_pending
from research.supervision.types import Ended
from services.context import Context


def fail_supervision(context: Context, supervision_id: uuid.UUID, error: AppError) -> None:
    """Mark a supervision as failed, unless it has ended or another worker has leased it."""
    with context.database.session() as session:
        row = SUPERVISION_LEASES.lock_expired(
            session, supervision_id, ReportSupervision.status.in_(OPEN_SUPERVISIONS)
        )
        if row is None:
            return
        withdraw_pending(session, supervision_id)
        row.status = SupervisionStatus.FAILED.value
        row.phase = ""
        row.ended_because = Ended.ERROR.value
        row.error_code = error.code
        SUPERVISION_LEASES.end(row)
        row.finished_at = row.updated_at = utcnow()
