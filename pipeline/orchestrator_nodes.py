"""The nodes of the orchestrator: each does one thing and returns the changed keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from core.errors import ModelError, RecognitionError
from core.messages import Message, MessageCode, Param
from core.tracing.log import get_logger
from pipeline.orchestrator.artifacts import for_state, load_reading, report_for_state, store_reading
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.decisions import (
    what_the_model_said,
    what_the_second_reader_saw,
    what_was_read,
    why_completed,
    why_escalated,
    why_proposed,
)
from pipeline.orchestrator.suggestions import read_by_model
from pipeline.orchestrator_routing import SECOND_READER, blocking_codes, is_blank, open_on_pictures
from pipeline.orchestrator_state import AgentState, Outcome, applied, ocr_provider_of
from pipeline.reason_codes import ReasonCode, RunReason
from pipeline.review_agent_graph import create_review_agent_graph
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validate import can_approve_record, validate_record
from pipeline.validation.certainty import record_confidence, weak_fields
from pipeline.validation.policy import Policy

log = get_logger(__name__)


def run_pipeline_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Read the entry. Its texts are in the file store afterwards; the rest goes into the state."""
    context = runtime.context
    record, report = context.read(state, settings=context.settings, store=context.store, policy=context.policy)
    delta: AgentState = {
        **judged(record, context.policy),
        "report": report_for_state(report),
        "tries": 1,
        "tools_used": ["run_pipeline"],
        "status": "processing",
    }
    return {**delta, "reason": what_was_read(applied(state, delta)).to_json()}


def second_reader_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Have the second reader look at the header once. The record's values do not change.

    A value that both readers have counts as sure where the season's rules say so.
    """
    context = runtime.context
    record, report = load_reading(context.store, state["artifact_dir"])
    assert context.vision is not None
    try:
        header = context.ask_second_reader(
            open_on_pictures(state),
            state["image_path"],
            ocr_provider_of(state, context.settings.ocr_provider),
            record,
            model=context.vision,
            settings=context.settings,
            store=context.store,
            schools=context.policy.schools,
            others=context.others,
        )
    except (ModelError, RecognitionError) as exc:
        # The run continues without the second reader; the failure is recorded in the ledger and here.
        log.warning("second_reader_failed", run_id=state["run_id"], code=exc.code)
        reason = Message.of(RunReason.MODEL_FAILED, technical=exc.code)
    else:
        reason = what_the_second_reader_saw(header)
        if header is not None:
            seen = record.model_copy(update={"readings": {**record.readings, **header.readings}})
            record, found = validate_record(seen, context.policy)
            report = {**report, **found}
            store_reading(context.store, record, report)
    return {
        **judged(record, context.policy),
        "report": report_for_state(report),
        "tools_used": [SECOND_READER],
        "status": "processing",
        "reason": reason.to_json(),
    }


def retry_llm_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Ask the model for the missing fields. Its values do not enter the record until a person approves them."""
    context = runtime.context
    missing = state.get("missing_fields", [])
    record = SubmissionRecord.model_validate(state["record"])
    try:
        found = read_by_model(context, state["artifact_dir"], record, missing)
        reason = what_the_model_said(found, missing)
    except ModelError as exc:
        # The run continues without the model; the failure is recorded in the ledger and here.
        log.warning("model_failed", run_id=state["run_id"], code=exc.code)
        found, reason = {}, Message.of(RunReason.MODEL_FAILED, technical=exc.code)
    return {
        **judged(_with_model_readings(record, found), context.policy),
        "tries": 1,
        "tools_used": ["retry_with_llm"],
        "status": "retry",
        "reason": reason.to_json(),
    }


