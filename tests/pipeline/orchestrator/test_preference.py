"""Which of two values is held for the likelier one."""

from __future__ import annotations

import pytest

from pipeline.orchestrator.suggestions import is_backed, plausible, preferred_as_read, preferred_value
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading
from tests.support.reading.orchestration import read

OCR, TEXT, LISTED, MODEL = Source.OCR, Source.TEXT_LAYER, Source.SCHOOL_LIST, Source.MODEL


@pytest.mark.parametrize(
    ("name", "first", "better", "preferred"),
    [
        ("school_name", read("Sterling Oaks", 0.68, OCR), read("Dieriing UAKO Pree", 0.76, OCR), "as_read"),
        ("school_name", read("Dieriing UAKO Pree", 0.68, OCR), read("Sterling Oaks", 0.76, OCR), "proposed"),
        ("school_name", read("Dieriing UAKO", 0.68, OCR), read("Wstr Prlqk", 0.76, OCR), "neither"),
        ("school_name", read("Westbrook MS", 0.62, OCR), read("Westbrook Commons", 0.83, LISTED), "proposed"),
        ("school_name", read("Westbrook MS", 0.9, TEXT), read("Westbrook Commons", 0.83, LISTED), "as_read"),
        ("student_name", read("Qvintana Vega", 0.7, OCR), read("Quintana Vega", 0.7, OCR), "proposed"),
        ("student_name", read("Quintana Vega", 0.7, OCR), read("Qvintana Vega", 0.79, OCR), "as_read"),
        ("student_name", read("Crace Thatcher", 0.79, OCR), read("Urace Thatcher", 0.79, OCR), "as_read"),
        ("student_name", read("Marisol Vega", 0.6, OCR), read("Marisela Vega", 0.5, MODEL), "as_read"),
        ("student_name", read("Marisol Vega", 0.4, OCR), read("Marisela Vega", 0.5, MODEL), "proposed"),
        ("student_name", read(None), read("Marisela Vega", 0.5, MODEL), "proposed"),
        ("student_name", read(None), read("Rqss Lkrzq", 0.7, OCR), "neither"),
        ("student_name", read(None), read("Marisol Vega", 0.6, OCR), "neither"),
        ("student_name", read(None), read("Marisol Vega", 0.48, OCR), "neither"),
        ("grade", read(None), read("4", 0.79, OCR), "neither"),
        ("grade", read(None), read("4", 0.5, MODEL), "proposed"),
        ("email", read("ana@example.org", 0.7, OCR), read("ana@exampIe", 0.79, OCR), "as_read"),
    ],
)
def test_one_other_reading(name: str, first: FieldReading, better: FieldReading, preferred: str) -> None:
    assert preferred_value(name, first, better, [better]) == preferred


@pytest.mark.parametrize(
    ("others", "preferred"), [(["5"], "as_read"), (["5", "5"], "proposed"), (["5", "4"], "as_read")]
)
def test_a_grade_needs_more_voices_than_the_first_one(others: list[str], preferred: str) -> None:
    readings = [read(value, 0.79, OCR) for value in others]
    assert preferred_value("grade", read("4", 0.6, OCR), readings[0], readings) == preferred


@pytest.mark.parametrize(
    ("kind", "reading", "expected"),
    [
        (FieldKind.PERSON, read("Thandiwe Mkhize", 0.6, OCR), True),
        (FieldKind.PERSON, read("Rqss Lkrzq", 0.6, OCR), False),
        (FieldKind.PERSON, read("Rqss Lkrzq", 1.0, TEXT), True),
        (FieldKind.SCHOOL, read("Public School 118", 0.6, OCR), True),
        (FieldKind.EMAIL, read("hugo_foster90@mail.exa", 0.79, OCR), False),
        (FieldKind.GRADE, read("room 404", 0.79, OCR), False),
        (FieldKind.ESSAY, read("My father drives the night bus.", 0.4, OCR), True),
        (FieldKind.DATE, read("2014-09-21", 0.47, OCR), False),
        (FieldKind.DATE, read("2014-09-21", 0.76, OCR), True),
        (FieldKind.PERSON, read(None), False),
    ],
)
def test_plausible(kind: FieldKind, reading: FieldReading, expected: bool) -> None:
    assert plausible(kind, reading) is expected


def test_a_first_reading_is_confirmed_only_where_it_is_plausible() -> None:
    assert preferred_as_read("student_name", read("Marisol Vega", 0.6, OCR)) == "proposed"
    assert preferred_as_read("student_name", read("Rqss Lkrzq", 0.6, OCR)) == "neither"


def test_a_missing_grade_is_believed_when_two_looks_find_it() -> None:
    readings = [read("4", 0.7, OCR), read("4", 0.6, OCR)]
    assert preferred_value("grade", read(None), readings[0], readings) == "proposed"


def test_a_missing_name_is_believed_when_two_looks_find_it() -> None:
    readings = [read("Marisol Vega", 0.7, OCR), read("Marisol vega", 0.6, OCR)]
    assert preferred_value("student_name", read(None), readings[0], readings) == "proposed"


@pytest.mark.parametrize(
    ("share", "preferred"), [(0.9, "proposed"), (0.7, "proposed"), (0.6, "neither"), (0.0, "neither")]
)
def test_a_value_as_read_must_be_backed_by_the_votes_of_its_line(share: float, preferred: str) -> None:
    votes = [read("MARISOL VEGA", share, OCR), read("Marisel Vega", 1 - share, OCR)]
    assert preferred_as_read("student_name", read("Marisol Vega", 0.6, OCR), votes) == preferred


@pytest.mark.parametrize(
    ("for_first", "for_other", "preferred"), [(0.8, 0.2, "as_read"), (0.2, 0.8, "proposed"), (0.5, 0.5, "neither")]
)
def test_votes_decide_between_two_readings(for_first: float, for_other: float, preferred: str) -> None:
    first, other = read("Qvintana Vega", 0.7, OCR), read("Quintana Vega", 0.7, OCR)
    votes = [read("Qvintana Vega", for_first, OCR), read("Quintana Vega", for_other, OCR)]
    assert preferred_value("student_name", first, other, [other], votes) == preferred


def test_votes_for_a_stranger_word_do_not_replace_a_known_one() -> None:
    first, other = read("Harriet Lane School", 0.66, OCR), read("Harriet Lawe School", 0.79, OCR)
    votes = [read("Harriet Lane School", 0.1, OCR), read("Harriet Lawe School", 0.79, OCR)]
    assert preferred_value("school_name", first, other, [other], votes) == "neither"


def test_a_missing_value_must_be_backed_too() -> None:
    found = read("Marisol Vega", 0.7, OCR)
    assert preferred_value("student_name", read(None), found, [found], [read("Marisol Vega", 0.4)]) == "neither"
    assert preferred_value("student_name", read(None), found, [found], [read("Marisol Vega", 0.75)]) == "proposed"


@pytest.mark.parametrize("source", [TEXT, LISTED, MODEL])
def test_votes_say_nothing_on_what_was_not_recognised(source: Source) -> None:
    assert is_backed(read("Marisol Vega", 0.7, source), [read("Marisel Vega", 0.79, OCR)])
