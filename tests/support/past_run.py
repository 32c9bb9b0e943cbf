"""A run as the supervisor leaves it: log, reading in the file store, proposal. The graph itself runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from core.models import OrchestratorLog, Run
from pipeline.orchestrator.context import MemoryRecorder, Proposal, RunContext, RunResult, StepLog
from pipeline.orchestrator.run import run_in_memory
from pipeline.schema import SubmissionRecord
from services.context import Context
from tests.support import factories
from tests.support.reading import orchestration


def do_run(context: Context, session: Session, run: Run, record: SubmissionRecord, **changes: Any) -> RunResult:
    """Have the graph do this run with this reading, and write what a worker would write of it.

    `changes` are those of `tests.support.reading.orchestration.context`.
    """
    recorder = MemoryRecorder()
    nodes: RunContext = orchestration.context(record, Path(context.settings.var_dir), recorder, **changes)
    nodes = RunContext(**{**vars(nodes), "store": context.store})
    context.store.put("originals/entry.pdf", b"%PDF-1.7")
    result = run_in_memory(orchestration.first_state(run.run_id), nodes)
    session.add_all([_row(run, step) for step in recorder.steps.values()])
    if recorder.proposal is not None:
        _propose(session, run, recorder.proposal)
    run.outcome, run.reason, run.confidence = result.outcome.value, result.reason, result.confidence
    run.tools_used = list(result.tools_used)
    run.status = "settled" if result.interrupt is None else "interrupted"
    session.flush()
    return result


def make_past_run(
    context: Context, session: Session, record: SubmissionRecord, run: dict[str, Any] | None = None, **changes: Any
) -> Run:
    """A run of an entry of its own."""
    submission = factories.make_submission(session)
    row = factories.make_run(session, submission, **(run or {}))
    submission.status = do_run(context, session, row, record, **changes).outcome.value
    submission.needs_review = submission.status != "completed"
    session.flush()
    return row


def _row(run: Run, step: StepLog) -> OrchestratorLog:
    return OrchestratorLog(
        run_id=run.run_id,
        submission_id=run.submission_id,
        season_id=run.season_id,
        step=step.step,
        action_taken=step.action,
        reason=step.reason,
        state_json=step.state,
        tools_used=step.tools_used,
        final_outcome=step.final_outcome,
        duration_ms=step.duration_ms,
        trace_json=step.trace,
    )


def _propose(session: Session, run: Run, proposal: Proposal) -> None:
    made = factories.make_suggestion(session, run, reason=proposal.reason)
    for item in proposal.fields:
        factories.make_suggestion_field(
            session,
            made,
            name=item.name,
            current_value=item.current_value,
            proposed_value=item.proposed_value,
            confidence=item.confidence,
            source=item.source,
            method=item.method,
            reason=item.reason,
            preferred=item.preferred.value,
        )
