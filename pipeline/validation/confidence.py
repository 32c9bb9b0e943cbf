"""Confidence, missing fields and weak fields of a record. Pure: no clock, no environment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pipeline.extraction.values.fitting import fits
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import declared_fields, fields_of_form
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.policy import Policy

READING_SHARE, COMPLETENESS_SHARE = 0.6, 0.4


def field_is_weak(reading: FieldReading, policy: Policy) -> bool:
    """Whether a field needs review: confidence below the policy's threshold, or a value from a model.

    A value that a person has confirmed or given does not.
    """
    if reading.is_decided:
        return False
    return reading.source is Source.MODEL or reading.confidence < policy.weak_field_confidence


def as_record(record: SubmissionRecord | Mapping[str, Any]) -> SubmissionRecord:
    """Return the record, parsed from its JSON form if necessary."""
    return record if isinstance(record, SubmissionRecord) else SubmissionRecord.model_validate(dict(record))


def essay_words(record: SubmissionRecord) -> int:
    """Return the number of words of the essay: `word_count` if set, as the text may be stored elsewhere."""
    if record.word_count is not None:
        return record.word_count
    return len(record.essay_text.split()) if record.essay_text else 0


def is_present(record: SubmissionRecord, field: str, policy: Policy) -> bool:
    """Whether a required field holds what the policy and the form ask for."""
    declared = declared_fields().get(field)
    if _is_essay(field):
        enough = 1 if field in record.waived else max(policy.min_essay_words, 1)
        return essay_words(record) >= enough
    value = record.value_of(field) if declared is not None else None
    return value is not None and value.strip() != "" and fits(field, value)


def missing_fields(record: SubmissionRecord, policy: Policy) -> list[str]:
    """Return the required fields that the record lacks."""
    return [f for f in policy.required_of(record) if not (is_present(record, f, policy) or _waived(record, f))]


def waivable(record: SubmissionRecord, policy: Policy) -> tuple[str, ...]:
    """Return the missing fields that a person may accept as they are: a short essay, and what may stay empty."""
    return tuple(
        name
        for name in missing_fields(record, policy)
        if (_is_essay(name) and essay_words(record) > 0) or (name in policy.may_stay_empty and not _is_essay(name))
    )


def _waived(record: SubmissionRecord, field: str) -> bool:
    """Whether a person has accepted the field empty; an essay of no words is never accepted."""
    return field in record.waived and not _is_essay(field)


def _is_essay(field: str) -> bool:
    declared = declared_fields().get(field)
    return declared is not None and declared.kind is FieldKind.ESSAY


def weak_fields(record: SubmissionRecord, policy: Policy) -> list[str]:
    """Return the required fields that are present but weak."""
    return [
        field
        for field in policy.required_of(record)
        if is_present(record, field, policy) and field_is_weak(_reading(record, field), policy)
    ]


def sure_values(record: SubmissionRecord, policy: Policy, but: Collection[str]) -> dict[str, str | None]:
    """Return {field: value} of the fields that are not weak, except the fields `but`."""
    return {
        name: reading.value
        for name, reading in record.readings.items()
        if name not in but and not field_is_weak(reading, policy)
    }


def _reading(record: SubmissionRecord, field: str) -> FieldReading:
    if field == "essay_text" and field not in record.readings and "word_count" in record.readings:
        field = "word_count"
    return record.readings.get(field, FieldReading())


def record_confidence(record: SubmissionRecord | Mapping[str, Any], policy: Policy) -> float:
    """Return 0.6 * lowest confidence of the required fields present + 0.4 * share of them present (0-1).

    Where a form of the database requires nothing, its fields that hold a value stand for them.
    """
    whole = as_record(record)
    counting = policy.required_of(whole) or (filled_fields(whole) if whole.profile_version else ())
    present = [f for f in counting if is_present(whole, f, policy)]
    return confidence_of([_reading(whole, f).standing for f in present], len(counting))


def filled_fields(record: SubmissionRecord) -> list[str]:
    """Return the fields of the record's form that hold a value."""
    names = fields_of_form(record.profile, record.profile_version)
    return [name for name in names if (record.value_of(name) or "").strip()]


def confidence_of(present: Collection[float], required: int) -> float:
    """Return the confidence of a record: those of its required fields present, and how many are required (0-1)."""
    if not present:
        return 0.0
    return round(READING_SHARE * min(present) + COMPLETENESS_SHARE * len(present) / required, 4)
