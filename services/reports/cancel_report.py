"""Stop a report; its results so far are kept."""

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
    """Stop the report: at once if no worker has it, otherwise after the worker's current step.

    Raises NotFoundError, and ConflictError if it has ended. Repeating it is no error.
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
