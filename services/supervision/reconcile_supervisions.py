"""Loops that a crash left between the database and the queue, and checkpoints that nobody needs any more."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func, or_, select, update

from core.checkpoints import open_pool, open_saver
from core.clock import utcnow
from core.models import ReportSupervision, SupervisionStatus
from services.context import Context
from services.enqueue import enqueue_supervision
from services.supervision.lease import OPEN, free, to_be_done

_BATCH = 500


def reconcile_supervisions(context: Context) -> int:
    """Queue loops that no job stands for, running ones whose lease ran out, and decided revisions."""
    stale = utcnow() - timedelta(seconds=context.settings.lease_seconds)
    with context.database.session() as session:
        rows = session.execute(
            select(ReportSupervision.id, ReportSupervision.status)
            .where(
                to_be_done(),
                or_(ReportSupervision.enqueued_at.is_(None), ReportSupervision.enqueued_at < stale),
                free(),
            )
            .limit(_BATCH)
        ).all()
    for supervision_id, status in rows:
        enqueue_supervision(context, supervision_id, replace=status != SupervisionStatus.QUEUED)
    return len(rows)


def prune_supervisions(context: Context) -> int:
    """Remove the checkpoints of loops that are over: taken up again, they are begun anew."""
    with context.database.session() as session:
        over = session.scalars(
            select(ReportSupervision.id)
            .where(ReportSupervision.pruned_at.is_(None), ReportSupervision.status.not_in(OPEN), free())
            .limit(_BATCH)
        ).all()
    if not over:
        return 0
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        saver = open_saver(pool)
        for supervision_id in over:
            saver.delete_thread(str(supervision_id))
    finally:
        pool.close()
    with context.database.session() as session:
        session.execute(
            update(ReportSupervision).where(ReportSupervision.id.in_(over)).values(pruned_at=func.now())
        )
    return len(over)
