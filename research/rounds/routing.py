"""Routing of the round loop; pure functions of the state."""

from __future__ import annotations

from typing import Literal

from research.running.state import RoundState

LAST_ROUND = 3


def route_after_join(state: RoundState) -> Literal["plan_round", "synthesise"]:
    """Return "plan_round", or "synthesise" after the last round or if there is a reason to end."""
    if state.get("ended_because") or state.get("round_index", 0) >= LAST_ROUND:
        return "synthesise"
    return "plan_round"


def researcher_of(kind: str) -> str:
    """Return the name of the node for tasks of this kind."""
    return f"{kind}_researcher"
