"""The certainty of readings and records, and missing and weak fields.

`FieldReading.confidence` decides whether a value may pass unseen, and is capped if only one reading has the value,
so most recognised values have the same number. The probability estimated here is shown to people and decides
nothing (ADR 47). It is a logistic regression over signals for and against the value;
`make certainty` fits its weights on drawn entries of the development part and writes them to `certainty.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from pipeline.extraction.values.kinds import fits_field
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind, declared_fields, derived_fields, field_kind, fields_of_form, text_fields
from pipeline.schema import Agreement, FieldReading, SubmissionRecord
from pipeline.spelling.lattice import SPELLED_KINDS, unpacked, word_likelihoods
from pipeline.validation.policy import Policy

# Confidence, missing fields and weak fields of a record. Pure: no clock, no environment.


READING_SHARE, COMPLETENESS_SHARE = 0.6, 0.4


def standing_of(reading: FieldReading, policy: Policy) -> float:
    """Return the confidence that counts for the entry: 1 for a value that a person confirmed or gave.

    A value that both readers read has at least `policy.agreed_confidence` where agreement may complete an entry.
    """
    agreed = policy.agreed_confidence if reading.is_agreed and policy.agreed_completes else 0.0
    return max(reading.standing, agreed)


def field_is_weak(reading: FieldReading, policy: Policy) -> bool:
    """Whether a field needs review: low confidence, a value from a model, or one that the second reader disputes.

    A value that a person has confirmed or given is never weak.
    """
    if reading.is_decided:
        return False
    if reading.second is not None and reading.second.agreement is Agreement.DIFFER:
        return True
    return reading.source is Source.MODEL or standing_of(reading, policy) < policy.weak_field_confidence


def as_record(record: SubmissionRecord | Mapping[str, Any]) -> SubmissionRecord:
    """Return the record, parsed from its JSON form if necessary."""
    return record if isinstance(record, SubmissionRecord) else SubmissionRecord.model_validate(dict(record))


def essay_word_count(record: SubmissionRecord) -> int:
    """Return the number of words of the essay: `word_count` if set, as the text may be stored elsewhere."""
    if record.word_count is not None:
        return record.word_count
    return len(record.essay_text.split()) if record.essay_text else 0


def is_present(record: SubmissionRecord, field: str, policy: Policy) -> bool:
    """Whether a required field satisfies the policy and the form."""
    declared = declared_fields().get(field)
    if _is_essay(field):
        enough = 1 if field in record.waived else max(policy.min_essay_words, 1)
        return essay_word_count(record) >= enough
    value = record.value_of(field) if declared is not None else None
    return value is not None and value.strip() != "" and fits_field(field, value)


def missing_fields(record: SubmissionRecord, policy: Policy) -> list[str]:
    return [f for f in policy.required_of(record) if not (is_present(record, f, policy) or _waived(record, f))]


def waivable(record: SubmissionRecord, policy: Policy) -> tuple[str, ...]:
    """Return the missing fields that a person may accept: a short essay, and fields that may stay empty."""
    return tuple(
        name
        for name in missing_fields(record, policy)
        if (_is_essay(name) and essay_word_count(record) > 0)
        or (name in policy.may_stay_empty and not _is_essay(name))
    )


def _waived(record: SubmissionRecord, field: str) -> bool:
    """Whether a person has accepted the field empty; an essay of no words is never accepted."""
    return field in record.waived and not _is_essay(field)


def _is_essay(field: str) -> bool:
    declared = declared_fields().get(field)
    return declared is not None and declared.kind is FieldKind.ESSAY


def weak_fields(record: SubmissionRecord, policy: Policy) -> list[str]:
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

    If a form of the database requires nothing, its fields with a value take their place.
    """
    whole = as_record(record)
    counting = policy.required_of(whole) or (filled_fields(whole) if whole.profile_version else ())
    present = [f for f in counting if is_present(whole, f, policy)]
    return confidence_of([standing_of(_reading(whole, f), policy) for f in present], len(counting))


def filled_fields(record: SubmissionRecord) -> list[str]:
    """Return the fields of the record's form that have a value."""
    names = fields_of_form(record.profile, record.profile_version)
    return [name for name in names if (record.value_of(name) or "").strip()]


def confidence_of(present: Collection[float], required: int) -> float:
    """Return a record's confidence (0-1) from those of its present required fields and the number required."""
    if not present:
        return 0.0
    return round(READING_SHARE * min(present) + COMPLETENESS_SHARE * len(present) / required, 4)


# Estimate the probability that a recognised value is right.


