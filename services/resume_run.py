"""Close the thread of a run whose escalation a person has decided."""

from __future__ import annotations

import uuid

from sqlalchemy import func

from core.checkpoints import open_pool, open_saver
from core.llm import open_model
from core.models import Escalation, EscalationStatus, Run, RunStatus
from core.tracing import flush_traces, trace_callbacks
from pipeline.orchestrator_context import RunContext
from pipeline.orchestrator_db import DatabaseRecorder
from pipeline.orchestrator_graph import create_orchestrator_graph
from pipeline.orchestrator_run import resume_entry
from pipeline.runner import process_submission
from services.context import Context
from services.lease import Lease, heartbeat, hold, release, take_lease
from services.seasons import season_policy

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
        policy = season_policy(session, escalation.season_id, context.settings)
    lease = take_lease(context, escalation.run_id, _RESUMABLE)
    if lease is None:
        return False
    run_context = RunContext(
        settings=context.settings,
        store=context.store,
        policy=policy,
        recorder=DatabaseRecorder(context.database, lease.run_id, lease.run_no, lease.owner),
        model=open_model(context.settings),
        read=process_submission,
    )
    # Values stay in the row: the graph learns what was decided, not what was typed.
    decision = {"action": escalation.decision["action"], "escalation_id": str(escalation_id)}
    try:
        with heartbeat(context, lease):
            _resume_graph(context, lease, run_context, decision)
            _close(context, lease, escalation)
    finally:
        release(context, lease)
        # A work-horse leaves without tidying up: what was traced must be sent now.
        flush_traces(context.settings)
    return True


def _resume_graph(context: Context, lease: Lease, run_context: RunContext, decision: dict[str, str]) -> None:
    pool = open_pool(context.database.dsn, context.settings.database_transaction_pooler)
    try:
        graph = create_orchestrator_graph(open_saver(pool))
        resume_entry(graph, decision, run_context, lease.run_id, trace_callbacks(context.settings))
    finally:
        pool.close()


def _close(context: Context, lease: Lease, escalation: Escalation) -> None:
    with context.database.session() as session:
        run: Run = hold(session, lease)
        run.status = RunStatus.SETTLED.value
        run.outcome = "rejected" if escalation.status == EscalationStatus.REJECTED else "resolved"
        run.settled_at = func.now()
        run.lease_owner = run.lease_until = None
        session.get_one(Escalation, escalation.id).resumed_at = func.now()
