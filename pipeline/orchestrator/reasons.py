"""Why a step did what it did, in words for an admin. Names of fields, never their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.orchestrator_routing import REVIEW_AGENT, blocking_codes
from pipeline.orchestrator_state import AgentState
from pipeline.reason_codes import ReasonCode, reason_info
from pipeline.validation.policy import Policy

#: Codes of an entry that holds nothing to read or to propose.
BLANK_CODES = frozenset({ReasonCode.TEMPLATE_ONLY.value, ReasonCode.BLANK_SUBMISSION.value})
#: Codes that say which required field is missing, and which that is.
MISSING_FIELD: Mapping[str, str] = {
    ReasonCode.MISSING_STUDENT_NAME: "student_name",
    ReasonCode.MISSING_SCHOOL_NAME: "school_name",
    ReasonCode.MISSING_GRADE: "grade",
    ReasonCode.EMPTY_ESSAY: "essay_text",
    ReasonCode.SHORT_ESSAY: "essay_text",
}


def field_words(names: Iterable[str]) -> str:
    """Names of fields as a person says them."""
    return ", ".join(name.replace("_", " ") for name in names)


def is_blank(state: AgentState) -> bool:
    """Whether there is nothing on the form."""
    return not BLANK_CODES.isdisjoint(_codes(state))


def what_was_read(state: AgentState) -> str:
    """What a reading left open, and how sure it is."""
    found = [f"confidence {state.get('confidence', 0.0):.2f}"]
    if missing := state.get("missing_fields"):
        found.append(f"missing: {field_words(missing)}")
    if weak := state.get("weak_fields"):
        found.append(f"weak: {field_words(weak)}")
    if codes := [code for code in _codes(state) if code not in MISSING_FIELD]:
        found.append(_labels(codes))
    return "Read the entry; " + "; ".join(found) + "."


def why_completed(state: AgentState, policy: Policy) -> str:
    """Why nobody has to look."""
    return (
        "Everything required was read, nothing is weak, and confidence "
        f"{state.get('confidence', 0.0):.2f} reaches {policy.complete_confidence:.2f}."
    )


def why_escalated(state: AgentState, policy: Policy) -> str:
    """Why a person has to look; few different sentences, as the statistics count them."""
    if is_blank(state):
        return "The form is blank."
    tools = state.get("tools_used", [])
    if REVIEW_AGENT not in tools and len(tools) >= state.get("max_steps", policy.max_steps):
        return "The limit of steps was reached."
    if state.get("missing_fields"):
        return f"{_doubts(state)}: nothing to propose."
    if blocking_codes(state):
        return f"{_doubts(state)}: needs a decision."
    return "Low confidence, and nothing better was found."


def why_proposed(state: AgentState) -> str:
    """Why the entry came to a person with proposals, most weighty first."""
    reasons = [f"{doubts}."] if (doubts := _doubts(state)) else []
    if weak := state.get("weak_fields"):
        reasons.append(f"To be confirmed: {field_words(weak)}.")
    return " ".join(reasons) or "Low confidence."


def _doubts(state: AgentState) -> str:
    """What is missing or blocks, as one phrase: "No school, no grade"."""
    codes = blocking_codes(state)
    told = {MISSING_FIELD.get(code) for code in codes}
    untold = [f"no {field_words([name])}" for name in state.get("missing_fields", []) if name not in told]
    phrase = ", ".join([_labels(codes), *untold] if codes else untold)
    return phrase[:1].upper() + phrase[1:]


def _codes(state: AgentState) -> list[str]:
    return list((state.get("record") or {}).get("review_reason_codes", []))


def _labels(codes: Iterable[str]) -> str:
    return ", ".join(reason_info(code).label.lower() for code in codes)
