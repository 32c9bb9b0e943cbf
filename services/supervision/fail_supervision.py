"""Record that a loop failed: visible, with a sentence that helps; the last good version stays."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.errors import AppError
from core.models import ReportSupervision, SupervisionStatus
from research.supervision.revision_store import withdraw_pending
from research.supervision.types import Ended
from services.context import Context
from services.supervision.lease import OPEN


def fail_supervision(context: Context, supervision_id: uuid.UUID, error: AppError) -> None:
    """Mark a loop as failed, unless it has ended or another worker holds it meanwhile."""
    with context.database.session() as session:
        row = session.get_one(ReportSupervision, supervision_id, with_for_update={"key_share": True})
        if row.status not in OPEN or (row.lease_until is not None and row.lease_until > utcnow()):
            return
        withdraw_pending(session, supervision_id)
        row.status = SupervisionStatus.FAILED.value
        row.phase = ""
        row.ended_because = Ended.ERROR.value
        row.error_code = error.code
        row.error_message = error.help_message
        row.lease_owner = row.lease_until = None
        row.finished_at = row.updated_at = utcnow()
