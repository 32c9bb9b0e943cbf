"""Why a step did what it did, as codes. Names of fields, never their values."""

from __future__ import annotations

from collections.abc import Mapping

from core.messages import Message
from pipeline.messages import EscalationReason, RunReason
from pipeline.orchestrator_routing import REVIEW_AGENT, blocking_codes
from pipeline.orchestrator_state import AgentState
from pipeline.reason_codes import ReasonCode
from pipeline.validation.policy import Policy

#: Codes of an entry with nothing to read or to propose.
BLANK_CODES = frozenset({ReasonCode.TEMPLATE_ONLY.value, ReasonCode.BLANK_SUBMISSION.value})
#: Codes of a missing required field, with that field.
MISSING_FIELD: Mapping[str, str] = {
    ReasonCode.MISSING_STUDENT_NAME: "student_name",
    ReasonCode.MISSING_SCHOOL_NAME: "school_name",
    ReasonCode.MISSING_GRADE: "grade",
    ReasonCode.EMPTY_ESSAY: "essay_text",
    ReasonCode.SHORT_ESSAY: "essay_text",
}


def is_blank(state: AgentState) -> bool:
    """Whether the form is blank."""
    return not BLANK_CODES.isdisjoint(_codes(state))


def what_was_read(state: AgentState) -> Message:
    """Describe the reading: what is missing or weak, and its confidence."""
    found = []
    if missing := state.get("missing_fields"):
        found.append(Message.of(RunReason.MISSING, fields=missing))
    if weak := state.get("weak_fields"):
        found.append(Message.of(RunReason.WEAK, fields=weak))
    if codes := [code for code in _codes(state) if code not in MISSING_FIELD]:
        found.append(Message.of(RunReason.DOUBTS, reasons=codes))
    return Message.of(RunReason.READ, confidence=state.get("confidence", 0.0), problems=found)


def why_completed(state: AgentState, policy: Policy) -> Message:
    """Explain why the machine completed the entry."""
    return Message.of(
        RunReason.CONFIDENT,
        confidence=state.get("confidence", 0.0),
        threshold=policy.complete_confidence,
    )


def why_escalated(state: AgentState, policy: Policy) -> Message:
    """Why a person has to look; statistics count the codes."""
    if is_blank(state):
        return Message.of(EscalationReason.BLANK_FORM)
    tools = state.get("tools_used", [])
    if REVIEW_AGENT not in tools and len(tools) >= state.get("max_steps", policy.max_steps):
        return Message.of(EscalationReason.LIMIT_OF_STEPS)
    if missing := state.get("missing_fields"):
        doubts = _doubts(state)
        return Message.of(EscalationReason.NOTHING_TO_PROPOSE, fields=missing, problems=doubts)
    if codes := blocking_codes(state):
        return Message.of(EscalationReason.NEEDS_DECISION, reasons=codes)
    return Message.of(EscalationReason.LOW_CONFIDENCE)


def why_proposed(state: AgentState) -> Message:
    """Explain why the entry needs a person, most important reason first."""
    found = []
    if missing := state.get("missing_fields"):
        found.append(Message.of(RunReason.MISSING, fields=missing))
    found += _doubts(state)
    if weak := state.get("weak_fields"):
        found.append(Message.of(RunReason.TO_CONFIRM, fields=weak))
    return Message.of(RunReason.PROPOSED, problems=found) if found else Message.of(EscalationReason.UNSURE)


def what_the_model_said(found: Mapping[str, object], missing: list[str]) -> Message:
    """For which fields the model was asked, and which it read."""
    if not found:
        return Message.of(RunReason.MODEL_FOUND_NOTHING, fields=missing)
    return Message.of(RunReason.MODEL_READ, asked=missing, fields=list(found))


def _doubts(state: AgentState) -> list[Message]:
    """Return the blocking reasons other than missing fields, which are listed by name."""
    missing = set(state.get("missing_fields", []))
    codes = [code for code in blocking_codes(state) if MISSING_FIELD.get(code) not in missing]
    return [Message.of(RunReason.DOUBTS, reasons=codes)] if codes else []


def _codes(state: AgentState) -> list[str]:
    return list((state.get("record") or {}).get("review_reason_codes", []))
