"""Text boxes over a page: answers where the form is empty, remarks elsewhere."""

from __future__ import annotations

from dataclasses import replace

from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.pages.page_model import Note, PageContent
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay, page

NAMES = ("student_name", "school_name", "grade", "father_figure_name", "email", "phone")
EXPECTED = ("Marisol Vega", "Juniper School", "4", "Ernesto Vega", "e.vega@example.org", "312-555-0134")


def note(*texts: Set, may_fill: bool = True) -> Note:
    words = [word._replace(line=word.line + 10_000) for word in page(1, texts).words]
    box = words[0].box
    for word in words:
        box = box.union(word.box)
    return Note(words, box, may_fill)


def noted(content: PageContent, *notes: Note) -> PageContent:
    return replace(content, notes=list(notes))


def values(content: PageContent) -> tuple[str | None, ...]:
    read, _ = read_entry([content])
    return tuple(read[name].value if name in read else None for name in NAMES)


REMARK = note((330, 420, "Lovely work! Please mind the commas."), (330, 434, "Ms. Tilda Barrow"))
STAMP = note((240, 80, "RECEIVED Feb 11 2026 - Room 7"), may_fill=False)


def test_remarks_and_stamps_are_no_part_of_a_filled_form() -> None:
    read, _ = read_entry([noted(page(1, [*FORM_2026, *HEADER, *essay()]), REMARK, STAMP)])
    assert tuple(read[name].value for name in NAMES) == EXPECTED
    assert read["word_count"].value == "80"
    assert not any(read[name].unaccounted for name in NAMES)


def test_a_form_that_was_filled_with_text_boxes() -> None:
    content = noted(page(1, FORM_2026), *map(note, HEADER), note(*essay()))
    assert role_of(content).role is PageRole.HEADER
    read, _ = read_entry([content])
    assert tuple(read[name].value for name in NAMES) == EXPECTED
    assert read["word_count"].value == "80"
    assert values(noted(page(1, [*FORM_2026, *essay()]), *map(note, HEADER))) == EXPECTED


def test_a_remark_does_not_fill_an_empty_essay() -> None:
    assert "essay_text" not in read_entry([noted(page(1, [*FORM_2026, *HEADER]), REMARK)])[0]


def test_a_stamp_fills_nothing() -> None:
    stamp = note((203, 116, "Marisol Vega"), may_fill=False)
    assert values(noted(page(1, [*FORM_2026, *essay()]), stamp)) == (None,) * 6


def test_a_box_over_a_value_makes_it_wait() -> None:
    read, _ = read_entry([noted(page(1, [*FORM_2026, *HEADER, *essay()]), note((530, 116, "5th?")))])
    assert (read["grade"].value, read["grade"].unaccounted) == ("4", True)
    assert not read["student_name"].unaccounted


def test_an_essay_without_a_form() -> None:
    head: list[Set] = [(72, 60, "Marisol Vega", 12), (72, 78, "Juniper School", 12), (72, 96, "Grade 4", 12)]
    remark = note((350, 60, "Pine Hollow School? Grade 7? Mrs. Dunn"))
    assert values(noted(page(1, [*head, *essay(150, 20)]), remark))[:3] == EXPECTED[:3]
    assert values(noted(page(1), note(*head), note(*essay(150, 20))))[:3] == EXPECTED[:3]
