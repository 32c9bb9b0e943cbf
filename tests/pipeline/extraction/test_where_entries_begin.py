"""A page begins an entry where a child's name stands on it with a school or a grade: at its head, or its foot."""

from __future__ import annotations

import pytest

from core.config import load_settings
from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, role_of
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.reason_codes import ReasonCode
from pipeline.splitting.document_analysis import analyse_document
from tests.support.reading.paper import Set, essay, page

SETTINGS = load_settings()
ODALYS = ("Odalys Brenner", "Marsh Hollow School", "5", "Piet Brenner")
NORAH = ("Norah Castellan", "Lantern Hill School", "6", "Norman Castellan")
#: Sheets of a school's own: labels that are alike to those of a form, values in a column of their own.
LABELS = (
    ("Student:", "School:", "Grade:", "Father or father figure:", "Phone:", "E-mail:", "Essay:"),
    ("Author:", "School:", "Grade Level:", "Father/Father-Figure Name:", "Telephone:", "E-mail:", "Essay:"),
)


def _own_sheet(number: int, labels: tuple[str, ...], child: tuple[str, ...]) -> PageContent:
    values = (*child, "(312) 555-0171", "family@example.org", "")
    texts: list[Set] = [(72, 55, "My Father Figure: an Essay", 14)]
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        texts += [(72, 88 + 18 * place, label, 10), *([(200, 88 + 18 * place, value, 10)] if value else [])]
    return page(number, [*texts, *essay(220, 8, 72)], source=Source.OCR, confidence=0.99)


@pytest.mark.parametrize("labels", LABELS, ids=["student", "author"])
def test_a_schools_own_sheet_is_no_rest_of_a_form(labels: tuple[str, ...]) -> None:
    pages = [_own_sheet(1, labels, ODALYS), _own_sheet(2, labels, NORAH)]
    chunks = analyse_document(pages, SETTINGS).chunks
    assert [(chunk.page_start, chunk.page_end) for chunk in chunks] == [(1, 1), (2, 2)]
    found, _ = read_entry([pages[1]])
    assert (found["student_name"].value, found["school_name"].value) == NORAH[:2]


def _footed(number: int, *foot: str, head: tuple[str, ...] = (), lines: int = 12) -> PageContent:
    begin: list[Set] = [(72, 72 + 18 * place, text) for place, text in enumerate(head)]
    end: list[Set] = [(72, 700 + 18 * place, text) for place, text in enumerate(foot)]
    return page(number, [*begin, *essay(130, lines, 72), *end])


FEET = [("Student: {0}", "School: {1}", "Grade: {2}"), ("{0}, {1}, grade {2}",), ("Name: {0}    Grade: {2}",)]


@pytest.mark.parametrize("foot", FEET, ids=["lines", "one line", "two labels"])
def test_the_foot_of_a_page_tells_whose_it_is(foot: tuple[str, ...]) -> None:
    pages = [
        _footed(number, *(line.format(*child) for line in foot)) for number, child in enumerate((ODALYS, NORAH), 1)
    ]
    chunks = analyse_document(pages, SETTINGS).chunks
    assert [(chunk.page_start, chunk.page_end, chunk.doubts) for chunk in chunks] == [(1, 1, []), (2, 2, [])]


def test_a_foot_that_says_the_same_child_goes_on() -> None:
    head = ("Odalys Brenner", "Marsh Hollow School", "Grade 5")
    pages = [_footed(1, head=head), _footed(2, "Odalys Brenner, Marsh Hollow School, grade 5")]
    (chunk,) = analyse_document(pages, SETTINGS).chunks
    assert (chunk.page_end, chunk.doubts) == (2, [])


def test_a_page_without_a_name_before_such_a_foot_is_doubtful() -> None:
    foot = "Norah Castellan, Lantern Hill School, grade 6"
    head = ("Odalys Brenner", "Marsh Hollow School", "Grade 5")
    chunks = analyse_document([_footed(1, head=head), _footed(2), _footed(3, foot)], SETTINGS).chunks
    assert [(chunk.page_start, chunk.page_end) for chunk in chunks] == [(1, 2), (3, 3)]
    assert all(ReasonCode.SPLIT_UNCERTAIN in chunk.doubts for chunk in chunks)


