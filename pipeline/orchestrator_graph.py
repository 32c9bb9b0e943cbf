"""The orchestrator's graph: connects the nodes by the routing functions, and logs each execution of one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langsmith import get_current_run_tree

from core.errors import ConfigurationError
from core.llm.ledger import ModelCall
from core.messages import Message
from core.plain_data import checked_delta
from pipeline.orchestrator.context import RunContext, StepLog
from pipeline.orchestrator.decisions import decision_trace
from pipeline.orchestrator_nodes import (
    announce_escalation,
    mark_human_node,
    retry_llm_node,
    review_agent_node,
    run_pipeline_node,
    save_complete_node,
    second_reader_node,
)
from pipeline.orchestrator_routing import Route, route_after_pipeline, route_after_review
from pipeline.orchestrator_state import AgentState, applied

Orchestrator = CompiledStateGraph[AgentState, RunContext, AgentState, AgentState]


def create_orchestrator_graph(
    checkpointer: BaseCheckpointSaver[Any] | None = None, interrupt_before: Sequence[str] = ()
) -> Orchestrator:
    """Compile the graph.

    Without a checkpointer runs cannot be resumed. `interrupt_before` names nodes to stop at, as for a debugger;
    `mark_for_human` interrupts by itself.
    """
    return _compiled(tuple(interrupt_before)).copy({"checkpointer": checkpointer})


@lru_cache(maxsize=8)
def _compiled(interrupt_before: tuple[str, ...]) -> Orchestrator:
    """Return the graph without a checkpointer, which runs add; cached, as compiling takes as long as a run."""
    workflow = StateGraph(AgentState, context_schema=RunContext)
    workflow.add_node("run_pipeline", logged("run_pipeline", run_pipeline_node, edge=_route))
    workflow.add_node("second_reader", logged("second_reader", second_reader_node, edge=_route))
    workflow.add_node("retry_with_llm", logged("retry_with_llm", retry_llm_node, edge=_route))
    workflow.add_node("review_agent", logged("review_agent", review_agent_node, edge=_route_after_review))
    workflow.add_node("save_complete", logged("save_complete", save_complete_node))
    workflow.add_node("mark_for_human", logged("mark_for_human", mark_human_node, announce_escalation))

    workflow.set_entry_point("run_pipeline")
    for read_by in ("run_pipeline", "second_reader", "retry_with_llm"):
        workflow.add_conditional_edges(
            read_by,
            _route,
            {
                "look": "second_reader",
                "retry": "retry_with_llm",
                "review": "review_agent",
                "complete": "save_complete",
                "escalate": "mark_for_human",
            },
        )
    workflow.add_conditional_edges(
        "review_agent", _route_after_review, {"suggested": END, "escalate": "mark_for_human"}
    )
    workflow.add_edge("save_complete", END)
    workflow.add_edge("mark_for_human", END)
    return workflow.compile(interrupt_before=list(interrupt_before))


def _route(state: AgentState, runtime: Runtime[RunContext]) -> Route:
    context = runtime.context
    return route_after_pipeline(
        state,
        context.policy,
        model_configured=context.model is not None,
        vision_configured=context.vision is not None,
    )


def _route_after_review(state: AgentState, runtime: Runtime[RunContext]) -> Literal["suggested", "escalate"]:
    return route_after_review(state)


# The wrapper around every node: it checks the state and logs one row per execution.


class Node(Protocol):
    """A node: takes the state, returns the changed keys."""

    def __call__(self, state: AgentState, *, runtime: Runtime[RunContext]) -> AgentState: ...


NODES = ("run_pipeline", "second_reader", "retry_with_llm", "review_agent", "save_complete", "mark_for_human")
#: A routing function: takes the state after a node, returns the name of the edge to follow.
Edge: TypeAlias = Callable[[AgentState, Runtime[RunContext]], str]


def logged(node: str, work: Node, announce: Node | None = None, edge: Edge | None = None) -> Node:
    """Wrap the work of a node.

    `edge` chooses the next node; None where the run ends or only one edge exists.
    `announce` is for a node that interrupts and therefore runs again from its first line: it returns the changes
    to log before the interrupt. The row after the interrupt then records the person's decision.
    """

    def run(state: AgentState, *, runtime: Runtime[RunContext]) -> AgentState:
        context = _given(runtime)
        # Deterministic: a node that is repeated after a crash writes the number it wrote before.
        step = len(state.get("tools_used", [])) + 1
        began = time.perf_counter()
        if announce is not None:
            announced = applied(state, announce(state, runtime=runtime))
            trace = _traced(announced, runtime, None)
            context.recorder.log_step(_entry(step, node, announced, trace, _milliseconds_since(began)))
            step, began = step + 1, time.perf_counter()
        before = len(context.recorder.ledger.calls)
        delta = checked_delta(node, work(state, runtime=runtime), AgentState.__annotations__)
        duration_ms = _milliseconds_since(began)
        calls = context.recorder.ledger.calls[before:]
        after = applied(state, delta)
        trace = _traced(after, runtime, edge, calls)
        context.recorder.log_step(_entry(step, node, after, trace, duration_ms, calls))
        return delta

    run.__name__ = node
    return run


def _given(runtime: Runtime[RunContext]) -> RunContext:
    """Return the context of the run. Raises ConfigurationError if the caller passed none."""
    context: RunContext | None = runtime.context
    if context is None:
        raise ConfigurationError(
            "The graph was invoked without a context: pass invoke(state, config, context=RunContext(…))."
        )
    return context


def _milliseconds_since(began: float) -> int:
    return round((time.perf_counter() - began) * 1000)


def _traced(
    state: AgentState, runtime: Runtime[RunContext], edge: Edge | None, calls: Sequence[ModelCall] = ()
) -> dict[str, Any]:
    context = runtime.context
    route = None if edge is None else edge(state, runtime)
    has_model, has_vision = context.model is not None, context.vision is not None
    return decision_trace(state, context.policy, route, has_model, calls, has_vision)


def _entry(
    step: int,
    node: str,
    state: AgentState,
    trace: dict[str, Any],
    duration_ms: int = 0,
    calls: Sequence[ModelCall] = (),
) -> StepLog:
    return StepLog(
        step=step,
        action=node,
        reason=Message.from_json(state["reason"]),
        state=_seen_by_routing(state),
        tools_used=list(state.get("tools_used", [])),
        final_outcome=state.get("final_outcome"),
        duration_ms=duration_ms,
        model=", ".join(dict.fromkeys(call.model for call in calls)) or None,
        tokens_in=sum(call.tokens_in for call in calls),
        tokens_out=sum(call.tokens_out for call in calls),
        cost_usd=sum(call.cost_usd for call in calls),
        trace=trace,
        trace_id=_trace_id(),
    )


def _seen_by_routing(state: AgentState) -> dict[str, Any]:
    record = state.get("record") or {}
    return {
        "status": state.get("status"),
        "tries": state.get("tries", 0),
        "confidence": state.get("confidence"),
        "missing_fields": state.get("missing_fields", []),
        "weak_fields": state.get("weak_fields", []),
        "needs_review": state.get("needs_review"),
        "review_reason_codes": record.get("review_reason_codes", []),
    }


def _trace_id() -> str | None:
    """Return the id of the current LangSmith trace, None where tracing is off."""
    tree = get_current_run_tree()
    return None if tree is None else str(tree.trace_id)
