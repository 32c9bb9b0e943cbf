"""Routing of the round loop; pure functions of the state and the request."""

from __future__ import annotations

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from research.running.context import RoundContext
from research.running.state import RoundState

LAST_ROUND = 3


def route_after_plan(state: RoundState, runtime: Runtime[RoundContext]) -> Literal["approve_plan", "plan_round"]:
    """Return "approve_plan" if a person's approval was requested, else "plan_round"."""
    return "approve_plan" if runtime.context.brief.approve_plan else "plan_round"


def tasks_to_send(state: RoundState) -> list[Send] | Literal["join_round"]:
    """Send each unfinished task of the round to a researcher, in parallel; without any, join the round."""
    index, finished = state["round_index"], set(state.get("finished", []))
    return [
        Send(researcher_of(task["kind"]), {"task_id": task["task_id"], "round_index": index})
        for task in state.get("tasks", [])
        if task["task_id"] not in finished
    ] or "join_round"


def route_after_join(state: RoundState) -> Literal["plan_round", "synthesise"]:
    """Return "plan_round", or "synthesise" after the last round or if there is a reason to end."""
    if state.get("ended_because") or state.get("round_index", 0) >= LAST_ROUND:
        return "synthesise"
    return "plan_round"


def researcher_of(kind: str) -> str:
    """Return the name of the node for tasks of this kind."""
    return f"{kind}_researcher"
