"""Read and validate one entry without the supervisor (USE_ORCHESTRATOR=false)."""

from __future__ import annotations

from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.run import RunResult
from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.validation.confidence import record_confidence, weak_fields

REASON = "read_without_supervisor"


def run_directly(state: AgentState, context: RunContext) -> RunResult:
    """The same record and report as the graph's, completed or escalated by `validate.py` alone."""
    record, report = context.read(
        state["image_path"],
        state["submission_id"],
        state["artifact_dir"],
        state["ocr_provider_name"],
        state["original_filename"],
        state["chunk_metadata"],
        state["doc_format"],
        settings=context.settings,
        store=context.store,
        policy=context.policy,
    )
    return RunResult(
        record=record,
        report=report,
        outcome=Outcome.ESCALATED if record.needs_review else Outcome.COMPLETED,
        reason=REASON,
        tools_used=["run_pipeline"],
        confidence=record_confidence(record, context.policy),
        missing_fields=list(report.get("missing_fields", [])),
        weak_fields=weak_fields(record, context.policy, context.settings),
    )
