"""The loop's graph, in a thread whose id is the supervision's; loops are started, continued and resumed here.

analyze_review → expand_topic → integrate_content → await_decision → settle_attempt → analyze_review …
and from anywhere that the loop ends: finalize
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from core.graphs.graph_state import checked
from core.models import ReportRevision
from research.supervision.loop import nodes
from research.supervision.loop.nodes import Node, SupervisionContext, ended
from research.supervision.loop.routing import route_after_analysis, should_continue
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Ended, Issue, Outcome, explored_key

SupervisionGraph = CompiledStateGraph[SupervisionState, SupervisionContext, SupervisionState, SupervisionState]

NODES: dict[str, Node] = {
    "analyze_review": nodes.analyze_review,
    "expand_topic": nodes.expand_topic,
    "integrate_content": nodes.integrate_content,
    "await_decision": nodes.await_decision,
    "settle_attempt": nodes.settle_attempt,
    "finalize": nodes.finalize,
}


@dataclass(frozen=True)
class SupervisionResult:
    """The state of a loop when the graph has stopped."""

    #: The last good version; always present.
    version_no: int
    iterations: int
    integrations: int
    #: None while a revision waits for a person.
    ended: Ended | None
    waiting_revision: str | None = None


def create_supervision_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> SupervisionGraph:
    """Compile the graph; without a checkpointer nothing can be resumed, and no revision can wait."""
    return _compiled().copy({"checkpointer": checkpointer})


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


def state_from_rows(supervision_id: str, version_no: int, rows: Sequence[ReportRevision]) -> SupervisionState:
    """Return the state after the last of these attempts, for a thread that is new or whose checkpoints are gone.

    `rows` in order of iterations.
    """
    outcomes = [Outcome(row.outcome) for row in rows]
    return {
        "supervision_id": supervision_id,
        "version_no": version_no,
        "iteration": rows[-1].iteration if rows else 0,
        "integrations": sum(row.made_version is not None for row in rows),
        "failures": sum(1 for _ in takewhile(lambda outcome: outcome.is_failure, reversed(outcomes))),
        "without_evidence": outcomes.count(Outcome.NO_EVIDENCE),
        "explored": [
            explored_key(Issue.model_validate(row.issue))
            for row in rows
            if row.issue is not None and row.outcome != Outcome.ALREADY_EXPLORED
        ],
        "outcome": outcomes[-1].value if outcomes else None,
    }


def run_supervision(
    graph: SupervisionGraph,
    supervision_id: str,
    initial_state: SupervisionState,
    context: SupervisionContext,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> SupervisionResult:
    """Run the loop until it ends or a revision waits; continue it where a crash left it.

    `initial_state`: see `state_from_rows`. A loop that ended or waits without a decision is only reported. Raises
    what the nodes raise.
    """
    config: RunnableConfig = {
        "configurable": {"thread_id": supervision_id},
        "callbacks": list(callbacks),
        # No schedule of failures takes more steps.
        "recursion_limit": len(NODES) * (context.tier.max_iterations + 1),
        "metadata": {"supervision_id": supervision_id},
    }
    before = graph.get_state(config)
    if not before.values and not before.next:
        first: SupervisionState = {**initial_state, **ended(initial_state, context)}
        graph.invoke(first, config, context=context, durability="sync")
    elif before.interrupts:
        revision_id = before.interrupts[0].value["revision_id"]
        if context.store.decision(revision_id) is not None or context.stop() is not None:
            graph.invoke(Command(resume=True), config, context=context, durability="sync")
    elif not before.values.get("finished"):
        # New input would be added to the old state: None means "go on". `next` says nothing here: it is empty too
        # for a thread that was killed between a step's writes and its checkpoint.
        graph.invoke(None, config, context=context, durability="sync")
    after = graph.get_state(config)
    end = after.values.get("ended_because")
    return SupervisionResult(
        version_no=after.values["version_no"],
        iterations=after.values.get("iteration", 0),
        integrations=after.values.get("integrations", 0),
        ended=Ended(end) if end and after.values.get("finished") else None,
        waiting_revision=after.interrupts[0].value["revision_id"] if after.interrupts else None,
    )
