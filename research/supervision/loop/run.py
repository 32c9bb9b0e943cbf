"""Start, continue and resume loops, each in a graph thread whose id is the supervision's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from research.supervision.loop.context import SupervisionContext
from research.supervision.loop.graph import SupervisionGraph, steps_allowed
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Ended


@dataclass(frozen=True)
class SupervisionResult:
    """The state of a loop when the graph has stopped."""

    #: The last good version; always present.
    version_no: int
    iterations: int
    analyses: int
    integrations: int
    #: None while a revision waits for a person.
    ended: Ended | None
    waiting_revision: str | None = None


def run_supervision(
    graph: SupervisionGraph,
    supervision_id: str,
    initial_state: SupervisionState,
    context: SupervisionContext,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> SupervisionResult:
    """Run the loop until it ends or a revision waits; continue it where a crash left it.

    `initial_state`: as the rows tell it (last good version, attempts so far), for a thread that is new or gone.

    A loop that ended or waits without a decision is only reported. Raises what the nodes raise.
    """
    config = _config(supervision_id, context, callbacks)
    before = graph.get_state(config)
    if not before.values and not before.next:
        graph.invoke(initial_state, config, context=context, durability="sync")
    elif before.interrupts:
        revision_id = before.interrupts[0].value["revision_id"]
        if context.store.decision(revision_id) is not None or context.stop() is not None:
            graph.invoke(Command(resume=True), config, context=context, durability="sync")
    elif not before.values.get("finished"):
        # New input would be added to the old state: None means "go on". `next` says nothing here: it is empty too
        # for a thread that was killed between a step's writes and its checkpoint.
        graph.invoke(None, config, context=context, durability="sync")
    return _result(graph, config)


def _result(graph: SupervisionGraph, config: RunnableConfig) -> SupervisionResult:
    snapshot = graph.get_state(config)
    values = snapshot.values
    waiting = snapshot.interrupts[0].value["revision_id"] if snapshot.interrupts else None
    ended = values.get("ended_because")
    return SupervisionResult(
        version_no=values["version_no"],
        iterations=values.get("iteration", 0),
        analyses=values.get("analyses", 0),
        integrations=values.get("integrations", 0),
        ended=Ended(ended) if ended and values.get("finished") else None,
        waiting_revision=waiting,
    )


def _config(
    supervision_id: str, context: SupervisionContext, callbacks: Sequence[BaseCallbackHandler]
) -> RunnableConfig:
    return {
        "configurable": {"thread_id": supervision_id},
        "callbacks": list(callbacks),
        "recursion_limit": steps_allowed(context.tier.max_iterations),
        "metadata": {"supervision_id": supervision_id},
    }
