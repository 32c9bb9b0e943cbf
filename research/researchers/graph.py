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
from research.running.context import RoundContext, step
from research.running.state import ResearcherOutput, ResearcherState

Researcher = CompiledStateGraph[ResearcherState, RoundContext, ResearcherState, ResearcherOutput]


def create_researcher(kind: Kind) -> Researcher:
    """Build a researcher of this kind."""
    declared = ResearcherState.__annotations__ | ResearcherOutput.__annotations__
    workflow = StateGraph(ResearcherState, context_schema=RoundContext, output_schema=ResearcherOutput)
    works: dict[str, Any] = {"search": search_node, "fetch": fetch_node, "store": store_node}
    workflow.add_sequence(
        [(name, step(f"{kind}.{name}", partial(work, kind), declared)) for name, work in works.items()]
    )
    workflow.set_entry_point("search")
    workflow.add_edge("store", END)
    return workflow.compile()
