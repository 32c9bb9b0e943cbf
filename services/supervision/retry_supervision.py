"""Begin a loop again that failed or was stopped."""

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
    """A new loop of the same tier, mode and budget over the report as it stands now; its id.

    What the failed one had integrated is in that version already. Raises NotFailedError where it neither failed
    nor was stopped, nor had nothing to compare, ConflictError while another loop is under way.
    """
    with context.database.session() as session:
        row = session.get(ReportSupervision, supervision_id)
    if row is None:
        raise NotFoundError("no such supervision")
    if row.status not in _RETRIABLE and row.ended_because != Ended.NOTHING_TO_COMPARE:
        raise NotFailedError(SupervisionCode.SUPERVISION_NOT_FAILED)
    return start_supervision(context, actor_id, row.report_id, row.tier, row.mode, row.budget)
