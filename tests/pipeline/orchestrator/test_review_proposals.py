"""Which fields are looked at again, and what is proposed for them."""

from collections.abc import Sequence

import pytest

from core.messages import Message, say
from pipeline.extraction.readings import seen_as_same
from pipeline.looks.line_look import VOTES
from pipeline.orchestrator.context import ProposedField
from pipeline.orchestrator.suggestions import AS_READ, propose_field, said_by_model, target_fields, worth_proposing
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.reason_codes import ProposalReason, ReadingWay, TogetherWay
from pipeline.schema import FieldReading, Preferred, SubmissionRecord
from pipeline.validation.policy import DEFAULT_REQUIRED
from tests.support.reading.orchestration import ESSAY, complete, entry, no_grade, read, weak_name

WAY = Message.of(ReadingWay.SHARPENED)


def targets(
    record: SubmissionRecord, missing: Sequence[str] = (), weak: Sequence[str] = (), codes: Sequence[str] = ()
) -> list[str]:
    return target_fields(record, DEFAULT_REQUIRED, missing, weak, codes, 0.9)


def test_missing_and_weak_fields_are_looked_at_again_in_the_order_of_the_record() -> None:
    assert targets(weak_name(), missing=("grade",), weak=("student_name", "phone")) == ["student_name", "grade"]


def test_a_weak_optional_field_counts_when_it_was_read() -> None:
    assert targets(entry(phone=read("555-0134", 0.4)), weak=("phone",)) == ["phone"]


def test_a_count_is_never_proposed() -> None:
    assert targets(complete(), missing=("essay_text",), weak=("word_count",)) == ["essay_text"]


@pytest.mark.parametrize(
    ("code", "fields"),
    [("UNKNOWN_SCHOOL", ["school_name"]), ("INVALID_GRADE_RANGE", ["grade"]), ("DUPLICATE_SUBMISSION", [])],
)
def test_a_blocking_reason_names_its_fields(code: str, fields: list[str]) -> None:
    assert targets(complete(), codes=(code,)) == fields


def test_places_that_disagree_are_looked_at_again() -> None:
    record = entry(grade=read("4").model_copy(update={"disagrees_with": "5"}))
    assert targets(record, codes=("CONTENT_MISMATCH",)) == ["grade"]


def test_low_confidence_alone_asks_for_the_fields_that_keep_it_low() -> None:
    assert targets(entry(grade=read("4", 0.82))) == ["grade"]
    assert targets(entry(grade=read("4", 0.82)), codes=("OCR_LOW_CONFIDENCE",)) == ["grade"]


def test_where_the_machine_may_not_complete_all_that_is_required_is_to_be_confirmed() -> None:
    assert targets(complete()) == list(DEFAULT_REQUIRED)


def test_a_missing_field_gets_the_second_reading_with_its_place() -> None:
    again = read("4", 0.6, Source.OCR).model_copy(update={"method": "zone", "way": WAY.to_json()})
    field = propose_field(no_grade(), "grade", [again], is_missing=True)
    assert field is not None
    assert (field.current_value, field.proposed_value, field.method) == (None, "4", "zone")
    assert field.evidence == again.evidence[0]
    assert field.reason == Message.of(ProposalReason.NOT_READ, way=WAY, problems=[])


@pytest.mark.parametrize(
    ("first", "again", "preferred"),
    [
        ("Mariscl Vcga", "Marisol Vega", "proposed"),
        ("Marisol Vega", "Mariscl Vcgaa", "proposed"),
        ("Marisol Vega", "Marisol", "proposed"),
        ("Mzrlqcl Vwq", "Mzrlq", "neither"),
    ],
    ids=["better", "a worse spelling: confirmed", "confirmed", "implausible"],
)
def test_a_proposal_says_which_value_is_preferred(first: str, again: str, preferred: str) -> None:
    record = entry(student_name=read(first, 0.6, Source.OCR))
    field = propose_field(record, "student_name", [read(again, 0.7, Source.OCR)], is_missing=False)
    assert field is not None
    assert field.preferred == preferred


def test_a_missing_field_without_a_reading_is_an_empty_row() -> None:
    field = propose_field(no_grade(), "grade", [], is_missing=True)
    assert field is not None
    assert field.proposed_value is None


def test_a_weak_value_without_a_better_one_is_to_be_confirmed_as_read() -> None:
    field = propose_field(weak_name(), "student_name", [], is_missing=False)
    assert field is not None
    assert field.proposed_value == field.current_value == "Marisol Vega"
    assert (field.method, field.confidence) == (AS_READ, 0.6)


