"""What a crash left between the database and the queue is found here and queued again, each minute."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func, or_, select, update

from core.checkpoints import open_pool, open_saver
from core.clock import utcnow
from core.models import Escalation, LibraryDocument, LibraryStatus, Run, RunStatus, Upload, UploadStatus
from pipeline.orchestrator.run import prune
from services.context import Context
from services.enqueue import enqueue_library_document, enqueue_resume, enqueue_run, enqueue_upload
from services.library.add_essays import refresh_essays
from services.reports.reconcile_reports import prune_reports, reconcile_reports
from services.supervision.reconcile_supervisions import prune_supervisions, reconcile_supervisions

_BATCH = 500


def reconcile(context: Context) -> int:
    """Queue everything that should be under way and is not; prune settled threads.

    Returns how many were looked after. Safe to run anywhere, at any time, by several at once.
    """
    queued = _uploads(context) + _runs(context) + _resumes(context) + _library(context)
    queued += reconcile_reports(context) + reconcile_supervisions(context)
    return queued + prune_settled(context) + prune_reports(context) + prune_supervisions(context)


def _uploads(context: Context) -> int:
    overdue = utcnow() - timedelta(seconds=context.settings.job_timeout_seconds)
    with context.database.session() as session:
        waiting = session.scalars(
            select(Upload.id)
            .where(
                Upload.status.in_([UploadStatus.STORED.value, UploadStatus.ANALYSING.value]),
                or_(Upload.enqueued_at.is_(None), Upload.updated_at < utcnow() - _lease(context)),
            )
            .limit(_BATCH)
        ).all()
        stale = set(session.scalars(select(Upload.id).where(Upload.id.in_(waiting), Upload.updated_at < overdue)))
    for upload_id in waiting:
        enqueue_upload(context, upload_id, replace=upload_id in stale)
    return len(waiting)


def _runs(context: Context) -> int:
    """A queued run that no job stands for, and a running one whose lease ran out."""
    with context.database.session() as session:
        rows = session.execute(
            select(Run.run_id, Run.status)
            .where(
                Run.status.in_([RunStatus.QUEUED.value, RunStatus.RUNNING.value]),
                or_(Run.enqueued_at.is_(None), Run.enqueued_at < utcnow() - _lease(context)),
                or_(Run.lease_until.is_(None), Run.lease_until < func.now()),
            )
            .limit(_BATCH)
        ).all()
    for run_id, status in rows:
        enqueue_run(context, run_id, replace=status == RunStatus.RUNNING)
    return len(rows)


def _resumes(context: Context) -> int:
    """A decision whose run was not resumed, and that no living lease stands for."""
    with context.database.session() as session:
        decided = session.scalars(
            select(Escalation.id)
            .join(Run, Run.run_id == Escalation.run_id)
            .where(
                Escalation.decided_at.is_not(None),
                Escalation.resumed_at.is_(None),
                or_(Run.lease_until.is_(None), Run.lease_until < func.now()),
            )
            .limit(_BATCH)
        ).all()
    for escalation_id in decided:
        # A job that is being run without a lease has lost its worker, or is about to find the lease taken.
        enqueue_resume(context, escalation_id, replace=True)
    return len(decided)


def _library(context: Context) -> int:
    """A document of the library that waits without a job, or whose reading says no more how far it is; and essays
    whose entries changed."""
    overdue = utcnow() - timedelta(seconds=context.settings.job_timeout_seconds)
    stale = utcnow() - _lease(context)
    with context.database.session() as session:
        rows = session.execute(
            select(LibraryDocument.id, LibraryDocument.updated_at)
            .where(
                LibraryDocument.status.in_([LibraryStatus.QUEUED.value, LibraryStatus.READING.value]),
                or_(LibraryDocument.enqueued_at.is_(None), LibraryDocument.updated_at < stale),
            )
            .limit(_BATCH)
        ).all()
    for document_id, updated_at in rows:
        enqueue_library_document(context, document_id, replace=updated_at < overdue)
    essays = refresh_essays(context)
    return len(rows) + essays.written + essays.removed


def prune_settled(context: Context) -> int:
    """Remove the checkpoints of runs that are over."""
    with context.database.session() as session:
        over = session.scalars(
            select(Run.run_id)
            .where(
                Run.status.in_([RunStatus.SETTLED.value, RunStatus.SUPERSEDED.value, RunStatus.FAILED.value]),
                Run.pruned_at.is_(None),
            )
            .limit(_BATCH)
        ).all()
    if not over:
        return 0
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        saver = open_saver(pool)
        for run_id in over:
            prune(saver, run_id)
    finally:
        pool.close()
    with context.database.session() as session:
        session.execute(update(Run).where(Run.run_id.in_(over)).values(pruned_at=func.now()))
    return len(over)


def _lease(context: Context) -> timedelta:
    return timedelta(seconds=context.settings.lease_seconds)
