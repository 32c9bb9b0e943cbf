"""Stop a report; what was found stays."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.errors import ConflictError, NotFoundError
from core.models import Report, ReportStatus
from core.models.leases import REPORT_LEASES
from services.context import Context
from services.reports.codes import ReportCode

_STOPPABLE = (ReportStatus.QUEUED.value, ReportStatus.RUNNING.value, ReportStatus.AWAITING_PLAN.value)


def cancel_report(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID) -> None:
    """Ask for the report to stop: at once where nobody works on it, else after the step at hand.

    Raises ConflictError when it has ended already; asking twice is fine.
    """
    with context.database.session() as session:
        report = session.get(Report, report_id, with_for_update={"key_share": True})
        if report is None:
            raise NotFoundError("no such report")
        if report.status not in _STOPPABLE:
            raise ConflictError(ReportCode.REPORT_OVER)
        if report.cancel_requested_at is None:
            report.cancel_requested_by = actor_id
            report.cancel_requested_at = func.now()
        if REPORT_LEASES.current(session, report_id) is None:
            REPORT_LEASES.end(report)
            report.status = report.ended_because = ReportStatus.CANCELLED.value
            report.finished_at = func.now()
        report.version += 1
        report.updated_at = func.now()
