"""Where a report goes next: pure."""

from __future__ import annotations

from typing import Literal

from research.round_state import RoundState, TaskRef

LAST_ROUND = 3


def route_after_plan(approve_plan: bool) -> Literal["approve_plan", "plan_round"]:
    """A person looks at the plan first, where that was asked for."""
    return "approve_plan" if approve_plan else "plan_round"


def tasks_to_send(state: RoundState) -> list[TaskRef]:
    """Tasks of the round that are still to be done; none: the round is joined at once."""
    finished = set(state.get("finished", []))
    return [task for task in state.get("tasks", []) if task["task_id"] not in finished]


def route_after_join(state: RoundState) -> Literal["plan_round", "synthesise"]:
    """The next round, unless this was the last one or there is a reason to end."""
    if state.get("ended_because") or state.get("round_index", 0) >= LAST_ROUND:
        return "synthesise"
    return "plan_round"


def researcher_of(kind: str) -> str:
    """The node that does tasks of this kind."""
    return f"{kind}_researcher"