_FITTED = Path(__file__).with_suffix(".json")
#: Method of the readings whose confidence is a share of votes (`pipeline.looks.line_look`).
_VOTES = "votes"
#: Bounds of a confidence before it becomes log-odds, and of the estimate: no recognised value is certain.
_SCORES, _ESTIMATES = (0.02, 0.995), (0.01, 0.99)
#: Least evidence of a line and of a word (logarithm per letter), and that of an ordinary word.
_FAINT, _STRANGE, _ORDINARY = -4.0, -7.0, -2.5
#: Names of the signals, each with a weight in `certainty.json`.
SIGNALS = (
    "scored",
    "confidence",
    "length",
    "support",
    "line",
    "disputed",
    "unaccounted",
    "clearness",
    "words",
    "strangest",
)


def signals_of(kind: FieldKind, reading: FieldReading, looks: Sequence[FieldReading] = ()) -> dict[str, float]:
    """Return the signals for and against a value by name; 0 is ordinary or unknown.

    `looks` are further readings of the field. The names are SIGNALS.
    """
    value = squeezed(reading.value or "")
    found = {
        "scored": _odds(reading.signals.get("score", reading.confidence)),
        "confidence": _odds(reading.confidence),
        "length": math.log(max(len(value), 1)),
        "support": _support(value, reading, looks),
        "line": reading.signals.get("line", 0.0),
        "disputed": reading.disagrees_with is not None,
        "unaccounted": reading.unaccounted,
        **_of_line(reading),
        **_of_words(kind, reading.value or ""),
    }
    return {name: round(float(one), 4) for name, one in found.items()}


def probability_of(signals: Mapping[str, float]) -> float:
    """Return the probability (0-1) that a value with these signals is right."""
    weights = _weights()
    odds = weights["intercept"] + sum(weight * signals.get(name, 0.0) for name, weight in weights.items())
    least, most = _ESTIMATES
    return round(min(max(1 / (1 + math.exp(-odds)), least), most), 4)


def estimated(name: str, reading: FieldReading, looks: Sequence[FieldReading] = ()) -> FieldReading:
    """Return a reading of a field with its signals and probability, if its value was recognised."""
    if not reading.value or reading.source is not Source.OCR or name in text_fields() | derived_fields():
        return reading
    signals = signals_of(field_kind(name), reading, looks)
    update = {"signals": {**reading.signals, **signals}, "probability": probability_of(signals)}
    return reading.model_copy(update=update)


def with_probabilities(
    record: SubmissionRecord, looks: Mapping[str, Sequence[FieldReading]] | None = None
) -> SubmissionRecord:
    """Return the record with the probability of each recognised value.

    `looks` are further readings by field; fields without any keep their estimates.
    """
    given = dict.fromkeys(record.readings, ()) if looks is None else looks
    found = {
        name: estimated(name, record.readings[name], given[name]) for name in given if name in record.readings
    }
    return record.model_copy(update={"readings": {**record.readings, **found}})


def _support(value: str, reading: FieldReading, looks: Sequence[FieldReading]) -> float:
    """Return the share of votes, looks and crops of its line (each kind equally weighted) that have a value.

    Minus 0.5, so that 0 means half of them, or none to ask.
    """
    votes = {squeezed(look.value or ""): _share(look) for look in looks if look.method == _VOTES}
    others = [squeezed(look.value) for look in looks if look.value and _is_recognised(look)]
    shares = [votes.get(value, 0.0)] if votes else []
    if others:
        shares.append(others.count(value) / len(others))
    if "share" in reading.signals:
        shares.append(reading.signals["share"])
    return fmean(shares) - 0.5 if shares else 0.0


def _of_line(reading: FieldReading) -> dict[str, float]:
    """Return the clarity of the crops of a value's lines: the mean log-probability of the likeliest letters."""
    lines = [line for one in reading.considered if (line := unpacked(one)).likeliest]
    clear = [max(float(line.log_likelihoods([line.likeliest])[0]) / len(line.likeliest), _FAINT) for line in lines]
    return {"clearness": fmean(clear) if clear else 0.0}


def _of_words(kind: FieldKind, value: str) -> dict[str, float]:
    """Return how ordinary the words of a name or school are, on average and at least, relative to a usual word."""
    words = word_likelihoods(kind, value) if kind in SPELLED_KINDS else []
    if not words:
        return {"words": 0.0, "strangest": 0.0}
    mean = sum(log for log, _ in words) / sum(count for _, count in words)
    strangest = min((log / count for log, count in words if count > 1), default=mean)
    return {"words": max(mean, _STRANGE) - _ORDINARY, "strangest": max(strangest, _STRANGE) - _ORDINARY}


def _is_recognised(look: FieldReading) -> bool:
    return look.method != _VOTES and look.source is Source.OCR


def _share(vote: FieldReading) -> float:
    return vote.signals.get("share", vote.confidence)


def _odds(confidence: float) -> float:
    least, most = _SCORES
    held = min(max(confidence, least), most)
    return math.log(held / (1 - held))


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(_FITTED.read_text(encoding="utf-8"))["weights"]
    return weights
