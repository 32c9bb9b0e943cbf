"""Stop a report; what was found stays."""

from __future__ import annotations

import uuid

from sqlalchemy import case, func, or_, update

from core.errors import ConflictError, NotFoundError
from core.models import Report, ReportStatus
from services.context import Context
from services.messages.conflict import Conflict

_STOPPABLE = (ReportStatus.QUEUED.value, ReportStatus.RUNNING.value, ReportStatus.AWAITING_PLAN.value)


def cancel_report(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID) -> None:
    """Ask for the report to stop: at once where nobody works on it, else after the step at hand.

    Raises ConflictError when it has ended already; asking twice is fine.
    """
    free = or_(Report.lease_until.is_(None), Report.lease_until < func.now())
    with context.database.session() as session:
        found = session.scalar(
            update(Report)
            .where(Report.id == report_id, Report.status.in_(_STOPPABLE))
            .values(
                cancel_requested_by=func.coalesce(Report.cancel_requested_by, actor_id),
                cancel_requested_at=func.coalesce(Report.cancel_requested_at, func.now()),
                status=case((free, ReportStatus.CANCELLED.value), else_=Report.status),
                ended_because=case((free, ReportStatus.CANCELLED.value), else_=Report.ended_because),
                finished_at=case((free, func.now()), else_=Report.finished_at),
                version=Report.version + 1,
                updated_at=func.now(),
            )
            .returning(Report.id)
        )
        if found is None:
            report = session.get(Report, report_id)
            if report is None:
                raise NotFoundError("no such report")
            raise ConflictError(Conflict.REPORT_IS, report_status=report.status)
