"""The graph of the three rounds and its nodes; start and resume reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt

from core.models import ReportSource
from research.allocation import KINDS, LAST_ROUND, MAX_RESEARCHERS, RoundState, researcher_of, route_after_join
from research.memo import PlannedTask, entry_domain
from research.node_context import RoundContext, step
from research.queries import plan_round, with_queries
from research.questions.asking import question_on, subject_of_all
from research.questions.catalog_fields import columns_of
from research.readers.protocol import Plan, ReaderLog
from research.report_type import ReportType
from research.researchers import create_researcher
from research.rounds.joining import approved_plan, drawn_plan, join_round
from research.storage import is_provider
from research.text.language import phrases_for
from research.writing.checking import ReportMaterial
from research.writing.reading_list import PUBLISHERS
from research.writing.report import write_report

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
        # None continues; new input would be added to the old state. `next` does not tell the cases apart: it is
        # empty for a thread that has ended and for one that was killed before its first step.
        graph.invoke(None, config, context=context, durability="sync")
    if approved and graph.get_state(config).interrupts:
        graph.invoke(Command(resume=True), config, context=context, durability="sync")
    after = graph.get_state(config)
    return LoopEnd(bool(after.interrupts), after.values.get("ended_because", ""))


# The nodes of the round loop: plan, wait for approval, plan a round, join it, write the report.


def plan_node(state: RoundState, context: RoundContext) -> RoundState:
    """Plan questions, aspects and researchers, unless there is a plan already."""
    progress = context.store.progress
    progress.say("planning")
    if progress.plan() is None:
        _read_fields(context)
        progress.save_plan(*drawn_plan(context))
    if context.brief.approve_plan:
        progress.say("awaiting_plan")
    return {}


def _read_fields(context: RoundContext) -> None:
    """Let the reader find the fields in the request of a catalog, unless a person chose them."""
    asked = context.brief.asked
    if asked.report_type is ReportType.CATALOG and not context.brief.fields_chosen:
        context.brief = context.brief.with_fields(columns_of(context.reader.fields(asked)))
        context.store.progress.save_fields(context.brief.asked.fields)


def approve_plan_node(state: RoundState, context: RoundContext) -> RoundState:
    """Wait for a person's approval; the approved plan is read from the report's row, not from the resume."""
    interrupt("plan")
    return {}


def plan_round_node(state: RoundState, context: RoundContext) -> RoundState:
    """Plan the tasks of the next round with their queries; a round without tasks is skipped with a reason."""
    index, rounds = state["round_index"] + 1, context.store.rounds
    context.store.progress.say(f"round_{index}")
    if not rounds.tasks(index):
        rounds.begin(index, *_planned(context, index))
    # If the checkpoint is lost, the tables still record finished tasks.
    waiting = [one.task for one in rounds.tasks(index) if one.result is None]
    return {"round_index": index, "tasks": {task.task_id: task.kind for task in waiting}}


def join_round_node(state: RoundState, context: RoundContext) -> RoundState:
    """Join the round and read its sources; an exhausted budget ends the loop here."""
    index, rounds = state["round_index"], context.store.rounds
    if rounds.memo(index) is None:
        context.store.progress.say(f"reading_{index}")
        join_round(context, index)
    ended = "" if context.budget.exhausted is None else "budget"
    for later in range(index + 1, LAST_ROUND + 1) if ended else ():
        rounds.begin(later, [], ended)
    return {"ended_because": ended, "tasks": {}, "unanswered": context.store.calls.failed()}


def synthesise_node(state: RoundState, context: RoundContext) -> RoundState:
    """Write the report; if the budget is spent, the reader asks no model."""
    progress = context.store.progress
    progress.say("writing")
    context.reader.log = ReaderLog()
    given = _material(context, state["unanswered"])
    written = write_report(given, context.reader)
    progress.write_first(written, state["round_index"])
    if written.memo is not None:
        context.store.rounds.settle(written.memo)
    progress.say("done")
    complete = "complete" if any(result.findings for result in given.results) else "no_evidence"
    spent_up = "budget" if context.budget.exhausted is not None else ""
    return {"ended_because": state.get("ended_because") or spent_up or complete, "written": True}


def _planned(context: RoundContext, index: int) -> tuple[list[PlannedTask], str | None]:
    """Return the tasks of a round, and the reason if there are none."""
    plan, allocation = approved_plan(context)
    if not any(allocation.values()):
        return [], "no_sources"
    memo = context.store.rounds.memo(index - 1)
    elsewhere = _elsewhere(context, plan) if index == LAST_ROUND and not context.reader.judges else ()
    tasks = plan_round(index, memo, allocation, context.brief.config, plan.questions, elsewhere)
    if tasks:
        return with_queries(context.reader, context.brief.asked, tasks), None
    if memo is not None and memo.tasks_remaining <= 0:
        return [], "no_tasks_left"
    return [], "no_claims" if index == LAST_ROUND else "no_gaps"


def _elsewhere(context: RoundContext, plan: Plan) -> list[str]:
    """Return the question on each aspect whose passages come from too few publishers."""
    asked = context.brief.asked
    results = [one.result for one in context.store.rounds.tasks() if one.result is not None]
    of_source = {entry.key: entry_domain(entry) for one in results for entry in one.sources}
    subject = subject_of_all(asked.query, asked.language)
    found = []
    for aspect in plan.aspects or (asked.query,):
        keys = [one.source_key for result in results for one in result.findings if aspect in one.topics]
        if len(set(map(of_source.get, keys))) < PUBLISHERS:
            question = question_on(aspect, asked.query)
            found.append(question if question == asked.query else f"{question} {subject}")
    return found


def _material(context: RoundContext, unanswered: int) -> ReportMaterial:
    """Return the material of all rounds; `unanswered`: number of model calls without a usable reply."""
    brief, store = context.brief, context.store
    rows = store.sources.all()
    plan, _ = approved_plan(context)
    return ReportMaterial(
        asked=brief.asked,
        plan=plan,
        config=brief.config,
        memo=next(memo for index in range(LAST_ROUND, 0, -1) if (memo := store.rounds.memo(index))),
        results=tuple(task.result for task in store.rounds.tasks() if task.result is not None),
        sources=store.sources.texts(rows),
        troubles=tuple(_troubles(context, rows, unanswered)),
    )


def _troubles(context: RoundContext, rows: Sequence[ReportSource], unanswered: int) -> list[str]:
    """Return a sentence for each kind of problem that occurred, for the report's limits."""
    phrases = phrases_for("troubles", context.brief.asked.language)
    found = []
    if (resource := context.budget.exhausted) is not None:
        found.append(phrases["budget"].format(resource=phrases[resource]))
    if unanswered:
        found.append(phrases["model" if unanswered == 1 else "models"].format(count=unanswered))
    providers = {row.provider for row in rows if is_provider(row)}
    found += [phrases["provider"].format(provider=provider) for provider in sorted(providers)]
    if unread := sum(row.status == "failed" and not is_provider(row) for row in rows):
        found.append(phrases["source" if unread == 1 else "sources"].format(count=unread))
    return found


NODES: Mapping[str, Callable[[RoundState, RoundContext], RoundState]] = {
    "plan": plan_node,
    "approve_plan": approve_plan_node,
    "plan_round": plan_round_node,
    "join_round": join_round_node,
    "synthesise": synthesise_node,
}
