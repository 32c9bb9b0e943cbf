"""Retry a supervision that failed, was stopped or found nothing to compare."""

from __future__ import annotations

import uuid

from core.errors import NotFailedError, NotFoundError
from core.models import ReportSupervision, SupervisionStatus
from research.supervision.types import Ended
from services.context import Context
from services.supervision.codes import SupervisionCode
from services.supervision.start_supervision import start_supervision

_RETRIABLE = (SupervisionStatus.FAILED.value, SupervisionStatus.CANCELLED.value)


def retry_supervision(context: Context, actor_id: uuid.UUID, supervision_id: uuid.UUID) -> uuid.UUID:
    """Start a new supervision of the same tier, mode and budget on the report's current version; return its id.

    That version contains what the earlier supervision integrated. Raises NotFoundError, NotFailedError if the
    earlier one cannot be retried, and ConflictError during another supervision.
    """
    with context.database.session() as session:
        row = session.get(ReportSupervision, supervision_id)
    if row is None:
        raise NotFoundError("no such supervision")
    if row.status not in _RETRIABLE and row.ended_because != Ended.NOTHING_TO_COMPARE:
        raise NotFailedError(SupervisionCode.SUPERVISION_NOT_FAILED)
    return start_supervision(context, actor_id, row.report_id, row.tier, row.mode, row.budget)
