"""Routing of the loop: pure functions from state and tier to the name of an edge."""

from __future__ import annotations

from typing import Literal

from research.supervision.loop.state import SupervisionState
from research.supervision.types import BREAKER, Ended, Outcome, SupervisionTier


def route_after_analysis(state: SupervisionState) -> Literal["proceed", "settle", "finalize"]:
    """Return "finalize" after an end, "settle" if the attempt is over, else "proceed".

    Research and integration are followed by the same question.
    """
    if state.get("ended_because"):
        return "finalize"
    return "settle" if state.get("outcome") else "proceed"


def should_continue(state: SupervisionState) -> Literal["continue", "complete"]:
    """Return "continue" if another attempt is made, else "complete"."""
    return "complete" if state.get("ended_because") else "continue"


def end_of(state: SupervisionState, tier: SupervisionTier) -> Ended | None:
    """Return why the loop ends after an attempt, or None if it continues or has not begun."""
    if state.get("failures", 0) >= BREAKER:
        return Ended.CIRCUIT_BREAKER
    iteration = state.get("iteration", 0)
    if iteration < tier.max_iterations:
        return None
    if state.get("without_evidence", 0) == iteration:
        return Ended.NO_EVIDENCE
    if state.get("outcome") == Outcome.FAILED and not state.get("integrations") and iteration == 1:
        # The only permitted attempt failed, so nothing was completed.
        return Ended.ERROR
    return Ended.MAX_ITERATIONS
