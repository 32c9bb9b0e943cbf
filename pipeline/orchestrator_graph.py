"""The orchestrator's graph: connects the nodes by the routing functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.steps import logged
from pipeline.orchestrator_nodes import (
    announce_escalation,
    mark_human_node,
    retry_llm_node,
    review_agent_node,
    run_pipeline_node,
    save_complete_node,
)
from pipeline.orchestrator_routing import Route, route_after_pipeline, route_after_review
from pipeline.orchestrator_state import AgentState

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
    workflow.add_node("retry_with_llm", logged("retry_with_llm", retry_llm_node, edge=_route))
    workflow.add_node("review_agent", logged("review_agent", review_agent_node, edge=_route_after_review))
    workflow.add_node("save_complete", logged("save_complete", save_complete_node))
    workflow.add_node("mark_for_human", logged("mark_for_human", mark_human_node, announce_escalation))

    workflow.set_entry_point("run_pipeline")
    for read_by in ("run_pipeline", "retry_with_llm"):
        workflow.add_conditional_edges(
            read_by,
            _route,
            {
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
    return route_after_pipeline(state, context.policy, model_configured=context.model is not None)


def _route_after_review(state: AgentState, runtime: Runtime[RunContext]) -> Literal["suggested", "escalate"]:
    return route_after_review(state)
