"""Resume and settle a run after a person has decided its escalation."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.lease import Lease, process_name
from core.messages import Message
from core.models import Escalation, EscalationStatus, OrchestratorLog, Run, RunStatus
from core.models.leases import RUN_LEASES
from core.tracing import flush_traces
from pipeline.messages import RunReason
from pipeline.orchestrator.run import resume_entry
from pipeline.orchestrator_state import Outcome
from services.context import Context
from services.recovery.kinds import RUNS
from services.recovery.work import keeping, lasting
from services.runs.run_context import open_graph, run_context
from services.stats.count import count_later_steps

_RESUMABLE = (RunStatus.INTERRUPTED.value, RunStatus.SETTLED.value)
#: What the log says of a person's decision, by its outcome.
_BY_PERSON = {
    Outcome.RESOLVED.value: RunReason.SETTLED_BY_PERSON,
    Outcome.REJECTED.value: RunReason.REJECTED_BY_PERSON,
}


def resume_run(context: Context, escalation_id: uuid.UUID) -> bool:
    """Resume the graph at its interrupt with the stored decision, and settle the run.

    Without a checkpoint the run is settled from the stored decision alone. Returns False if there is nothing to
    do, another worker has the run, or the decision was undone meanwhile.
    """
    escalation = _decided(context, escalation_id)
    if escalation is None:
        return False
    lease = _take(context, escalation.run_id)
    if lease is None:
        return False
    try:
        with keeping(context, lease):
            # Read the row again: the decision may have been undone before the lease was taken.
            escalation = _decided(context, escalation_id)
            return escalation is not None and _resume(context, lease, escalation)
    finally:
        # RQ's work-horse exits without running exit handlers, so that traces must be sent now.
        flush_traces(context.settings)


def _take(context: Context, run_id: str) -> Lease[Run] | None:
    with context.database.session() as session:
        return RUN_LEASES.take(
            session, run_id, process_name(), lasting(context), Run.status.in_(_RESUMABLE), **RUNS.taken
        )


def _decided(context: Context, escalation_id: uuid.UUID) -> Escalation | None:
    """Return the escalation if its decision is still to be carried out, else None."""
    with context.database.session() as session:
        escalation = session.get_one(Escalation, escalation_id)
    return None if escalation.decision is None or escalation.resumed_at is not None else escalation


def _resume(context: Context, lease: Lease[Run], escalation: Escalation) -> bool:
    assert escalation.decision is not None
    # The graph gets the action only; typed values stay in the row and out of the checkpoints.
    decision = {"action": escalation.decision["action"], "escalation_id": str(escalation.id)}
    graph, callbacks = open_graph(context)
    resume_entry(graph, decision, run_context(context, lease), lease.key, callbacks)
    return _close(context, lease, escalation)


def _close(context: Context, lease: Lease[Run], escalation: Escalation) -> bool:
    """Settle the run with this decision; return False if the decision was undone or replaced."""
    outcome = Outcome.REJECTED if escalation.status == EscalationStatus.REJECTED else Outcome.RESOLVED
    with context.database.session() as session:
        run = lease.hold(session)
        carried_out = session.scalar(
            update(Escalation)
            .where(
                Escalation.id == escalation.id,
                Escalation.version == escalation.version,
                Escalation.decided_at.is_not(None),
                Escalation.resumed_at.is_(None),
            )
            .values(resumed_at=func.now())
            .returning(Escalation.id)
        )
        if carried_out is None:
            return False
        run.status = RunStatus.SETTLED.value
        run.outcome = outcome.value
        run.settled_at = func.now()
        RUN_LEASES.end(run)
        _log_last(session, run, outcome)
        count_later_steps(session, run.run_id)
        return True


def _log_last(session: Session, run: Run, outcome: Outcome) -> None:
    """Log this decision where the log ends with another: one that the graph was resumed with and that was undone.

    The thread has ended with that one, or has logged it before it was killed, and logs each step once.
    """
    last = session.scalar(
        select(OrchestratorLog).filter_by(run_id=run.run_id).order_by(OrchestratorLog.step.desc()).limit(1)
    )
    if last is None or last.final_outcome not in _BY_PERSON or last.final_outcome == outcome.value:
        return
    session.add(
        OrchestratorLog(
            submission_id=last.submission_id,
            season_id=last.season_id,
            owner_user_id=last.owner_user_id,
            run_id=run.run_id,
            step=last.step + 1,
            action_taken=last.action_taken,
            reason=Message.of(_BY_PERSON[outcome.value]),
            state_json=last.state_json,
            tools_used=list(last.tools_used),
            final_outcome=outcome.value,
            trace_json=last.trace_json,
        )
    )
