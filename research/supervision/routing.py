"""Where the loop goes next. Pure: state and tier in, the name of an edge out."""

from __future__ import annotations

from typing import Literal

from research.supervision.state import SupervisionState
from research.supervision.tiers import SupervisionTier
from research.supervision.types import Ended, Outcome


def route_after_analysis(state: SupervisionState) -> Literal["expand", "settle", "finalize"]:
    """An issue is looked into; a failed or repeated analysis is an attempt spent; an end is an end."""
    if state.get("ended_because"):
        return "finalize"
    return "settle" if state.get("outcome") else "expand"


def route_after_expansion(state: SupervisionState) -> Literal["integrate", "settle", "finalize"]:
    """Nothing found, nothing integrated: the model is not asked."""
    if state.get("ended_because"):
        return "finalize"
    return "settle" if state.get("outcome") else "integrate"


def route_after_integration(state: SupervisionState) -> Literal["decide", "settle", "finalize"]:
    """A revision waits for its decision; without one the attempt is over."""
    if state.get("ended_because"):
        return "finalize"
    return "decide" if state.get("revision_id") else "settle"


def should_continue(state: SupervisionState) -> Literal["continue", "complete"]:
    """Whether another attempt is made."""
    return "complete" if state.get("ended_because") else "continue"


def end_of(state: SupervisionState, tier: SupervisionTier) -> Ended | None:
    """Why the loop ends once an attempt is settled; None where it goes on."""
    if state.get("failures", 0) >= tier.breaker:
        return Ended.CIRCUIT_BREAKER
    iteration = state.get("iteration", 0)
    if iteration < tier.max_iterations:
        return None
    if state.get("without_evidence", 0) == iteration:
        return Ended.NO_EVIDENCE
    if state.get("outcome") == Outcome.FAILED and not state.get("integrations") and iteration == 1:
        # One attempt was allowed and it failed: nothing was examined to its end.
        return Ended.ERROR
    return Ended.MAX_ITERATIONS
