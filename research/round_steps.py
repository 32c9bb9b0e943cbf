"""The wrapper around every node: cancellation, boundaries, the guard of the state, and what is shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from research.round_context import RoundContext
from research.round_routing import LAST_ROUND

State = TypeVar("State", bound=Mapping[str, Any], contravariant=True)
Delta = TypeVar("Delta", bound=Mapping[str, Any], covariant=True)

ROUNDS = range(1, LAST_ROUND + 1)
RESEARCHER_STEPS = ("queries", "search", "fetch", "read")

#: Every moment between two effects of the round loop, as `RoundContext.boundary` is told them.
LOOP_BOUNDARIES = (
    "plan:start",
    "plan:done",
    *(
        f"{node}_{index}:{point}"
        for index in ROUNDS
        for node in ("plan_round", "join_round")
        for point in ("start", "done")
    ),
    "synthesise:start",
    "synthesise:done",
)
#: Those of the nodes that wait for a person.
APPROVAL_BOUNDARIES = ("approve_plan:start", "approve_plan:done")
#: Those of one researcher, behind its kind.
RESEARCHER_BOUNDARIES = (
    *(f"{step}:{point}" for step in RESEARCHER_STEPS for point in ("start", "done")),
    "fetch:stored",
)


class Node(Protocol[State, Delta]):
    """Takes the state, returns what changed."""

    def __call__(self, state: State, *, runtime: Runtime[RoundContext]) -> Delta: ...


def step(
    name: Callable[[State], str],
    work: Callable[[State, RoundContext], Delta],
    declared: Mapping[str, Any],
) -> Node[State, Delta]:
    """Wrap the work of a node; `name` tells how its boundaries are called."""

    def run(state: State, *, runtime: Runtime[RoundContext]) -> Delta:
        context = runtime.context
        called = name(state)
        context.at(f"{called}:start")
        context.store.progress.stop_if_asked()
        delta = checked(called, work(state, context), declared)
        context.after_step()
        context.at(f"{called}:done")
        return delta

    return run
