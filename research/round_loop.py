"""The graph of the three rounds, in a thread whose id is the report's; reports are started and resumed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from research.allocation import KINDS, MAX_RESEARCHERS
from research.researchers.graph import create_researcher
from research.rounds.nodes import NODES
from research.rounds.routing import researcher_of, route_after_join
from research.running.context import RoundContext, step
from research.running.state import RoundState

RoundLoop = CompiledStateGraph[RoundState, RoundContext, RoundState, RoundState]


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """The state of a report when the graph has stopped."""

    #: Whether it waits for a person to approve the plan.
    waits: bool
    #: "complete", "no_evidence" or "budget"; empty while it waits.
    ended_because: str


def route_after_plan(state: RoundState, runtime: Runtime[RoundContext]) -> Literal["approve_plan", "plan_round"]:
    """Return "approve_plan" if a person's approval was requested, else "plan_round"."""
    return "approve_plan" if runtime.context.brief.approve_plan else "plan_round"


def tasks_to_send(state: RoundState) -> list[Send] | Literal["join_round"]:
    """Send each task of the round to a researcher, in parallel; without any, join the round."""
    sent = [Send(researcher_of(kind), {"task_id": task_id}) for task_id, kind in state["tasks"].items()]
    return sent or "join_round"


def create_round_loop(checkpointer: BaseCheckpointSaver[Any] | None = None) -> RoundLoop:
    """Compile the graph; without a checkpointer a run cannot be resumed."""
    workflow = StateGraph(RoundState, context_schema=RoundContext)
    for name, work in NODES.items():
        workflow.add_node(name, step(work, RoundState))
    for kind in KINDS:
        workflow.add_node(researcher_of(kind), create_researcher())
        workflow.add_edge(researcher_of(kind), "join_round")

    workflow.set_entry_point("plan")
    workflow.add_conditional_edges("plan", route_after_plan, ["approve_plan", "plan_round"])
    workflow.add_edge("approve_plan", "plan_round")
    workflow.add_conditional_edges("plan_round", tasks_to_send, [*map(researcher_of, KINDS), "join_round"])
    workflow.add_conditional_edges("join_round", route_after_join, ["plan_round", "synthesise"])
    workflow.add_edge("synthesise", END)
    return workflow.compile(checkpointer)


def run_rounds(
    graph: RoundLoop,
    context: RoundContext,
    *,
    approved: bool = False,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> LoopEnd:
    """Run the graph until it ends or waits for a person.

    A report with a checkpoint continues where it stopped; for one that has ended the result is returned without
    changes. `approved`: a person has approved the plan in the row. Raises CancelRequestedError, LeaseLostError and
    errors of the database.
    """
    report_id = str(context.store.held.report_id)
    config: RunnableConfig = {
        "configurable": {"thread_id": report_id},
        "callbacks": list(callbacks),
        # A limit independent of the number of tasks, because sources and database are shared.
        "max_concurrency": MAX_RESEARCHERS,
        "metadata": {"report_id": report_id},
    }
    before = graph.get_state(config)
    if not before.values and not before.next:
        graph.invoke({"round_index": 0}, config, context=context, durability="sync")
    elif not before.interrupts and not before.values.get("written"):
        # New input would be added to the old state: None means "go on". `next` says nothing here: it is empty for
        # a thread that has ended and for one that was killed before its first step.
        graph.invoke(None, config, context=context, durability="sync")
    if approved and graph.get_state(config).interrupts:
        graph.invoke(Command(resume=True), config, context=context, durability="sync")
    after = graph.get_state(config)
    return LoopEnd(bool(after.interrupts), after.values.get("ended_because", ""))
