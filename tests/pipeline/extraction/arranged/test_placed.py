"""Sheets of labels: where the values stand is decided once for all labels of a sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.pages.page_model import PageContent, Source
from pipeline.schema import FieldReading
from tests.support.reading.paper import Set, page

LINE = "He helps me with my work and sings old songs."
GIVEN = {
    "student_name": "Marisol Vega",
    "school_name": "Juniper Academy",
    "grade": "4",
    "father_figure_name": "Ernesto Vega",
    "phone": "(312) 555-0134",
    "email": "e.vega@example.org",
}
LABELS = {
    "learner": ("Learner", "Campus", "Year", "Father figure", "Telephone", "E-mail"),
    "scholar": ("Scholar's name", "Elementary school", "Class", "Dad", "Home phone", "Family e-mail"),
    "alumno": ("Nombre del alumno", "Plantel", "Grado escolar", "Figura paterna", "Teléfono", "Correo"),
}
#: The corners of six fields: one below the other, or in two columns.
COLUMN = [(60.0, 80.0 + 44 * n) for n in range(6)]
PAIRS = [(60.0 + 260 * (n % 2), 80.0 + 44 * (n // 2)) for n in range(6)]


def essay(top: float, left: float = 60, count: int = 8) -> list[Set]:
    return [(left, top + 16 * n, LINE, 11) for n in range(count)]


def sheet(words: str, places: list[tuple[float, float]], across: float, down: float) -> list[Set]:
    """The labels at their places, the values so far from them to the right and down."""
    texts: list[Set] = [(x, y, label, 8) for (x, y), label in zip(places, LABELS[words], strict=True)]
    values = zip(places, GIVEN.values(), strict=True)
    return [*texts, *((x + across, y + down, value, 11) for (x, y), value in values)]


def readings(*pages: PageContent) -> dict[str, FieldReading]:
    return read_entry(pages)[0]


def check(found: dict[str, FieldReading]) -> None:
    assert {name: found[name].value for name in GIVEN if name in found} == GIVEN
    assert set((found["essay_text"].value or "").splitlines()) == {LINE}


@pytest.mark.parametrize("words", LABELS)
@pytest.mark.parametrize("places", [COLUMN, PAIRS], ids=["column", "pairs"])
@pytest.mark.parametrize(("across", "down"), [(3, -15), (6, 16), (110, 0)], ids=["above", "below", "beside"])
def test_values_above_below_or_beside_their_labels(
    words: str, places: list[tuple[float, float]], across: float, down: float
) -> None:
    content = page(1, [*sheet(words, places, across, down), *essay(400)])
    check(found := readings(content))
    assert {found[name].confidence for name in GIVEN} == {1.0}
    assert role_of(content).role is PageRole.HEADER


@pytest.mark.parametrize("down", [-15, 16])
def test_captions_of_a_recognised_sheet(down: float) -> None:
    typed = page(1, [*sheet("learner", PAIRS, 3, down), *essay(400)])
    misread = {"Learner": "Learncr", "Telephone": "Telephonc"}
    words = [
        word._replace(text=misread.get(word.text, word.text), source=Source.OCR, confidence=0.98)
        for word in typed.words
    ]
    check(readings(replace(typed, words=words, source=Source.OCR)))


def test_a_row_of_labels_above_a_row_of_values() -> None:
    lefts = (40, 150, 270, 310, 410, 480)
    given = [*list(GIVEN.values())[:4], "312-555-0134", "ev@example.org"]
    rows: list[Set] = [(x, 80, label, 8) for x, label in zip(lefts, LABELS["learner"], strict=True)]
    rows += [(x, 102, value, 9) for x, value in zip(lefts, given, strict=True)]
    found = readings(page(1, [*rows, *essay(200)]))
    assert [found[name].value for name in GIVEN] == given


def test_of_two_children_below_a_row_of_labels_none_is_read() -> None:
    lefts = (60, 200, 380)
    rows: list[Set] = [(x, 80, label, 10) for x, label in zip(lefts, ("Pupil", "Campus", "Grade"), strict=True)]
    for n, child in enumerate((("Marisol Vega", "Juniper Academy", "4"), ("Leo Falk", "Thornfield School", "2"))):
        rows += [(x, 98 + 18 * n, value, 10) for x, value in zip(lefts, child, strict=True)]
    found = readings(page(1, [*rows, *essay(200)]))
    assert not any((found[name].confidence if name in found else 0) > 0.8 for name in ("student_name", "grade"))


def test_the_labels_stand_below_or_beside_the_essay() -> None:
    check(readings(page(1, [*essay(60), *sheet("scholar", [(60, y + 200) for _, y in COLUMN], 110, 0)])))
    check(readings(page(1, [*sheet("learner", COLUMN, 2, 13), *essay(78, left=300, count=18)])))


def test_a_label_without_a_value_takes_none_of_its_neighbours() -> None:
    for down in (-15, 16):
        texts = [text for text in sheet("learner", COLUMN, 3, down) if text[2] != "Marisol Vega"]
        found = readings(page(1, [*texts, *essay(400)]))
        assert "student_name" not in found or not found["student_name"].value
        assert found["father_figure_name"].value == "Ernesto Vega"
        assert found["school_name"].value == "Juniper Academy"


def test_where_two_placements_fit_the_values_are_doubtful() -> None:
    people = ["Marisol Vega", "Cedar Loop", "Ernesto Vega", "Nora Falk"]
    labels = ["Pupil", "Campus", "Father figure"]
    texts: list[Set] = [(60, 60 + 40 * n, value, 11) for n, value in enumerate(people)]
    texts += [(60, 80 + 40 * n, label, 11) for n, label in enumerate(labels)]
    found = readings(page(1, [*texts, *essay(400)]))
    assert found["student_name"].disagrees_with and found["father_figure_name"].disagrees_with
    assert found["student_name"].confidence <= 0.5


def test_two_labels_for_one_field_with_two_values_are_doubtful() -> None:
    rows: list[Set] = [
        (60, 60 + 24 * n, f"{label}:", 11) for n, label in enumerate(("Pupil", "School", "Class", "Grade"))
    ]
    values = ("Marisol Vega", "Juniper Academy", "12", "4")
    rows += [(180, 60 + 24 * n, value, 11) for n, value in enumerate(values)]
    found = readings(page(1, [*rows, *essay(200)]))
    assert {found["grade"].value, found["grade"].disagrees_with} == {"12", "4"}


def test_a_school_in_two_lines_the_second_of_which_reads_as_a_label() -> None:
    rows: list[Set] = [(60, 60, "Pupil", 11), (60, 110, "School", 11), (60, 160, "Grade", 11)]
    rows += [
        (62, 75, "Marisol Vega", 11),
        (62, 125, "Juniper", 11),
        (62, 138, "Elementary School", 11),
        (62, 175, "4", 11),
    ]
    found = readings(page(1, [*rows, *essay(250)]))
    assert found["school_name"].value == "Juniper Elementary School"


def test_what_the_sheet_asks_besides_is_no_value() -> None:
    texts = sheet("learner", COLUMN, 110, 0)
    texts[0] = (60, 80, "Learner", 8)
    texts = [text for text in texts if text[2] != "Marisol Vega"]
    texts += [(60, 64, "Favorite color", 8), (170, 64, "Sky Blue", 11)]
    found = readings(page(1, [*texts, *essay(400)]))
    assert "Sky Blue" not in {reading.value for reading in found.values()}


def test_the_foot_of_a_sheet_is_no_part_of_its_essay() -> None:
    foot: Set = (150, 760, "Questions? Call (303) 555-0177, grades 1 to 8 welcome", 8)
    check(readings(page(1, [*sheet("scholar", PAIRS, 110, 0), *essay(300), foot])))


def test_a_sheet_that_nobody_filled_in_is_of_no_entry() -> None:
    labels = [text for text in sheet("learner", PAIRS, 3, -15) if text[2] in LABELS["learner"]]
    assert role_of(page(1, [(250, 40, "The Man Who Raised Me", 15), *labels])).role is PageRole.COVER_SHEET
    assert role_of(page(1, [*labels, (60, 60, "Marisol Vega", 11)])).role is not PageRole.COVER_SHEET
    assert role_of(page(1, [*labels, *essay(400)])).role is not PageRole.COVER_SHEET


def test_captions_under_the_middle_of_a_line() -> None:
    texts = sheet("learner", [(x + 100, y) for x, y in PAIRS], -98, -15)
    check(readings(page(1, [*texts, *essay(400)])))


def test_a_sheet_that_resembles_the_head_of_a_list_is_read() -> None:
    labels = ("Writer", "Teacher", "School", "Class", "Father's name", "Phone")
    values = ("Marisol Vega", "Ms. Okafor", "Juniper Academy", "4", "Ernesto Vega", "(312) 555-0134")
    texts: list[Set] = []
    for n, (label, value) in enumerate(zip(labels, values, strict=True)):
        x, y = 60 + 260 * (n % 2), 80 + 36 * (n // 2)
        texts += [(x, y, label, 8), (x, y + 14, value, 11)]
    content = page(1, [*texts, *essay(250, count=4)])
    assert role_of(content).role is PageRole.HEADER
    found = readings(content)
    assert {name: found[name].value for name in list(GIVEN)[:5]} == dict(list(GIVEN.items())[:5])


def test_another_form_behind_the_essay_leaves_it_unsure() -> None:
    behind: list[Set] = [(60, 400, "Parent signature:", 8), (170, 400, "Ernesto Vega", 11), *essay(430, count=4)]
    labels = [f"{label}:" for label in LABELS["learner"]]
    texts: list[Set] = [(60, 60 + 16 * n, label, 8) for n, label in enumerate(labels)]
    texts += [(170, 60 + 16 * n, value, 11) for n, value in enumerate(GIVEN.values())]
    found = readings(page(1, [*texts, (60, 170, "Essay:", 8), *essay(190), *behind]))
    assert found["essay_text"].confidence < 0.8


def test_a_label_with_words_in_front_and_a_value_lower_in_its_row() -> None:
    labels = ("Pupil:", "School of pupil:", "Grade:", "Father:")
    rows: list[Set] = [(60, y, label, 11) for y, label in zip((60, 78, 122, 140), labels, strict=True)]
    values = ("Marisol Vega", "Juniper Academy", "4", "Ernesto Vega")
    rows += [(190, y, value, 11) for y, value in zip((60, 92, 122, 140), values, strict=True)]
    found = readings(page(1, [*rows, *essay(200)]))
    assert tuple(found[name].value for name in list(GIVEN)[:4]) == values
