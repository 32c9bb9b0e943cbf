"""Retry a report that failed or was stopped."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, update

from core.clock import utcnow
from core.errors import NotFailedError, NotFoundError
from core.models import Report, ReportCall, ReportStatus
from services.context import Context
from services.recovery.kinds import REPORTS
from services.recovery.work import enqueue
from services.reports.codes import ReportCode

_RETRIABLE = (ReportStatus.FAILED.value, ReportStatus.CANCELLED.value)


def retry_report(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID) -> None:
    """Queue the report to continue from its last checkpoint. Only model calls that failed are repeated.

    Raises NotFoundError, and NotFailedError if the report neither failed nor was stopped.
    """
    with context.database.session() as session:
        taken = session.scalar(
            update(Report)
            .where(Report.id == report_id, Report.status.in_(_RETRIABLE))
            .values(
                status=ReportStatus.QUEUED.value,
                attempts=0,
                enqueued_at=None,
                finished_at=None,
                ended_because=None,
                error_code=None,
                cancel_requested_by=None,
                cancel_requested_at=None,
                pruned_at=None,
                version=Report.version + 1,
                updated_at=utcnow(),
            )
            .returning(Report.id)
        )
        if taken is None:
            if session.get(Report, report_id) is None:
                raise NotFoundError("no such report")
            raise NotFailedError(ReportCode.REPORT_NOT_FAILED)
        session.execute(
            delete(ReportCall).where(ReportCall.report_id == report_id, ReportCall.error_code.is_not(None))
        )
    enqueue(context, REPORTS, report_id)
