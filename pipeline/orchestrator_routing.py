"""Where a run goes next: the table of the orchestrator, pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.reason_codes import blocking

Route = Literal["complete", "retry", "review", "escalate"]

REVIEW_AGENT = "review_agent"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers of the table; see the settings of the same names."""

    complete_confidence: float = 0.9
    retry_confidence: float = 0.5
    max_tries: int = 2
    max_steps: int = 5
    auto_complete: bool = True
    model_configured: bool = False


def route_after_pipeline(state: AgentState, thresholds: Thresholds) -> Route:
    """Choose the next node after a reading. The first row that holds decides:

    1. as many tools as the run may use: escalate
    2. nothing missing, nothing blocking, nothing weak, sure enough, and the machine may complete: complete
    3. unsure, tries left, something missing, and a model to ask: retry
    4. the review agent has not run yet: review
    5. otherwise: escalate
    """
    if len(state.get("tools_used", [])) >= state.get("max_steps", thresholds.max_steps):
        return "escalate"
    if may_complete(state, thresholds):
        return "complete"
    if _worth_another_try(state, thresholds):
        return "retry"
    if REVIEW_AGENT not in state.get("tools_used", []):
        return "review"
    return "escalate"


def route_after_review(state: AgentState) -> Literal["suggested", "escalate"]:
    """A proposal ends the run; without one a person has to look."""
    return "suggested" if state.get("final_outcome") == Outcome.SUGGESTED else "escalate"


def may_complete(state: AgentState, thresholds: Thresholds) -> bool:
    """Whether the machine may complete the entry unseen."""
    return (
        thresholds.auto_complete
        and state.get("record") is not None
        and not state.get("missing_fields")
        and not state.get("weak_fields")
        and not blocking_codes(state)
        and state.get("confidence", 0.0) >= thresholds.complete_confidence
    )


def blocking_codes(state: AgentState) -> list[str]:
    """The reason codes on the record that forbid completion."""
    return blocking((state.get("record") or {}).get("review_reason_codes", []))


def _worth_another_try(state: AgentState, thresholds: Thresholds) -> bool:
    return (
        thresholds.model_configured
        and state.get("confidence", 0.0) < thresholds.retry_confidence
        and state.get("tries", 0) < thresholds.max_tries
        and bool(state.get("missing_fields"))
    )
