"""Write what a run came to: record, status, audit trail, escalation and roll-up, in one transaction."""

from __future__ import annotations

import random
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import Escalation, OrchestratorDaily, Run, RunStatus, Submission
from pipeline.orchestrator_run import RunResult
from pipeline.orchestrator_state import Outcome
from services.audit import event
from services.context import Context
from services.lease import Lease, hold
from services.record_rows import write_record


def settle_run(context: Context, lease: Lease, result: RunResult) -> None:
    """Settle the run that this lease holds, or leave it waiting at its interrupt.

    Raises LeaseLostError, and writes nothing, when another worker has taken the run over.
    """
    with context.database.session() as session:
        run = hold(session, lease)
        submission = session.get_one(Submission, lease.submission_id, with_for_update=True)
        write_record(session, submission, result.record, run.run_no)
        submission.status = result.outcome.value
        submission.needs_review = result.outcome is not Outcome.COMPLETED or result.record.needs_review
        submission.missing_fields = list(result.missing_fields)
        submission.confidence = result.confidence
        submission.version += 1
        submission.audit_sample = (
            result.outcome is Outcome.COMPLETED and random.random() < context.settings.audit_share
        )
        if result.outcome is Outcome.ESCALATED:
            escalate(session, run, result.reason, result.interrupt or {})
        close_run(session, run, result, waits=result.interrupt is not None)
        session.add(event(submission, result.outcome.value, reason=result.reason))


def escalate(session: Session, run: Run, reason: str, payload: dict[str, Any]) -> None:
    """Have the run wait for a person; once a run."""
    session.execute(
        insert(Escalation)
        .values(
            submission_id=run.submission_id,
            season_id=run.season_id,
            run_id=run.run_id,
            reason=reason,
            payload=payload,
        )
        .on_conflict_do_nothing(index_elements=["run_id"])
    )


def close_run(session: Session, run: Run, result: RunResult, waits: bool) -> None:
    """Give the lease back and keep the outcome; `waits`: the graph stands at its interrupt."""
    run.status = RunStatus.INTERRUPTED.value if waits else RunStatus.SETTLED.value
    run.outcome = result.outcome
    run.reason = result.reason
    run.tools_used = list(result.tools_used)
    run.confidence = result.confidence
    run.lease_owner = run.lease_until = None
    run.settled_at = None if waits else utcnow()
    count_outcome(session, run, result.outcome, result.reason, len(result.tools_used))


def count_outcome(session: Session, run: Run, outcome: str, reason: str, tools: int) -> None:
    """Add one run to the day's roll-up."""
    row = insert(OrchestratorDaily).values(
        season_id=run.season_id, day=utcnow().date(), outcome=outcome, reason=reason[:200], runs=1, tools=tools
    )
    session.execute(
        row.on_conflict_do_update(
            index_elements=["season_id", "day", "outcome", "reason"],
            set_={
                "runs": OrchestratorDaily.runs + row.excluded.runs,
                "tools": OrchestratorDaily.tools + row.excluded.tools,
            },
        )
    )
