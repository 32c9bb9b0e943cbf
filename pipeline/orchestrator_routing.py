"""Routing of the orchestrator: the decision table that chooses the next node. Pure."""

from __future__ import annotations

from typing import Literal

from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.profiles import derived_fields, text_fields
from pipeline.reason_codes import BLANK_CODES, blocking
from pipeline.validation.policy import Policy

Route = Literal["complete", "look", "retry", "review", "escalate"]

REVIEW_AGENT = "review_agent"
SECOND_READER = "second_reader"


def route_after_pipeline(
    state: AgentState, policy: Policy, *, model_configured: bool = False, vision_configured: bool = False
) -> Route:
    """Choose the next node after a reading. The first rule that holds decides:

    1. the run has used as many tools as it may: escalate
    2. nothing missing, nothing blocking, nothing weak, sure enough, and the machine may complete: complete
    3. a recognised page leaves short fields open, and a second reader is available and has not looked: look
    4. low confidence, tries left, something missing, and a model available: retry
    5. the review agent has not run yet: review
    6. otherwise: escalate
    """
    if len(state.get("tools_used", [])) >= state.get("max_steps", policy.max_steps):
        return "escalate"
    if may_complete(state, policy):
        return "complete"
    if vision_configured and SECOND_READER not in state.get("tools_used", []) and open_on_pictures(state):
        return "look"
    if model_configured and _worth_another_try(state, policy):
        return "retry"
    if REVIEW_AGENT not in state.get("tools_used", []):
        return "review"
    return "escalate"


def route_after_review(state: AgentState) -> Literal["suggested", "escalate"]:
    """End the run if there is a proposal, else escalate."""
    return "suggested" if state.get("final_outcome") == Outcome.SUGGESTED else "escalate"


def may_complete(state: AgentState, policy: Policy) -> bool:
    """Whether the machine may complete the entry without a person."""
    return state.get("record") is not None and policy.may_complete(
        state.get("missing_fields", []),
        state.get("weak_fields", []),
        blocking_codes(state),
        state.get("confidence", 0.0),
    )


def blocking_codes(state: AgentState) -> list[str]:
    """Return the reason codes on the record that block completion."""
    return blocking((state.get("record") or {}).get("review_reason_codes", []))


def is_blank(state: AgentState) -> bool:
    return not BLANK_CODES.isdisjoint(blocking_codes(state))


def open_on_pictures(state: AgentState) -> list[str]:
    """Return the missing and weak short fields of an entry with a recognised page; none of a blank form."""
    record = state.get("record") or {}
    if record.get("ocr_confidence_avg") is None or is_blank(state):
        return []
    named = [*state.get("missing_fields", []), *state.get("weak_fields", [])]
    return [name for name in dict.fromkeys(named) if name not in text_fields() | derived_fields()]


def _worth_another_try(state: AgentState, policy: Policy) -> bool:
    return (
        state.get("confidence", 0.0) < policy.retry_confidence
        and state.get("tries", 0) < policy.max_tries
        and bool(state.get("missing_fields"))
    )
