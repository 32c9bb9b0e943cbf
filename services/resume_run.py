"""Close the thread of a run whose escalation a person has decided."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.models import Escalation, EscalationStatus, RunStatus
from core.tracing import flush_traces
from pipeline.orchestrator_run import resume_entry
from pipeline.orchestrator_state import Outcome
from services.context import Context
from services.lease import Lease, heartbeat, hold, release, take_lease
from services.run_context import open_graph, run_context

_RESUMABLE = (RunStatus.INTERRUPTED, RunStatus.SETTLED)


def resume_run(context: Context, escalation_id: uuid.UUID) -> bool:
    """Resume the graph at its interrupt with the stored decision, if both are there, and settle the run.

    Where the checkpoint is gone the run is settled from the stored decision alone. False when there is nothing to
    do or another worker does it.
    """
    with context.database.session() as session:
        escalation = session.get_one(Escalation, escalation_id)
    if escalation.decision is None or escalation.resumed_at is not None:
        return False
    lease = take_lease(context, escalation.run_id, _RESUMABLE)
    if lease is None:
        return False
    # Values stay in the row: the graph learns what was decided, not what was typed.
    decision = {"action": escalation.decision["action"], "escalation_id": str(escalation_id)}
    try:
        with heartbeat(context, lease), open_graph(context) as (graph, callbacks):
            resume_entry(graph, decision, run_context(context, lease), lease.run_id, callbacks)
            _close(context, lease, escalation)
    finally:
        release(context, lease)
        # A work-horse leaves without tidying up: what was traced must be sent now.
        flush_traces(context.settings)
    return True


def _close(context: Context, lease: Lease, escalation: Escalation) -> None:
    outcome = Outcome.REJECTED if escalation.status == EscalationStatus.REJECTED else Outcome.RESOLVED
    with context.database.session() as session:
        run = hold(session, lease)
        run.status = RunStatus.SETTLED.value
        run.outcome = outcome.value
        run.settled_at = func.now()
        run.lease_owner = run.lease_until = None
        session.get_one(Escalation, escalation.id).resumed_at = func.now()
