"""Record that a report failed, so that the error is shown and the report can be retried."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.error_codes import ErrorCode
from core.errors import AppError
from core.models import Report, ReportStatus
from core.models.leases import REPORT_LEASES
from services.context import Context

#: Their messages are about files.
_UNFINISHED = (ErrorCode.GAVE_UP, ErrorCode.TOOK_TOO_LONG)
_OPEN = (ReportStatus.QUEUED.value, ReportStatus.RUNNING.value, ReportStatus.AWAITING_PLAN.value)


def fail_report(context: Context, report_id: uuid.UUID, error: AppError) -> None:
    """Mark a report as failed, unless it has ended or another worker has leased it."""
    with context.database.session() as session:
        report = REPORT_LEASES.lock_expired(session, report_id, Report.status.in_(_OPEN))
        if report is None:
            return
        report.status = ReportStatus.FAILED.value
        report.ended_because = "error"
        report.error_code = ErrorCode.REPORT_UNFINISHED if error.code in _UNFINISHED else error.code
        REPORT_LEASES.end(report)
        report.finished_at = report.updated_at = utcnow()
        report.version += 1
