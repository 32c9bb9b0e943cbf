"""What the log keeps of a reading, and how the supervisor would have gone on from it by other rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.orchestrator.reasons import MISSING_FIELD
from pipeline.orchestrator_routing import Route, route_after_pipeline
from pipeline.orchestrator_state import AgentState
from pipeline.pages.page_model import Source
from pipeline.reason_codes import ReasonCode
from pipeline.schema import DocClass
from pipeline.validation.confidence import confidence_of
from pipeline.validation.policy import Policy

ESSAY = "essay_text"
#: Reasons that follow from fields that are missing, and go when none is.
_OF_ABSENCE = frozenset({*map(str, MISSING_FIELD), ReasonCode.BLANK_SUBMISSION.value})


@dataclass(frozen=True, slots=True)
class RecordedField:
    """What is known of one field's reading."""

    confidence: float = 0.0
    is_from_model: bool = False


@dataclass(frozen=True, slots=True)
class RecordedReading:
    """The first reading of a run, as `trace_json` of its step has it. None where an older row does not say."""

    doc_class: DocClass | None
    #: The fields that were required then, and the words that an essay needed.
    required: tuple[str, ...]
    min_words: int
    missing: frozenset[str]
    blocking: tuple[str, ...]
    fields: Mapping[str, RecordedField]
    model_configured: bool
    #: Fields other than texts that hold what a required field must.
    filled: frozenset[str] | None = None
    #: Fields of which two places say different things.
    disputed: frozenset[str] | None = None
    words: int | None = None
    #: The form that the entry was read with, and its version, where it is one of the database.
    profile: str | None = None
    profile_version: int | None = None


def recorded_reading(trace: Mapping[str, Any], doc_class: str | None, policy: Policy) -> RecordedReading | None:
    """Return the reading of the `trace_json` of a step `run_pipeline`; None where it holds none.

    Older rows name neither the entry's class nor the required fields: `doc_class` and `policy` stand for these.
    """
    values = trace.get("values") or {}
    if values.get("confidence") is None or "readings" not in values:
        return None
    key = values.get("doc_class", doc_class)
    known = DocClass(key) if key in {one.value for one in DocClass} else None
    required = values.get("required")
    return RecordedReading(
        doc_class=known,
        required=tuple(policy.required_for(known) if required is None else required),
        profile=values.get("profile"),
        profile_version=values.get("profile_version"),
        min_words=int((trace.get("thresholds") or {}).get("min_essay_words", policy.min_essay_words)),
        missing=frozenset(values.get("missing_fields", ())),
        blocking=tuple(values.get("blocking_codes", ())),
        fields={
            name: RecordedField(one.get("confidence") or 0.0, one.get("source") == Source.MODEL)
            for name, one in values["readings"].items()
        },
        model_configured=bool(trace.get("model_configured")),
        filled=_set(values.get("filled")),
        disputed=_set(values.get("disputed")),
        words=values.get("words"),
    )


def route_by(reading: RecordedReading, policy: Policy) -> Route | None:
    """Return the route that the supervisor takes from this reading by these rules.

    None where that cannot be told, because the rules ask for something that was not recorded.
    """
    required = policy.required_for(reading.doc_class, reading.profile, reading.profile_version)
    present = {name: _is_present(reading, name, policy) for name in required}
    codes = _blocking(reading, required)
    if codes is None or None in present.values():
        return None
    there = [name for name in required if present[name]]
    state: AgentState = {
        "record": {"review_reason_codes": codes},
        "missing_fields": [name for name in required if not present[name]],
        "weak_fields": [name for name in there if _is_weak(_field(reading, name), policy)],
        "confidence": _confidence(reading, there, required),
        "tries": 1,
        "tools_used": ["run_pipeline"],
    }
    return route_after_pipeline(state, policy, model_configured=reading.model_configured)


def _confidence(reading: RecordedReading, there: Sequence[str], required: Sequence[str]) -> float:
    if required or reading.profile_version is None:
        return confidence_of([_field(reading, name).confidence for name in there], len(required))
    # Where a form of the database requires nothing, its fields that hold a value count.
    counting = [name for name in reading.filled or () if name in reading.fields]
    return confidence_of([_field(reading, name).confidence for name in counting], len(counting))


def _is_present(reading: RecordedReading, name: str, policy: Policy) -> bool | None:
    if name == ESSAY:
        return _has_essay(reading, max(policy.min_essay_words, 1))
    if name in reading.required:
        return name not in reading.missing
    return None if reading.filled is None else name in reading.filled


def _has_essay(reading: RecordedReading, wanted: int) -> bool | None:
    if reading.words is not None:
        return reading.words >= wanted
    if ESSAY not in reading.required:
        return None
    # Only whether there were as many words as were wanted then.
    had, then = ESSAY not in reading.missing, max(reading.min_words, 1)
    if had:
        return True if wanted <= then else None
    return False if wanted >= then else None


def _is_weak(field: RecordedField, policy: Policy) -> bool:
    return field.is_from_model or field.confidence < policy.weak_field_confidence


def _field(reading: RecordedReading, name: str) -> RecordedField:
    if name == ESSAY and name not in reading.fields:
        name = "word_count"
    return reading.fields.get(name, RecordedField())


def _blocking(reading: RecordedReading, required: Sequence[str]) -> list[str] | None:
    """Return the blocking reasons other than missing fields, which keep an entry from completing by themselves."""
    mismatch = ReasonCode.CONTENT_MISMATCH.value
    others = [code for code in reading.blocking if code not in _OF_ABSENCE and code != mismatch]
    if reading.disputed is not None:
        return others + ([mismatch] if reading.disputed & set(required) else [])
    if set(required) == set(reading.required):
        return others + ([mismatch] if mismatch in reading.blocking else [])
    if mismatch in reading.blocking and set(required) > set(reading.required):
        return [*others, mismatch]
    return None


def _set(names: Sequence[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)
