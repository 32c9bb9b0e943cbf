"""Routing of the round loop; pure functions of the state."""

from __future__ import annotations

from typing import Literal

from research.running.state import RoundState, TaskRef

LAST_ROUND = 3


def route_after_plan(approve_plan: bool) -> Literal["approve_plan", "plan_round"]:
    """Return "approve_plan" if a person's approval was requested, else "plan_round"."""
    return "approve_plan" if approve_plan else "plan_round"


def tasks_to_send(state: RoundState) -> list[TaskRef]:
    """Return the unfinished tasks of the round; without any, the round is joined at once."""
    finished = set(state.get("finished", []))
    return [task for task in state.get("tasks", []) if task["task_id"] not in finished]


def route_after_join(state: RoundState) -> Literal["plan_round", "synthesise"]:
    """Return "plan_round", or "synthesise" after the last round or if there is a reason to end."""
    if state.get("ended_because") or state.get("round_index", 0) >= LAST_ROUND:
        return "synthesise"
    return "plan_round"


def researcher_of(kind: str) -> str:
    """Return the name of the node for tasks of this kind."""
    return f"{kind}_researcher"
