"""Reports that a crash left between the database and the queue, and checkpoints that nobody needs any more."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import and_, func, or_, select, update

from core.checkpoints import open_pool, open_saver
from core.clock import utcnow
from core.models import Report, ReportStatus
from services.context import Context
from services.enqueue import enqueue_report
from services.reports.lease import approved_and_waiting

_BATCH = 500
#: A report that failed or was stopped is often taken up again; after this its tables alone must do.
_KEPT = timedelta(days=1)


def reconcile_reports(context: Context) -> int:
    """Queue reports that no job stands for, running ones whose lease ran out, and approved plans."""
    stale = utcnow() - timedelta(seconds=context.settings.lease_seconds)
    with context.database.session() as session:
        rows = session.execute(
            select(Report.id, Report.status)
            .where(
                or_(
                    Report.status.in_([ReportStatus.QUEUED.value, ReportStatus.RUNNING.value]),
                    approved_and_waiting(),
                ),
                or_(Report.enqueued_at.is_(None), Report.enqueued_at < stale),
                or_(Report.lease_until.is_(None), Report.lease_until < func.now()),
            )
            .limit(_BATCH)
        ).all()
    for report_id, status in rows:
        enqueue_report(context, report_id, replace=status != ReportStatus.QUEUED)
    return len(rows)


def prune_reports(context: Context) -> int:
    """Remove the checkpoints of reports that are over."""
    given_up = Report.status.in_([ReportStatus.FAILED.value, ReportStatus.CANCELLED.value])
    with context.database.session() as session:
        over = session.scalars(
            select(Report.id)
            .where(
                Report.pruned_at.is_(None),
                or_(
                    Report.status == ReportStatus.DONE.value,
                    and_(given_up, Report.finished_at < utcnow() - _KEPT),
                ),
            )
            .limit(_BATCH)
        ).all()
    if not over:
        return 0
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        saver = open_saver(pool)
        for report_id in over:
            saver.delete_thread(str(report_id))
    finally:
        pool.close()
    with context.database.session() as session:
        session.execute(update(Report).where(Report.id.in_(over)).values(pruned_at=func.now()))
    return len(over)
