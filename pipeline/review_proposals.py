"""What the review agent asks again for, and what becomes of the answers: pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pipeline.orchestrator_context import ProposedField
from pipeline.page_model import Source
from pipeline.reason_codes import ReasonCode
from pipeline.schema import FIELD_NAMES, FieldReading, SubmissionRecord

AS_READ = "as_read"

#: What a model's value is worth: it was found in the text, but nobody knows whether it belongs there.
MODEL_CONFIDENCE = 0.5
#: Counted, never read: they follow from another field.
DERIVED_FIELDS = frozenset({"word_count"})
#: Too long to be read a second time; they are confirmed as read or filled in by a person.
LONG_FIELDS = frozenset({"essay_text", "parent_reaction"})
#: The fields that a blocking reason is about.
FIELDS_OF_CODE: Mapping[str, tuple[str, ...]] = {
    ReasonCode.INVALID_GRADE_RANGE: ("grade",),
    ReasonCode.UNKNOWN_SCHOOL: ("school_name",),
    ReasonCode.POSSIBLE_FIELD_SWAP: ("student_name", "school_name", "father_figure_name"),
}
#: Blocking reasons that say no more than that the reading is unsure.
UNSURE_CODES = frozenset({ReasonCode.OCR_LOW_CONFIDENCE})
#: A reading of these is worth a person's look even when the first one seemed surer.
INFORMED_SOURCES = frozenset({Source.MODEL, Source.SCHOOL_LIST})


def target_fields(
    record: SubmissionRecord,
    required: Collection[str],
    missing: Collection[str],
    weak: Collection[str],
    blocking_codes: Iterable[str],
    complete_confidence: float,
) -> list[str]:
    """The fields to propose something for, in the record's order.

    Missing, weak, and what a blocking reason is about. Where there is none of these and nothing blocks, it was
    low confidence alone: the required fields that keep it low, or all of them when none does.
    """
    codes = set(blocking_codes) - UNSURE_CODES
    wanted = {*missing, *(name for name in weak if _value(record, name) is not None)}
    for code in codes:
        wanted.update(FIELDS_OF_CODE.get(code, ()))
    if ReasonCode.CONTENT_MISMATCH in codes:
        wanted.update(name for name, reading in record.readings.items() if reading.disagrees_with)
    if not wanted and not codes:
        low = {name for name in required if _confidence(record, name) < complete_confidence}
        wanted = low or set(required)
    return [name for name in FIELD_NAMES if name in wanted - DERIVED_FIELDS]


def propose_field(
    record: SubmissionRecord, name: str, readings: Sequence[FieldReading], is_missing: bool
) -> ProposedField | None:
    """One field of the proposal: the best other reading, else the value as read, else an empty row if missing."""
    current = _value(record, name)
    others = [reading for reading in readings if reading.value and reading.value != current]
    if better := _better(record, name, others):
        return ProposedField(
            name=name,
            current_value=current,
            proposed_value=better.value,
            confidence=better.confidence,
            source=better.source.value if better.source else None,
            method=better.method,
            reason=_why(current, better, others),
            evidence=better.evidence[0] if better.evidence else None,
        )
    if current is not None and not is_missing:
        return _as_read(record, name, current, readings)
    return ProposedField(name, current, None, reason="Nothing to propose.") if is_missing else None


def said_by_model(value: str) -> FieldReading:
    """A value that a model read in the text: never sure by itself."""
    return FieldReading(value=value, confidence=MODEL_CONFIDENCE, source=Source.MODEL, method="model")


def _better(record: SubmissionRecord, name: str, others: Sequence[FieldReading]) -> FieldReading | None:
    """The surest of the readings that say something else, unless the first one was surer."""
    first = _confidence(record, name) if _value(record, name) is not None else 0.0
    worth = [r for r in others if r.source in INFORMED_SOURCES or r.confidence >= first]
    return max(worth, key=lambda reading: reading.confidence, default=None)


def _as_read(record: SubmissionRecord, name: str, current: str, readings: Sequence[FieldReading]) -> ProposedField:
    first = record.readings.get(name, FieldReading())
    same = any(reading.value == current for reading in readings)
    return ProposedField(
        name=name,
        current_value=current,
        proposed_value=current,
        confidence=first.confidence,
        source=first.source.value if first.source else None,
        method=AS_READ,
        reason="A second reading says the same." if same else "Read with low confidence; please confirm.",
        evidence=first.evidence[0] if first.evidence else None,
    )


def _why(current: str | None, better: FieldReading, others: Sequence[FieldReading]) -> str:
    by = (better.method or "second_reading").replace("_", " ")
    said = "Not read at first" if current is None else "Read differently at first"
    also = len({reading.value for reading in others} - {better.value})
    return f"{said}; found by {by}." + (f" {also} more readings differ." if also else "")


def _value(record: SubmissionRecord, name: str) -> str | None:
    value = getattr(record, name)
    return None if value is None else str(value)


def _confidence(record: SubmissionRecord, name: str) -> float:
    reading = record.readings.get(name)
    return 0.0 if reading is None else reading.confidence
