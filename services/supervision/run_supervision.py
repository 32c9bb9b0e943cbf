"""Run a loop: under a lease, from its last checkpoint, until it ends or a revision waits for a person."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update

from core.lease import Lease
from core.models import ReportRevision, ReportSupervision, RevisionStatus, SupervisionStatus
from core.tracing import flush_traces
from research.supervision.context import End
from research.supervision.nodes.settle_attempt import true_end
from research.supervision.resumption import end_from_rows, state_from_rows
from research.supervision.run import SupervisionResult
from research.supervision.run import run_supervision as run_loop
from research.supervision.state import SupervisionState
from services.context import Context
from services.recovery.kinds import SUPERVISIONS
from services.recovery.work import keeping, take
from services.supervision.loop_context import Loop, open_graph, open_loop


def run_supervision(context: Context, supervision_id: uuid.UUID) -> bool:
    """Do what is to be done for the loop; False when somebody else does or did it.

    Continues from the last checkpoint after a crash or a decision, from its rows where the checkpoints are gone.
    Raises what the nodes raise, with the lease given back so that a retry finds the loop free.
    """
    lease = take(context, SUPERVISIONS, supervision_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease):
            # A decision that came while the graph was about to wait is followed at once.
            while _go_on(context, lease) and not _settled(context, lease):
                pass
    finally:
        # A work-horse leaves without tidying up: what was traced must be sent now.
        flush_traces(context.settings)
    return True


def _go_on(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Have the graph run; whether it now waits for a person."""
    state, pending = _begin(context, lease)
    loop = open_loop(context, lease)
    with open_graph(context) as (graph, callbacks):
        key = str(lease.key)
        is_new = not graph.get_state({"configurable": {"thread_id": key}}).values
        if is_new and (pending or _is_over(loop, state)):
            return pending
        result: SupervisionResult = run_loop(graph, key, state, loop.context, [*callbacks, *loop.callbacks])
    return result.waiting_revision is not None


def _begin(context: Context, lease: Lease[ReportSupervision]) -> tuple[SupervisionState, bool]:
    """Take note that the loop goes on; its state by the rows, and whether a revision waits in them."""
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


def _is_over(loop: Loop, state: SupervisionState) -> bool:
    """Settle a loop whose last attempt was its end, and whose thread is gone."""
    ended, note = true_end(end_from_rows(state, loop.context.tier), loop.context)
    if ended is None:
        return False
    loop.store.finish(End(ended, state["version_no"], state["iteration"], state["integrations"], note=note))
    return True


def _settled(context: Context, lease: Lease[ReportSupervision]) -> bool:
    """Have the loop wait for its person, unless they have decided already."""
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
