import pytest

from core.errors import InvalidInputError
from core.messages import Message
from pipeline.pages.page_model import Source
from pipeline.reason_codes import TogetherWay
from pipeline.schema import DocClass, FieldReading
from pipeline.validate import can_approve_record, clean_person_value, settled_reason_codes, validate_record
from pipeline.validation.policy import Policy

#: A value that was respelled after others.
RESPELLED = FieldReading(
    value="Ernesto Vega",
    confidence=0.79,
    source=Source.OCR,
    disagrees_with="Ernesto Vegq",
    way=Message.of(TogetherWay.FAMILY_NAME, field="student_name").to_json(),
)


def partial(**changes: object) -> dict[str, object]:
    names = ("student_name", "school_name", "grade", "essay_text", "word_count")
    return {
        "submission_id": "s1",
        "profile": "ifi_2026",
        "student_name": "Marisol Vega",
        "school_name": "Juniper Hill School",
        "grade": "4",
        "essay_text": "word " * 60,
        "word_count": 60,
        "readings": {n: FieldReading(value="x", confidence=1.0, source=Source.TEXT_LAYER) for n in names},
        **changes,
    }


def reading(**changes: object) -> dict[str, FieldReading]:
    given = partial()["readings"]
    assert isinstance(given, dict)
    return given | changes


def test_what_was_written_and_not_read_is_not_blank() -> None:
    nothing = dict.fromkeys(("student_name", "school_name", "grade", "essay_text", "word_count"))
    blank, _ = validate_record(partial(**nothing))
    unread, _ = validate_record(partial(**nothing, review_reason_codes=["UNREAD_CONTENT"]))
    assert "BLANK_SUBMISSION" in blank.review_reason_codes
    assert "BLANK_SUBMISSION" not in unread.review_reason_codes
    assert "UNREAD_CONTENT" in unread.review_reason_codes


def test_a_complete_certain_entry_needs_nobody() -> None:
    record, report = validate_record(partial())
    assert not record.needs_review
    assert report["missing_fields"] == report["reason_codes"] == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"student_name": None}, "MISSING_STUDENT_NAME"),
        ({"school_name": None}, "MISSING_SCHOOL_NAME"),
        ({"grade": None}, "MISSING_GRADE"),
        ({"grade": "404"}, "INVALID_GRADE_RANGE"),
        ({"essay_text": None, "word_count": None}, "EMPTY_ESSAY"),
        ({"essay_text": "too short", "word_count": 2}, "SHORT_ESSAY"),
        ({"ocr_confidence_avg": 0.5}, "OCR_LOW_CONFIDENCE"),
        ({"student_name": "Juniper Hill School"}, "POSSIBLE_FIELD_SWAP"),
        ({"father_figure_name": "Marisol Vega"}, "POSSIBLE_FIELD_SWAP"),
        ({"review_reason_codes": ["DUPLICATE_SUBMISSION"]}, "DUPLICATE_SUBMISSION"),
        ({"review_reason_codes": ["TEMPLATE_ONLY"]}, "TEMPLATE_ONLY"),
        (
            {"readings": reading(grade=FieldReading(value="4", confidence=0.5, disagrees_with="5"))},
            "CONTENT_MISMATCH",
        ),
        # A field that no policy requires counts as well once it was respelled.
        ({"readings": reading(father_figure_name=RESPELLED)}, "SPELLED_AS_OTHERS"),
        (
            {"readings": reading(grade=FieldReading(value="4", confidence=1.0, unaccounted=True))},
            "UNEXPLAINED_WORDS",
        ),
        ({"student_name": "Marisol Vega Paterna"}, "UNEXPLAINED_WORDS"),
        ({"school_name": "Juniper Hill School Escribiendo Sobre"}, "UNEXPLAINED_WORDS"),
        ({"review_reason_codes": ["UNEXPLAINED_WORDS"]}, "UNEXPLAINED_WORDS"),
        (
            {"readings": reading(grade=FieldReading(value="4", confidence=1.0, source=Source.MODEL))},
            "EXTRACTION_FALLBACK_USED",
        ),
    ],
)
def test_what_is_wrong_is_said_and_sent_to_a_person(changes: dict[str, object], code: str) -> None:
    record, _ = validate_record(partial(**changes))
    assert code in record.review_reason_codes
    assert record.needs_review


def test_an_unreadable_grade_field_is_said() -> None:
    tried = FieldReading(method="zone: no grade", unfit=True, source=Source.TEXT_LAYER)
    record, _ = validate_record(partial(grade=None, readings=reading(grade=tried)))
    assert record.review_reason_codes == ["MISSING_GRADE", "INVALID_GRADE_RANGE"]


def test_a_grade_is_normalised() -> None:
    assert validate_record(partial(grade="4th"))[0].grade == "4"


def test_a_school_outside_the_list_is_flagged() -> None:
    policy = Policy(known_schools={"Harbor Academy": []})
    assert "UNKNOWN_SCHOOL" in validate_record(partial(), policy)[0].review_reason_codes
    known = Policy(known_schools={"Juniper Hill Elementary School": []})
    assert not validate_record(partial(), known)[0].needs_review


def test_a_grade_school_holds_no_word_of_a_label() -> None:
    assert not validate_record(partial(school_name="Juniper Hill Grade School"))[0].needs_review


def test_a_season_may_ask_for_less() -> None:
    policy = Policy(required={DocClass.SINGLE_TYPED: ("student_name",)})
    ok, missing = can_approve_record(partial(doc_class="SINGLE_TYPED", grade=None, word_count=0), policy)
    assert (ok, missing) == (True, [])


def test_validation_twice_changes_nothing() -> None:
    once, _ = validate_record(partial(grade="404"))
    assert validate_record(once.model_dump())[0] == once


@pytest.mark.parametrize(
    ("name", "value", "clean"),
    [
        ("grade", " 4th ", "4"),
        ("student_name", "  marisol   VEGA ", "marisol VEGA"),
        ("email", "  ", None),
        ("phone", None, None),
    ],
)
def test_a_persons_value_keeps_its_spelling(name: str, value: str | None, clean: str | None) -> None:
    assert clean_person_value(name, value) == clean


@pytest.mark.parametrize(("name", "value"), [("grade", "214"), ("word_count", "many")])
def test_a_persons_value_that_does_not_fit(name: str, value: str) -> None:
    with pytest.raises(InvalidInputError):
        clean_person_value(name, value)


def test_what_a_person_wrote_settles_its_reasons() -> None:
    policy = Policy(known_schools={"Harbor Academy": []})
    record, _ = validate_record(partial(ocr_confidence_avg=0.4), policy)
    assert record.review_reason_codes == ["OCR_LOW_CONFIDENCE", "UNKNOWN_SCHOOL"]
    decided = FieldReading(value="Juniper Hill School", confidence=1.0, source=Source.PERSON)
    record.readings["school_name"] = decided
    assert settled_reason_codes(record, policy) == []


def test_a_respelled_value_is_no_disagreement_of_places_and_a_person_settles_it() -> None:
    readings = reading(school_name=RESPELLED.model_copy(update={"value": "Juniper Hill School"}))
    record, report = validate_record(partial(readings=readings))
    assert record.needs_review and report["reason_codes"] == ["SPELLED_AS_OTHERS"]
    record.readings["school_name"].source = Source.PERSON
    assert settled_reason_codes(record, Policy()) == []
