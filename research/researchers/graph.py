"""The graph of one researcher: search → fetch → store.

Within the round loop it uses that graph's checkpoints, in a separate namespace per task, so that finished steps
are not repeated after a crash.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph

from research.memo.worker_result import Kind
from research.researchers.nodes import fetch_node, search_node, store_node
from research.running.context import RoundContext
from research.running.state import ResearcherOutput, ResearcherState
from research.running.steps import step

Researcher = CompiledStateGraph[ResearcherState, RoundContext, ResearcherState, ResearcherOutput]


def create_researcher(kind: Kind) -> Researcher:
    """Build a researcher of this kind."""
    declared = ResearcherState.__annotations__ | ResearcherOutput.__annotations__
    works: dict[str, Any] = {
        "search": search_node,
        "fetch": fetch_node,
        "store": store_node,
    }
    workflow = StateGraph(
        ResearcherState,
        context_schema=RoundContext,
        input_schema=ResearcherState,
        output_schema=ResearcherOutput,
    )
    for name, work in works.items():
        workflow.add_node(name, step(f"{kind}.{name}", partial(work, kind), declared))
    workflow.set_entry_point("search")
    for before, after in zip(works, [*list(works)[1:], END], strict=True):
        workflow.add_edge(before, after)
    return workflow.compile()
