"""The values behind a step's decision, for `orchestrator_logs.trace_json`: numbers, keys of fields and codes.

Holds no value of the entry and nothing that a person or a model wrote. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.llm.ledger import ModelCall
from pipeline.orchestrator_routing import blocking_codes
from pipeline.orchestrator_state import AgentState
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import text_fields
from pipeline.schema import FIELD_NAMES
from pipeline.validation.confidence import as_record, essay_words, is_present
from pipeline.validation.policy import Policy

#: The rules of a policy that are numbers or switches; its school list, which holds names, is left out.
THRESHOLDS = (
    "auto_complete",
    "complete_confidence",
    "retry_confidence",
    "weak_field_confidence",
    "min_essay_words",
    "max_tries",
    "max_steps",
)


def decision_trace(
    state: AgentState, policy: Policy, route: str | None, model_configured: bool, calls: Sequence[ModelCall]
) -> dict[str, Any]:
    """Return the state after a node, the thresholds that apply to it, and the node's model calls.

    `state` is the state after the node. `route` is the edge that follows from it, None at the end of a run.
    """
    return {
        "route": route,
        "values": {
            "confidence": state.get("confidence"),
            "tries": state.get("tries", 0),
            "steps": len(state.get("tools_used", [])),
            "missing_fields": list(state.get("missing_fields", [])),
            "weak_fields": list(state.get("weak_fields", [])),
            "blocking_codes": blocking_codes(state),
            "readings": _readings(state.get("record") or {}),
            **_for_other_rules(state.get("record"), policy),
        },
        "thresholds": policy.model_dump(mode="json", include=set(THRESHOLDS)),
        "model_configured": model_configured,
        "model_calls": [_call(call) for call in calls],
        "retries": sum(call.attempt > 1 for call in calls),
    }


def _readings(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the confidence and source of each field, by its key; a person's where a person stands by it."""
    decided = {"confidence": 1.0, "source": Source.PERSON.value}
    return {
        name: decided
        if reading.get("decided_at")
        else {"confidence": reading.get("confidence"), "source": reading.get("source")}
        for name, reading in (record.get("readings") or {}).items()
    }


def _for_other_rules(record: Mapping[str, Any] | None, policy: Policy) -> dict[str, Any]:
    """Return what `pipeline.orchestrator.recorded` needs to decide by other rules: keys of fields and a number."""
    if record is None:
        return {}
    read = as_record(record)
    return {
        "doc_class": None if read.doc_class is None else read.doc_class.value,
        "profile": read.profile,
        "profile_version": read.profile_version,
        "required": list(policy.required_of(read)),
        "filled": [name for name in FIELD_NAMES if name not in text_fields() and is_present(read, name, policy)],
        "disputed": [name for name, one in read.readings.items() if one.disagrees_with and not one.way],
        # The text itself is not in the state, its number of words is.
        "words": essay_words(read),
    }


def _call(call: ModelCall) -> dict[str, Any]:
    return {
        "purpose": call.purpose,
        "provider": call.provider,
        "model": call.model,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "latency_ms": call.latency_ms,
        "cost_usd": call.cost_usd,
        "attempt": call.attempt,
        "error_code": call.error_code,
    }