@pytest.mark.parametrize(
    ("again", "proposed"),
    [
        (read("te Marisol Vega", 0.7, Source.OCR), "Marisol Vega"),
        (read("teMarisol Vega", 0.7, Source.OCR), "Marisol Vega"),
        (read("na Marisol y Vega", 0.7, Source.OCR), "Marisol Vega"),
        (read("Marisol", 0.9, Source.OCR), "Marisol Vega"),
        (read("Mariso Ve", 0.9, Source.OCR), "Marisol Vega"),
        (read("Marisela Vega", 0.7, Source.OCR), "Marisela Vega"),
        (read("Marisela Vega", 0.5, Source.OCR), "Marisol Vega"),
        (read("Marisela Vega", 0.5, Source.SCHOOL_LIST), "Marisela Vega"),
        (said_by_model("Marisela Vega"), "Marisela Vega"),
        (said_by_model("Marisela Vega", uncertain=True), "Marisela Vega"),
        (read("Marisol Vega", 0.9, Source.OCR), "Marisol Vega"),
    ],
    ids=[
        "print around",
        "print glued on",
        "print between",
        "a piece",
        "clipped",
        "surer",
        "less sure",
        "school list",
        "model",
        "model in doubt",
        "the same",
    ],
)
def test_what_reads_differently_must_be_better(again: FieldReading, proposed: str) -> None:
    field = propose_field(weak_name(), "student_name", [again], is_missing=False)
    assert field is not None
    assert field.proposed_value == proposed


def test_of_several_readings_the_surest_is_proposed_and_the_others_are_named() -> None:
    readings = [read("5", 0.6), read("4", 0.7), read("6", 0.5)]
    field = propose_field(no_grade(), "grade", readings, is_missing=True)
    assert field is not None
    assert field.proposed_value == "4"
    assert field.reason is not None
    assert [also["params"]["value"] for also in field.reason.params["problems"]] == ["5", "6"]


def test_an_essay_that_is_too_short_stands_as_an_empty_row_beside_what_was_read() -> None:
    short = ESSAY[:60]
    field = propose_field(entry(essay_text=read(short)), "essay_text", [], is_missing=True)
    assert field is not None
    assert (field.current_value, field.proposed_value) == (short, None)


@pytest.mark.parametrize(
    ("fields", "missing", "worth"),
    [
        ([("student_name", "A", "A")], [], True),
        ([("phone", "1", "1")], [], True),
        ([], [], False),
        ([("grade", None, "4"), ("school_name", None, None)], ["grade", "school_name"], True),
        ([("student_name", "A", "B"), ("grade", None, None)], ["grade"], True),
        ([("student_name", "A", "A"), ("grade", None, None)], ["grade"], True),
        ([("essay_text", "A", "A")], [], True),
        ([("essay_text", "A", "A"), ("grade", None, None)], ["grade"], False),
        ([("phone", "1", "2"), ("grade", None, None)], ["grade"], False),
        ([("grade", None, None)], ["grade"], False),
    ],
)
def test_a_proposal_must_get_a_person_on(
    fields: list[tuple[str, str | None, str | None]], missing: list[str], worth: bool
) -> None:
    proposed = [ProposedField(*field) for field in fields]
    assert worth_proposing(proposed, DEFAULT_REQUIRED, missing) is worth


def test_an_optional_field_without_any_value_is_left_out() -> None:
    assert propose_field(complete(), "phone", [], is_missing=False) is None


def test_a_respelled_value_is_proposed_beside_the_one_that_was_read() -> None:
    way = Message.of(TogetherWay.AS_IN_FILE, count=14)
    school = read("Juniper Hills", 0.7, Source.OCR).model_copy(
        update={"disagrees_with": "Junlper Hills", "way": way.to_json()}
    )
    record = entry(school_name=school)
    assert targets(record, codes=("SPELLED_AS_OTHERS",)) == ["school_name"]
    again = read("Junlper Hills", 0.9, Source.OCR)
    field = propose_field(record, "school_name", [again], is_missing=False)
    assert field is not None
    assert (field.current_value, field.proposed_value) == ("Junlper Hills", "Juniper Hills")
    assert field.preferred is Preferred.PROPOSED
    assert field.reason == Message.of(ProposalReason.AS_OTHERS, way=way, problems=[])


def vote(value: str, share: float) -> FieldReading:
    return read(value, share, Source.OCR).model_copy(update={"method": VOTES})


def test_a_doubtful_value_that_its_line_does_not_back_is_left_to_a_person() -> None:
    record = entry(student_name=read("Marisol Vega", 0.6, Source.OCR))
    for share, preferred in ((0.75, Preferred.PROPOSED), (0.4, Preferred.NEITHER)):
        field = propose_field(record, "student_name", [vote("Marisol Vega", share)], is_missing=False)
        assert field is not None
        assert (field.proposed_value, field.method, field.preferred) == ("Marisol Vega", AS_READ, preferred)


def test_a_missing_value_is_proposed_as_most_pictures_of_its_line_give_it() -> None:
    readings = [read("5", 0.79, Source.OCR), read("4", 0.6, Source.OCR), vote("4", 0.75), vote("5", 0.1)]
    field = propose_field(no_grade(), "grade", readings, is_missing=True)
    assert field is not None
    assert field.proposed_value == "4"


def test_votes_for_values_that_others_give_are_not_named_again() -> None:
    readings = [read("5", 0.7, Source.OCR), vote("5", 0.3), vote("6", 0.3), vote("4", 0.1)]
    field = propose_field(no_grade(), "grade", readings, is_missing=True)
    assert field is not None
    assert field.reason is not None
    assert field.proposed_value == "5"
    assert field.reason.params["problems"] == []


