"""Start, continue and resume reports, each in a graph thread whose id is the report's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from research.allocation import MAX_RESEARCHERS
from research.round_loop import RoundLoop
from research.running.context import RoundContext


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """The state of a report when the graph has stopped."""

    #: Whether it waits for a person to approve the plan.
    waits: bool
    #: "complete", "no_evidence" or "budget"; empty while it waits.
    ended_because: str


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
    report_id = context.brief.report_id
    config: RunnableConfig = {
        "configurable": {"thread_id": report_id},
        "callbacks": list(callbacks),
        # A limit independent of the number of tasks, because sources and database are shared.
        "max_concurrency": MAX_RESEARCHERS,
        "metadata": {"report_id": report_id},
    }
    before = graph.get_state(config)
    if not before.values and not before.next:
        graph.invoke({"report_id": report_id}, config, context=context, durability="sync")
    elif not before.interrupts and not before.values.get("written"):
        # New input would be added to the old state: None means "go on". `next` says nothing here: it is empty for
        # a thread that has ended and for one that was killed before its first step.
        graph.invoke(None, config, context=context, durability="sync")
    if approved and graph.get_state(config).interrupts:
        graph.invoke(Command(resume=True), config, context=context, durability="sync")
    after = graph.get_state(config)
    return LoopEnd(bool(after.interrupts), after.values.get("ended_because", ""))
