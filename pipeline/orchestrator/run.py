"""Start, continue and resume runs of the graph. Each run has one thread, whose id is the run's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, Durability, StateSnapshot

from core.errors import InvalidInputError
from core.graphs import StrictSerializer
from core.llm.chat import LedgerHandler
from core.messages import Message
from core.plain_data import checked_delta
from pipeline.orchestrator.artifacts import load_reading
from pipeline.orchestrator.context import RunContext, RunResult
from pipeline.orchestrator_callbacks import OrchestratorLoggingHandler
from pipeline.orchestrator_graph import Orchestrator, create_orchestrator_graph
from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.reason_codes import WrongValue

#: Decisions of a person about an escalated run.
DECISIONS = ("settle", "reject")


def run_entry(
    graph: Orchestrator,
    initial_state: AgentState,
    context: RunContext,
    run_id: str,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> RunResult:
    """Run the graph until it ends or waits for a person.

    A run with a checkpoint is continued where it stopped. For one that ended or waits only its result is returned,
    so calling this again changes nothing. Model calls go to the recorder's ledger. Raises what the nodes raise.
    """
    config = _config(run_id, context, callbacks)
    before = graph.get_state(config)
    if not before.values and not before.next:
        first = checked_delta("the first state", initial_state, AgentState.__annotations__)
        after = graph.invoke(first, config, context=context, durability=_durability(context))
    elif not before.interrupts and (before.next or not before.values.get("final_outcome")):
        # New input would be added to the old state; None means "continue". `next` cannot be used: it is also
        # empty for a run that was killed between its first checkpoint and its first step.
        after = graph.invoke(None, config, context=context, durability=_durability(context))
    else:
        return _of_snapshot(before, context)
    return _stopped(graph, config, after, context)


def resume_entry(
    graph: Orchestrator,
    decision: Mapping[str, Any],
    context: RunContext,
    run_id: str,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> RunResult | None:
    """Hand a person's decision to a run that waits: {"action": "settle" | "reject", …}, ids only, no values.

    Returns None if the run does not exist or does not wait, as LangGraph would start it from the beginning; settle
    it from the stored decision. For a run that was resumed already its result is returned. Raises
    InvalidInputError.
    """
    if decision.get("action") not in DECISIONS:
        raise InvalidInputError(WrongValue.DECISION_UNKNOWN, choices=list(DECISIONS))
    config = _config(run_id, context, callbacks)
    before = graph.get_state(config)
    if _waits(before):
        resumed: Command[Any] = Command(resume=dict(decision))
        after = graph.invoke(resumed, config, context=context, durability=_durability(context))
        return _stopped(graph, config, after, context)
    if before.next or before.values.get("final_outcome") not in (Outcome.RESOLVED, Outcome.REJECTED):
        return None
    return _of_snapshot(before, context)


def run_in_memory(initial_state: AgentState, context: RunContext) -> RunResult:
    """Run the graph over one entry without a database, for the regression check."""
    saver = InMemorySaver(serde=StrictSerializer())
    return run_entry(create_orchestrator_graph(saver), initial_state, context, initial_state["run_id"])


def _config(run_id: str, context: RunContext, callbacks: Sequence[BaseCallbackHandler]) -> RunnableConfig:
    handlers = list(callbacks)
    if not any(isinstance(handler, LedgerHandler) for handler in handlers):
        handlers.append(OrchestratorLoggingHandler(context.recorder.ledger))
    submission_id, _, run_no = run_id.rpartition(":")
    return {
        "configurable": {"thread_id": run_id},
        "callbacks": handlers,
        # Without a "run_id": LangGraph would treat any input as a resume of the run of that id.
        "metadata": {"submission_id": submission_id, "run_no": run_no},
    }


def _durability(context: RunContext) -> Durability:
    """Return when checkpoints are written.

    With models, after each step, since their answers are paid for. Without one, when the graph stops (also by an
    interrupt or an error): the steps take milliseconds, and only a reading in progress would be lost.
    """
    return "exit" if context.model is None and context.vision is None else "sync"


def _waits(snapshot: StateSnapshot) -> bool:
    """Whether the run has stopped at `mark_for_human`, by its own interrupt or by `interrupt_before`."""
    return bool(snapshot.interrupts) or snapshot.next == ("mark_for_human",)


def _stopped(
    graph: Orchestrator, config: RunnableConfig, after: Mapping[str, Any], context: RunContext
) -> RunResult:
    """Return the result of a graph that has ended or waits, from the result of `invoke` if that is enough."""
    state = cast(AgentState, after)
    if interrupts := after.get("__interrupt__"):
        return _result(state, context, interrupts[0].value, waits=True)
    if after.get("final_outcome"):
        return _result(state, context)
    # Stopped by `interrupt_before`.
    return _of_snapshot(graph.get_state(config), context)


def _of_snapshot(snapshot: StateSnapshot, context: RunContext) -> RunResult:
    payload = snapshot.interrupts[0].value if snapshot.interrupts else None
    return _result(cast(AgentState, snapshot.values), context, payload, waits=bool(snapshot.next))


def _result(
    state: AgentState, context: RunContext, payload: dict[str, Any] | None = None, *, waits: bool = False
) -> RunResult:
    outcome = Outcome.ESCALATED if waits else Outcome(state["final_outcome"])
    record, report = load_reading(context.store, state["artifact_dir"])
    codes = (state["record"] or {})["review_reason_codes"]
    needs_review = outcome is not Outcome.COMPLETED
    return RunResult(
        record=record.model_copy(update={"review_reason_codes": codes, "needs_review": needs_review}),
        report=report,
        outcome=outcome,
        reason=Message.from_json(payload["reason"] if payload else state["reason"]),
        tools_used=state.get("tools_used", []),
        confidence=state.get("confidence", 0.0),
        missing_fields=state.get("missing_fields", []),
        weak_fields=state.get("weak_fields", []),
        interrupt=payload,
    )