def test_a_full_page_before_another_childs_foot_may_go_on_there() -> None:
    foot = "Norah Castellan, Lantern Hill School, grade 6"
    head = ("Odalys Brenner", "Marsh Hollow School", "Grade 5")
    chunks = analyse_document([_footed(1, head=head, lines=40), _footed(2, foot)], SETTINGS).chunks
    assert [chunk.doubts for chunk in chunks] == [[ReasonCode.SPLIT_UNCERTAIN]] * 2
    chunks = analyse_document([_footed(1, head=head), _footed(2, foot)], SETTINGS).chunks
    assert [chunk.doubts for chunk in chunks] == [[], []]


def test_labels_of_a_header_without_a_name_may_begin_an_entry() -> None:
    head = ("Odalys Brenner", "Marsh Hollow School", "Grade 5")
    nameless = ("School: Lantern Hill School", "Grade: 6")
    (chunk,) = analyse_document([_footed(1, head=head), _footed(2, head=nameless)], SETTINGS).chunks
    assert (chunk.page_end, chunk.doubts) == (2, [ReasonCode.SPLIT_UNCERTAIN])
    (chunk,) = analyse_document([_footed(1, head=head), _footed(2)], SETTINGS).chunks
    assert chunk.doubts == []


def _slanting(rise: float, growth: float) -> PageContent:
    """A photo taken at an angle: lines rise to the right, the lower ones more, or less."""
    labels = ("Student:", "School:", "Grade:", "Phone:")
    values = (*NORAH[:3], "(312) 555-0171")
    texts: list[Set] = [(72, 90 + 18 * n, label, 10) for n, label in enumerate(labels)]
    texts += [(240, 90 + 18 * n, value, 10) for n, value in enumerate(values)]
    lines = [f"Line {word} of what I tell about him and the boat that he built for us" for word in WORDS]
    texts += [(72, 180 + 16 * n, line, 10) for n, line in enumerate(lines)]
    content = page(1, texts, source=Source.OCR, confidence=0.99)
    for place, word in enumerate(content.words):
        box = word.box
        step = (rise + growth * box.cy) * (box.cx - 0.5)
        content.words[place] = word._replace(box=Box(box.x0, box.y0 - step, box.x1, box.y1 - step))
    return content


WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


@pytest.mark.parametrize(("rise", "growth"), [(0.06, 0.0), (-0.06, 0.0), (0.08, -0.1), (-0.02, -0.12)])
def test_lines_of_a_slanting_photo_are_read_one_by_one(rise: float, growth: float) -> None:
    found, _ = read_entry([_slanting(rise, growth)])
    assert [found[name].value for name in ("student_name", "school_name", "grade")] == list(NORAH[:3])
    lines = (found["essay_text"].value or "").splitlines()
    assert [line.split()[1] for line in lines] == list(WORDS)
    (place,) = found["student_name"].evidence
    assert place.box.cy == pytest.approx(90 / 792 - (rise + growth * 90 / 792) * (place.box.cx - 0.5), abs=0.006)


@pytest.mark.parametrize(
    ("grade", "value"),
    [
        ("Grade (check one): ☐ 3 ☐ 4 ☒ 5 ☐ 6", "5"),
        ("Grade: 3 ☐ 4 ☑ 5 ☐ 6 ☐", "4"),
        ("Grade ☐K ☒1 ☐2", "1"),
        ("Grade: ☐ 3 ☐ 4 ☐ 5", None),
        ("Grade: ☒ 3 ☐ 4 ☒ 5", None),
    ],
)
def test_a_marked_box_tells_the_grade(grade: str, value: str | None) -> None:
    sheet = page(1, [(72, 72, "Name: Odalys Brenner"), (72, 90, "School: Marsh Hollow School"), (72, 108, grade)])
    sheet.words += page(1, essay(140, 8, 72)).words
    found = read_entry([sheet])[0].get("grade")
    assert (found.value if found else None) == value
    assert role_of(sheet).role is PageRole.HEADER
