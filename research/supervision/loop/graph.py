"""The loop's graph: it connects the nodes by the routing functions.

analyze_review → expand_topic → integrate_content → await_decision → settle_attempt → analyze_review …
and from anywhere that the loop ends: finalize
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from research.supervision.loop.context import SupervisionContext
from research.supervision.loop.nodes.analyze_review import analyze_review
from research.supervision.loop.nodes.await_decision import await_decision
from research.supervision.loop.nodes.expand_topic import expand_topic
from research.supervision.loop.nodes.finalize import finalize
from research.supervision.loop.nodes.integrate_content import integrate_content
from research.supervision.loop.nodes.settle_attempt import settle_attempt
from research.supervision.loop.routing import (
    route_after_analysis,
    route_after_expansion,
    route_after_integration,
    should_continue,
)
from research.supervision.loop.state import SupervisionState

SupervisionGraph = CompiledStateGraph[SupervisionState, SupervisionContext, SupervisionState, SupervisionState]


class Node(Protocol):
    """What LangGraph calls at a step."""

    def __call__(self, state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState: ...


NODES: dict[str, Node] = {
    "analyze_review": analyze_review,
    "expand_topic": expand_topic,
    "integrate_content": integrate_content,
    "await_decision": await_decision,
    "settle_attempt": settle_attempt,
    "finalize": finalize,
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
    builder.add_edge(START, "analyze_review")
    builder.add_conditional_edges(
        "analyze_review",
        route_after_analysis,
        {"expand": "expand_topic", "settle": "settle_attempt", "finalize": "finalize"},
    )
    builder.add_conditional_edges(
        "expand_topic",
        route_after_expansion,
        {"integrate": "integrate_content", "settle": "settle_attempt", "finalize": "finalize"},
    )
    builder.add_conditional_edges(
        "integrate_content",
        route_after_integration,
        {"decide": "await_decision", "settle": "settle_attempt", "finalize": "finalize"},
    )
    builder.add_conditional_edges(
        "await_decision", should_continue, {"continue": "settle_attempt", "complete": "finalize"}
    )
    builder.add_conditional_edges(
        "settle_attempt", should_continue, {"continue": "analyze_review", "complete": "finalize"}
    )
    builder.add_edge("finalize", END)
    return builder.compile()


def _bounded(name: str, node: Node) -> Node:
    def run(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
        runtime.context.begins(name)
        return checked(name, node(state, runtime), SupervisionState.__annotations__)

    return run
