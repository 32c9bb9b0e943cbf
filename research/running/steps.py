"""The wrapper around every node: cancellation, the guard of the state, and what is shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from langgraph.runtime import Runtime

from core.graphs.graph_state import checked
from research.running.context import RoundContext

State = TypeVar("State", bound=Mapping[str, Any], contravariant=True)
Delta = TypeVar("Delta", bound=Mapping[str, Any], covariant=True)


class Node(Protocol[State, Delta]):
    """A node: takes the state and returns changed keys."""

    def __call__(self, state: State, *, runtime: Runtime[RoundContext]) -> Delta: ...


def step(
    name: str, work: Callable[[State, RoundContext], Delta], declared: Mapping[str, Any]
) -> Node[State, Delta]:
    """Wrap the work of a node; `name` is what an error about its state says."""

    def run(state: State, *, runtime: Runtime[RoundContext]) -> Delta:
        context = runtime.context
        context.store.progress.stop_if_asked()
        delta = checked(name, work(state, context), declared)
        context.after_step()
        return delta

    return run
