"""The loop's graph: it connects the nodes by the routing functions.

analyze_review → expand_topic → integrate_content → await_decision → settle_attempt → analyze_review …
and from anywhere that the loop ends: finalize
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from research.supervision.loop import nodes
from research.supervision.loop.nodes import Node, SupervisionContext
from research.supervision.loop.routing import route_after_analysis, should_continue
from research.supervision.loop.state import SupervisionState

SupervisionGraph = CompiledStateGraph[SupervisionState, SupervisionContext, SupervisionState, SupervisionState]

NODES: dict[str, Node] = {
    "analyze_review": nodes.analyze_review,
    "expand_topic": nodes.expand_topic,
    "integrate_content": nodes.integrate_content,
    "await_decision": nodes.await_decision,
    "settle_attempt": nodes.settle_attempt,
    "finalize": nodes.finalize,
}


def create_supervision_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> SupervisionGraph:
    """Compile the graph; without a checkpointer nothing can be resumed, and no revision can wait."""
    return _compiled().copy({"checkpointer": checkpointer})


def steps_allowed(max_iterations: int) -> int:
    """LangGraph's recursion limit: no schedule of failures takes more steps."""
    return 5 * (max_iterations + 1) + 2


@lru_cache(maxsize=1)
def _compiled() -> SupervisionGraph:
    builder = StateGraph(SupervisionState, context_schema=SupervisionContext)
    for name, node in NODES.items():
        builder.add_node(name, _bounded(name, node))
    for name, onwards in (
        ("analyze_review", "expand_topic"),
        ("expand_topic", "integrate_content"),
        ("integrate_content", "await_decision"),
    ):
        edges: dict[Hashable, str] = {"proceed": onwards, "settle": "settle_attempt", "finalize": "finalize"}
        builder.add_conditional_edges(name, route_after_analysis, edges)
    for name, onwards in (
        # A loop that is begun from its rows may be over.
        (START, "analyze_review"),
        ("await_decision", "settle_attempt"),
        ("settle_attempt", "analyze_review"),
    ):
        builder.add_conditional_edges(name, should_continue, {"continue": onwards, "complete": "finalize"})
    builder.add_edge("finalize", END)
    return builder.compile()


def _bounded(name: str, node: Node) -> Any:
    def run(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
        runtime.context.begins(name)
        return checked(name, node(state, runtime.context), SupervisionState.__annotations__)

    return run
