"""Stop a supervision; the versions of the report so far are kept."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.errors import ConflictError, NotFoundError
from core.models import OPEN_SUPERVISIONS, ReportSupervision, SupervisionStatus
from core.models.leases import SUPERVISION_LEASES
from research.supervision.revisions import withdraw_pending
from research.supervision.types import Ended
from services.context import Context
from services.supervision.codes import SupervisionCode


def cancel_supervision(context: Context, actor_id: uuid.UUID, supervision_id: uuid.UUID) -> None:
    """Stop the supervision: at once if no worker has it, otherwise after the worker's current step.

    A pending revision is withdrawn: it can still be read but not decided. Raises NotFoundError, and ConflictError
    if the supervision has ended. Repeating it is no error.
    """
    with context.database.session() as session:
        row = session.get(ReportSupervision, supervision_id, with_for_update={"key_share": True})
        if row is None:
            raise NotFoundError("no such supervision")
        if row.status not in OPEN_SUPERVISIONS:
            raise ConflictError(SupervisionCode.SUPERVISION_OVER)
        if row.cancel_requested_at is None:
            row.cancel_requested_by = actor_id
            row.cancel_requested_at = func.now()
        withdraw_pending(session, supervision_id)
        if SUPERVISION_LEASES.current(session, supervision_id) is None:
            SUPERVISION_LEASES.end(row)
            row.status = SupervisionStatus.CANCELLED.value
            row.phase = ""
            row.ended_because = Ended.CANCELLED.value
            row.finished_at = func.now()
        row.updated_at = func.now()
