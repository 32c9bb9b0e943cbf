"""Run a supervision under a lease, until it ends or a revision waits for a person."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.lease import Lease
from core.models import ReportRevision, ReportSupervision, RevisionStatus, SupervisionStatus
from core.tracing import flush_traces
from research.supervision.loop.graph import run_supervision as run_loop
from research.supervision.loop.graph import state_from_rows
from research.supervision.loop.state import SupervisionState
from services.context import Context
from services.recovery.kinds import SUPERVISIONS
from services.recovery.work import keeping, take
from services.supervision.loop_context import open_graph, open_loop


def run_supervision(context: Context, supervision_id: uuid.UUID) -> bool:
    """Run the supervision; return False if it is not due or another worker has it.

    Continues from the last checkpoint after a crash or a decision, or from its rows if the checkpoints are gone.
    Errors of the nodes are propagated, with the lease released so that a retry can take the supervision.
    """
    lease = take(context, SUPERVISIONS, supervision_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease):
            # A person may have decided before the wait was recorded; then continue at once.
            while _go_on(context, lease) and not _settled(context, lease):
                pass
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)
    return True


def _go_on(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Run the graph; return whether a revision now waits for a person."""
    state, pending = _begin(context, lease)
    loop = open_loop(context, lease)
    graph, callbacks = open_graph(context)
    key = str(lease.key)
    if pending and not graph.get_state({"configurable": {"thread_id": key}}).values:
        return True
    result = run_loop(graph, key, state, loop.context, [*callbacks, *loop.callbacks])
    return result.waiting_revision is not None


def _begin(context: Context, lease: Lease[ReportSupervision]) -> tuple[SupervisionState, bool]:
    """Set the status to running; return the state according to the rows, and whether a revision is pending."""
    with context.database.session() as session:
        row = lease.hold(session)
        row.status = SupervisionStatus.RUNNING.value
        row.error_code = None
        session.execute(
            update(ReportRevision)
            .where(
                ReportRevision.supervision_id == lease.key,
                ReportRevision.decided_at.is_not(None),
                ReportRevision.resumed_at.is_(None),
            )
            .values(resumed_at=func.now())
        )
        attempts = session.scalars(
            select(ReportRevision)
            .where(ReportRevision.supervision_id == lease.key)
            .order_by(ReportRevision.iteration)
        ).all()
        state = state_from_rows(str(lease.key), row.last_version, attempts)
        return state, any(one.status == RevisionStatus.PENDING for one in attempts)


def _settled(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Set the status to waiting and return True, unless the revision was decided already."""
    with context.database.session() as session:
        row: ReportSupervision = lease.hold(session)
        waits = session.scalar(
            select(ReportRevision.id).where(
                ReportRevision.supervision_id == lease.key,
                ReportRevision.status == RevisionStatus.PENDING.value,
            )
        )
        if waits is None:
            return False
        row.status = SupervisionStatus.AWAITING_DECISION.value
        row.phase = "await_decision"
        row.attempts = 0
        row.updated_at = func.now()
        return True
