import pytest

from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.certainty import field_is_weak, missing_fields, record_confidence, weak_fields
from pipeline.validation.policy import Policy

POLICY = Policy()


def record(**changes: object) -> SubmissionRecord:
    values: dict[str, object] = {
        "submission_id": "s1",
        "student_name": "Marisol Vega",
        "school_name": "Juniper Hill School",
        "grade": "4",
        "word_count": 120,
        "readings": {
            name: FieldReading(value="x", confidence=1.0, source=Source.TEXT_LAYER)
            for name in ("student_name", "school_name", "grade", "essay_text")
        },
    }
    return SubmissionRecord.model_validate(values | changes)


def test_a_typed_complete_entry_is_certain() -> None:
    assert record_confidence(record(), POLICY) == 1.0


def test_the_weakest_required_field_counts() -> None:
    readings = record().readings | {"grade": FieldReading(value="4", confidence=0.5)}
    assert record_confidence(record(readings=readings), POLICY) == pytest.approx(0.6 * 0.5 + 0.4)
    assert weak_fields(record(readings=readings), POLICY) == ["grade"]


def test_a_missing_field_lowers_completeness_only() -> None:
    assert record_confidence(record(grade=None), POLICY) == pytest.approx(0.6 + 0.4 * 0.75)
    assert missing_fields(record(grade=None), POLICY) == ["grade"]


def test_a_short_essay_is_missing() -> None:
    assert missing_fields(record(word_count=49), POLICY) == ["essay_text"]


def test_nothing_read_is_no_confidence() -> None:
    assert record_confidence(SubmissionRecord(submission_id="s1"), POLICY) == 0.0


def test_a_models_value_is_weak_however_sure() -> None:
    assert field_is_weak(FieldReading(value="x", confidence=1.0, source=Source.MODEL), POLICY)


def test_the_policys_threshold_decides() -> None:
    readings = {name: r.model_copy(update={"confidence": 0.7}) for name, r in record().readings.items()}
    assert weak_fields(record(readings=readings), Policy(weak_field_confidence=0.6)) == []