def review_agent_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Run the review agent. Record and `needs_review` do not change until a person approves its proposal."""
    delta: AgentState = {"tools_used": ["review_agent"], "status": "review"}
    if is_blank(state):
        return {**delta, "reason": _json(RunReason.NOTHING_ON_BLANK)}
    if runtime.context.recorder.proposed():
        # The node is repeated after a crash: the proposal exists then, and the model is not asked again.
        reason = _json(RunReason.PROPOSED_BEFORE)
        return {**delta, "final_outcome": Outcome.SUGGESTED.value, "reason": reason}
    result = create_review_agent_graph().invoke(
        {
            "submission_id": state["submission_id"],
            "run_id": state["run_id"],
            "artifact_dir": state["artifact_dir"],
            "image_path": state["image_path"],
            "ocr_provider_name": ocr_provider_of(state, runtime.context.settings.ocr_provider),
            "record": state["record"] or {},
            "missing_fields": state.get("missing_fields", []),
            "weak_fields": state.get("weak_fields", []),
            "blocking_codes": blocking_codes(state),
            "asked_of_model": _asked_of_model(state),
            "reason": why_proposed(state).to_json(),
        },
        context=runtime.context,
    )
    if not result.get("success"):
        return {**delta, "reason": _json(RunReason.FOUND_NOTHING)}
    reason = _json(RunReason.PROPOSES, fields=result["proposed_fields"])
    return {**delta, "final_outcome": Outcome.SUGGESTED.value, "reason": reason}


def save_complete_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Complete the entry without a person."""
    return {
        "status": "completed",
        "final_outcome": Outcome.COMPLETED.value,
        "needs_review": False,
        "reason": why_completed(state, runtime.context.policy).to_json(),
    }


def announce_escalation(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Return the changes to log before `mark_for_human` interrupts."""
    return {
        "status": "escalate",
        "final_outcome": Outcome.ESCALATED.value,
        "needs_review": True,
        "reason": why_escalated(state, runtime.context.policy).to_json(),
    }


def mark_human_node(state: AgentState, runtime: Runtime[RunContext]) -> AgentState:
    """Wait for a person. The node runs again after the decision, so it must have no effects."""
    decision = interrupt(escalation_payload(state, runtime.context))
    settled = decision["action"] == "settle"
    return {
        "status": "completed",
        "final_outcome": (Outcome.RESOLVED if settled else Outcome.REJECTED).value,
        "reason": _json(RunReason.SETTLED_BY_PERSON if settled else RunReason.REJECTED_BY_PERSON),
    }


def escalation_payload(state: AgentState, context: RunContext) -> dict[str, Any]:
    """Return the payload of the interrupt, which describes an escalated run without values of the entry."""
    return {
        "run_id": state["run_id"],
        "reason": why_escalated(state, context.policy).to_json(),
        "missing_fields": state.get("missing_fields", []),
        "weak_fields": state.get("weak_fields", []),
        "review_reason_codes": (state.get("record") or {}).get("review_reason_codes", []),
        "confidence": state.get("confidence", 0.0),
    }


def _json(code: MessageCode, **params: Param) -> dict[str, Any]:
    """Return a message of this code as JSON for the state."""
    return Message.of(code, **params).to_json()


def judged(record: SubmissionRecord, policy: Policy) -> AgentState:
    """Return the record in the form of the state, with the facts that routing needs."""
    _, missing = can_approve_record(record, policy)
    return {
        "record": for_state(record),
        "missing_fields": list(missing),
        "weak_fields": weak_fields(record, policy),
        "confidence": record_confidence(record, policy),
        "needs_review": record.needs_review,
    }


def _with_model_readings(record: SubmissionRecord, found: Mapping[str, FieldReading]) -> SubmissionRecord:
    """Return the record with the model's readings of missing fields; the record's values do not change."""
    if not found:
        return record
    codes = dict.fromkeys([*record.review_reason_codes, ReasonCode.EXTRACTION_FALLBACK_USED.value])
    return record.model_copy(update={"readings": {**record.readings, **found}, "review_reason_codes": list(codes)})


def _asked_of_model(state: AgentState) -> list[str]:
    """Return the fields that the model was asked for in this run; the same text would give the same answer."""
    return state.get("missing_fields", []) if "retry_with_llm" in state.get("tools_used", []) else []
