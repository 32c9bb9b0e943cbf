"""Research a report under a lease with the graph of the three rounds, and record the result."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.lease import Lease
from core.models import Report, ReportStatus
from core.tracing import flush_traces
from research.codes import CancelRequestedError
from research.round_loop import LoopEnd, run_rounds
from services.context import Context
from services.recovery.kinds import REPORTS, SUPERVISIONS
from services.recovery.work import enqueue, keeping, take
from services.reports.report_context import open_report
from services.reports.supervise_written import supervise_written


def run_report(context: Context, report_id: uuid.UUID) -> bool:
    """Research the report; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash, or after a person approved the plan. Errors of the research
    are propagated, with the lease released so that a retry can take the report.
    """
    lease = take(context, REPORTS, report_id)
    if lease is None:
        return False
    supervision_id: uuid.UUID | None = None
    try:
        with keeping(context, lease):
            try:
                supervision_id = _settle(context, lease, _do(context, lease))
            except CancelRequestedError:
                _settle_cancelled(context, lease)
        if supervision_id is not None:
            enqueue(context, SUPERVISIONS, supervision_id)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _do(context: Context, lease: Lease[Report]) -> LoopEnd:
    with context.database.session() as session:
        report = lease.hold(session)
        report.status = ReportStatus.RUNNING.value
        report.error_code = None
        approved = report.plan_approved_at is not None
        if approved and report.plan_resumed_at is None:
            report.plan_resumed_at = func.now()
    opened = open_report(context, lease)
    return run_rounds(opened.graph, opened.context, approved=approved, callbacks=opened.callbacks)


def _settle(context: Context, lease: Lease[Report], end: LoopEnd) -> uuid.UUID | None:
    """Record the result; return the id of the supervision that starts with the report's end, if any."""
    with context.database.session() as session:
        report = lease.hold(session)
        if end.waits:
            report.status = ReportStatus.AWAITING_PLAN.value
            report.phase = "awaiting_plan"
            report.updated_at = func.now()
            return None
        report.ended_because = end.ended_because
        _over(report, ReportStatus.DONE)
        return supervise_written(session, report, context.settings.model_configured)


def _settle_cancelled(context: Context, lease: Lease[Report]) -> None:
    with context.database.session() as session:
        report = lease.hold(session)
        report.ended_because = ReportStatus.CANCELLED.value
        _over(report, ReportStatus.CANCELLED)


def _over(report: Report, status: ReportStatus) -> None:
    report.status = status.value
    report.finished_at = func.now()
    report.updated_at = func.now()
    report.version += 1
