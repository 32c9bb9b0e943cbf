"""Read and validate one entry without the supervisor (USE_ORCHESTRATOR=false)."""

from __future__ import annotations

from core.messages import Message
from pipeline.messages import RunReason
from pipeline.orchestrator.context import RunContext, read_submission_of
from pipeline.orchestrator.result import RunResult
from pipeline.orchestrator_nodes import judged
from pipeline.orchestrator_routing import may_complete, route_after_pipeline
from pipeline.orchestrator_state import AgentState, Outcome, applied
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy


def goes_to_a_person(state: AgentState, record: SubmissionRecord, policy: Policy) -> bool:
    """Whether the machine would not complete an entry that was read like this."""
    return not may_complete(applied(state, judged(record, policy)), policy)


def run_directly(state: AgentState, context: RunContext) -> RunResult:
    """Return the result of one reading, completed if the graph would complete it, else escalated.

    The graph's own routing function decides, with the run's policy. All later steps of the graph are left out.
    """
    record, report = read_submission_of(
        state, context.read, settings=context.settings, store=context.store, policy=context.policy
    )
    found = applied(state, {**judged(record, context.policy), "tries": 1, "tools_used": ["run_pipeline"]})
    completes = route_after_pipeline(found, context.policy) == "complete"
    return RunResult(
        record=record.model_copy(update={"needs_review": not completes}),
        report=report,
        outcome=Outcome.COMPLETED if completes else Outcome.ESCALATED,
        reason=Message.of(RunReason.READ_WITHOUT_SUPERVISOR),
        tools_used=found["tools_used"],
        confidence=found["confidence"],
        missing_fields=found["missing_fields"],
        weak_fields=found["weak_fields"],
    )
