"""The graph of the three rounds: it connects the nodes by the routing functions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph

from research.allocation import KINDS
from research.researchers.graph import create_researcher
from research.rounds.nodes import NODES
from research.rounds.routing import researcher_of, route_after_join, route_after_plan, tasks_to_send
from research.running.context import RoundContext, step
from research.running.state import RoundState

RoundLoop = CompiledStateGraph[RoundState, RoundContext, RoundState, RoundState]


def create_round_loop(checkpointer: BaseCheckpointSaver[Any] | None = None) -> RoundLoop:
    """Compile the graph; without a checkpointer a run cannot be resumed."""
    return _compiled().copy({"checkpointer": checkpointer})


@lru_cache(maxsize=1)
def _compiled() -> RoundLoop:
    declared = RoundState.__annotations__
    workflow = StateGraph(RoundState, context_schema=RoundContext)
    for name, work in NODES.items():
        workflow.add_node(name, step(name, work, declared))
    for kind in KINDS:
        workflow.add_node(researcher_of(kind), create_researcher(kind))
        workflow.add_edge(researcher_of(kind), "join_round")

    workflow.set_entry_point("plan")
    workflow.add_conditional_edges("plan", route_after_plan, ["approve_plan", "plan_round"])
    workflow.add_edge("approve_plan", "plan_round")
    workflow.add_conditional_edges("plan_round", tasks_to_send, [*map(researcher_of, KINDS), "join_round"])
    workflow.add_conditional_edges("join_round", route_after_join, ["plan_round", "synthesise"])
    workflow.add_edge("synthesise", END)
    return workflow.compile()
