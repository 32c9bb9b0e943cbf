"""The review agent: a subgraph that reads missing and weak fields again and makes a proposal.

Within the orchestrator it takes over that one's checkpoints: after a crash its finished nodes are not repeated, so
a model that has answered is not asked again. Its state is JSON: ids, keys and short values, none of the texts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol, TypedDict, TypeVar

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from pipeline.orchestrator.context import RunContext


class ReviewAgentState(TypedDict, total=False):
    """State of one run of the review agent."""

    submission_id: str
    run_id: str
    artifact_dir: str
    #: Key of the document in the file store.
    image_path: str
    ocr_provider_name: str
    #: Without the withheld texts, as in `AgentState`.
    record: dict[str, Any]
    missing_fields: list[str]
    weak_fields: list[str]
    blocking_codes: list[str]
    #: Fields that the model was asked for earlier in the run.
    asked_of_model: list[str]
    #: Why the entry comes to a person.
    reason: dict[str, Any]
    pdf_key: str
    text_key: str
    #: Fields to look at again.
    targets: list[str]
    #: What was found by field: `FieldReading`s in JSON.
    readings: dict[str, list[dict[str, Any]]]


class ReviewAgentOutput(TypedDict, total=False):
    """Output for the orchestrator."""

    success: bool
    #: Id of the row that holds the values.
    suggestion_id: str
    #: Names of the fields with a value proposed.
    proposed_fields: list[str]


_DECLARED = ReviewAgentState.__annotations__.keys() | ReviewAgentOutput.__annotations__.keys()

Delta = TypeVar("Delta", ReviewAgentState, ReviewAgentOutput, covariant=True)


class ReviewNode(Protocol[Delta]):
    """Takes the state, returns what changed."""

    def __call__(self, state: ReviewAgentState, *, runtime: Runtime[RunContext]) -> Delta: ...


ReviewAgent = CompiledStateGraph[ReviewAgentState, RunContext, ReviewAgentState, ReviewAgentOutput]


@lru_cache(maxsize=1)
def create_review_agent_graph() -> ReviewAgent:
    """Compile the subgraph."""
    from pipeline.orchestrator import review_agent_nodes as nodes

    graph = StateGraph(
        ReviewAgentState,
        context_schema=RunContext,
        input_schema=ReviewAgentState,
        output_schema=ReviewAgentOutput,
    )
    graph.add_node("get_pdf", _guarded("get_pdf", nodes.get_pdf_node))
    graph.add_node("extract_text", _guarded("extract_text", nodes.extract_text_region_node))
    graph.add_node("infer_llm", _guarded("infer_llm", nodes.infer_with_llm_node))
    graph.add_node("propose_update", _guarded("propose_update", nodes.propose_update_node))
    graph.set_entry_point("get_pdf")
    graph.add_edge("get_pdf", "extract_text")
    graph.add_edge("extract_text", "infer_llm")
    graph.add_edge("infer_llm", "propose_update")
    graph.add_edge("propose_update", END)
    return graph.compile()


def _guarded(node: str, work: ReviewNode[Delta]) -> ReviewNode[Delta]:
    def run(state: ReviewAgentState, *, runtime: Runtime[RunContext]) -> Delta:
        return checked(node, work(state, runtime=runtime), _DECLARED)

    return run
