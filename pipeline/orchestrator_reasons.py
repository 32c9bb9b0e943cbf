"""Why a step did what it did, in words for an admin. Names of fields, never their values."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.orchestrator_routing import REVIEW_AGENT, Thresholds, blocking_codes
from pipeline.orchestrator_state import AgentState
from pipeline.reason_codes import ReasonCode, reason_info

#: Codes of an entry that holds nothing to read or to propose.
BLANK_CODES = frozenset({ReasonCode.TEMPLATE_ONLY.value, ReasonCode.BLANK_SUBMISSION.value})


def field_words(names: Iterable[str]) -> str:
    """Names of fields as a person says them."""
    return ", ".join(name.replace("_", " ") for name in names)


def is_blank(state: AgentState) -> bool:
    """Whether there is nothing on the form."""
    return not BLANK_CODES.isdisjoint((state.get("record") or {}).get("review_reason_codes", []))


def what_was_read(state: AgentState) -> str:
    """What a reading left open, and how sure it is."""
    found = [f"confidence {state.get('confidence', 0.0):.2f}"]
    if missing := state.get("missing_fields"):
        found.append(f"missing: {field_words(missing)}")
    if weak := state.get("weak_fields"):
        found.append(f"weak: {field_words(weak)}")
    if codes := (state.get("record") or {}).get("review_reason_codes"):
        found.append(f"codes: {_labels(codes)}")
    return "Read the entry; " + "; ".join(found) + "."


def why_completed(state: AgentState, thresholds: Thresholds) -> str:
    """Why nobody has to look."""
    return (
        "Everything required was read, nothing is weak, and confidence "
        f"{state.get('confidence', 0.0):.2f} reaches {thresholds.complete_confidence:.2f}."
    )


def why_escalated(state: AgentState, thresholds: Thresholds) -> str:
    """Why a person has to look; few different sentences, as the statistics count them."""
    if is_blank(state):
        return "The form is blank."
    tools = state.get("tools_used", [])
    if REVIEW_AGENT not in tools and len(tools) >= state.get("max_steps", thresholds.max_steps):
        return "The limit of steps was reached."
    if missing := state.get("missing_fields"):
        return f"Nothing to propose for: {field_words(missing)}."
    if codes := blocking_codes(state):
        return f"Needs a decision: {_labels(codes)}."
    return "Low confidence, and nothing better was found."


def why_proposed(state: AgentState) -> str:
    """Why the entry came to a person with proposals, most weighty first."""
    reasons = []
    if missing := state.get("missing_fields"):
        reasons.append(f"Missing: {field_words(missing)}.")
    if codes := blocking_codes(state):
        reasons.append(f"{_labels(codes)}.")
    if weak := [name for name in state.get("weak_fields", []) if name not in (missing or [])]:
        reasons.append(f"To be confirmed: {field_words(weak)}.")
    return " ".join(reasons) or "Low confidence."


def _labels(codes: Iterable[str]) -> str:
    return ", ".join(reason_info(code).label.lower() for code in codes)