@pytest.mark.parametrize(
    ("name", "first", "again"),
    [
        ("student_name", "Marisol Vega", "MARISOL  VEGA."),
        ("school_name", "P.S. 118 / Juniper", "PS 118 Juniper"),
        ("phone", "(555) 555-0134", "555 555 0134"),
        ("email", "ana@example.org", "Ana@example. org"),
    ],
)
def test_what_a_person_sees_as_the_same_value_is_a_confirmation(name: str, first: str, again: str) -> None:
    record = entry(**{name: read(first, 0.6, Source.OCR)})
    field = propose_field(record, name, [read(again, 0.9, Source.OCR)], is_missing=False)
    assert field is not None
    assert (field.current_value, field.proposed_value, field.method) == (first, first, AS_READ)
    assert field.reason == Message.of(ProposalReason.AS_READ, problems=[])


def test_an_accent_is_a_difference_that_a_person_sees() -> None:
    assert not seen_as_same(FieldKind.PERSON, "Ramon Vega", "Ramón Vega")
    assert not seen_as_same(FieldKind.PERSON, "Maryann Vega", "Mary Ann Vega")


@pytest.mark.parametrize(
    ("looks", "proposed"),
    [(["Marisela Vega", "Marisela Vega"], "Marisela Vega"), (["Marisela Vega", "Marisela Vera"], "Marisol Vega")],
)
def test_what_two_looks_agree_on_is_proposed_over_what_one_read(looks: list[str], proposed: str) -> None:
    readings = [read(value, 0.5, Source.OCR).model_copy(update={"way": WAY.to_json()}) for value in looks]
    field = propose_field(weak_name(), "student_name", readings, is_missing=False)
    assert field is not None and field.proposed_value == proposed


def test_what_looks_agree_on_is_preferred_where_it_is_spelled_better_too() -> None:
    record = entry(student_name=read("Mariscl Vcga", 0.6, Source.OCR))
    looks = [read("Marisol Vega", 0.5, Source.OCR).model_copy(update={"way": WAY.to_json()})] * 2
    field = propose_field(record, "student_name", looks, is_missing=False)
    assert field is not None and field.preferred == Preferred.PROPOSED
    field = propose_field(record, "student_name", looks[:1], is_missing=False)
    assert field is not None and field.preferred != Preferred.PROPOSED


def test_what_fewer_pictures_give_than_the_first_reading_is_not_proposed() -> None:
    looks = [read("Marisela Vega", 0.75, Source.OCR)]
    votes = [
        read(value, share, Source.OCR).model_copy(update={"method": VOTES})
        for value, share in (("Marisela Vega", 0.25), ("Marisol Vega", 0.5))
    ]
    field = propose_field(weak_name(), "student_name", [*looks, *votes], is_missing=False)
    assert field is not None and field.proposed_value == "Marisol Vega"


def test_what_is_said_beside_a_proposal_are_whole_sentences() -> None:
    looks = [
        read(value, sure, Source.OCR).model_copy(update={"way": way.to_json()})
        for value, sure, way in (
            ("Marisela Vega", 0.7, Message.of(ReadingWay.CLOSER_LOOK, page=1, times=1.25)),
            ("Marisa Verde", 0.5, Message.of(ReadingWay.PAGE_BY_ITSELF, page=1)),
        )
    ]
    field = propose_field(weak_name(), "student_name", looks, is_missing=False)
    assert field is not None and field.reason is not None
    assert say(field.reason) == (
        "The first reading was different; this is from a closer look at page 1 (1.25 times as large). "
        "Also read: “Marisa Verde”, from page 1 on its own."
    )


@pytest.mark.parametrize(
    ("first", "uncertain", "preferred"),
    [
        ("Mzrlqcl Vwq", False, Preferred.PROPOSED),
        ("Mzrlqcl Vwq", True, Preferred.NEITHER),
        ("Marisela Vega", False, Preferred.AS_READ),
    ],
    ids=["garble", "garble, and the model doubts", "a likely name"],
)
def test_a_models_value_is_preferred_to_what_is_no_value(
    first: str, uncertain: bool, preferred: Preferred
) -> None:
    record = entry(student_name=read(first, 0.7, Source.OCR))
    said = said_by_model("Marisol Vega", uncertain)
    field = propose_field(record, "student_name", [said], is_missing=False)
    assert field is not None
    assert (field.proposed_value, field.preferred) == ("Marisol Vega", preferred)


def test_of_two_pages_equally_sure_neither_is_preferred() -> None:
    first = read("Marisol Vega", 0.25, Source.OCR).model_copy(update={"disagrees_with": "Daniel Ortiz"})
    pages = [read(value, 0.5, Source.OCR) for value in ("Marisol Vega", "Daniel Ortiz")]
    field = propose_field(entry(student_name=first), "student_name", pages, is_missing=False)
    assert field is not None
    assert (field.proposed_value, field.preferred) == ("Daniel Ortiz", Preferred.NEITHER)
