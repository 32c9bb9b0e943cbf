"""Record that a report failed: visible, with a sentence that helps, and with a retry."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.errors import AppError
from core.models import Report, ReportStatus
from services.context import Context

_OPEN = (ReportStatus.QUEUED.value, ReportStatus.RUNNING.value, ReportStatus.AWAITING_PLAN.value)


def fail_report(context: Context, report_id: uuid.UUID, error: AppError) -> None:
    """Mark a report as failed, unless it has ended or another worker holds it meanwhile."""
    with context.database.session() as session:
        report = session.get_one(Report, report_id, with_for_update=True)
        if report.status not in _OPEN or (report.lease_until is not None and report.lease_until > utcnow()):
            return
        report.status = ReportStatus.FAILED.value
        report.ended_because = "error"
        report.error_code = error.code
        report.error_message = error.help_message
        report.lease_owner = report.lease_until = None
        report.finished_at = report.updated_at = utcnow()
        report.version += 1
