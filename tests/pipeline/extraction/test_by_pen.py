"""Forms with type and with what somebody wrote on them with a pen."""

from __future__ import annotations

import pytest

from pipeline.extract_ifi import read_entry
from pipeline.extraction.page_roles import PageRole, roles_of
from pipeline.extraction.readings import RECOGNISED_ALONE
from pipeline.pages.page_model import PageContent, Source
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay, page

PEN: list[Set] = [
    (200, 119, "Nina Bowers", 14),
    (500, 120, "4th", 14),
    (292, 138, "Carl Bowers", 14),
    (500, 138, "Oak Park School", 8),
]


def written(typed: list[Set], by_pen: list[Set]) -> PageContent:
    """A page as it is read where pen strokes lie beside its type."""
    content, added = page(1, typed), page(1, by_pen, source=Source.OCR, confidence=0.97)
    first = max(word.line for word in content.words) + 1
    content.words += [word._replace(line=first + word.line) for word in added.words]
    content.source, content.by_pen, content.ocr_confidence = Source.OCR, True, 0.97
    return content


def test_pen_and_type_are_read_together() -> None:
    fields, _ = read_entry([written([*FORM_2026, *essay()], PEN)])
    assert {
        name: fields[name].value for name in ("student_name", "grade", "father_figure_name", "school_name")
    } == {
        "student_name": "Nina Bowers",
        "grade": "4",
        "father_figure_name": "Carl Bowers",
        "school_name": "Oak Park School",
    }
    assert fields["student_name"].source is Source.OCR
    assert fields["student_name"].confidence <= RECOGNISED_ALONE
    assert (fields["essay_text"].source, fields["essay_text"].confidence) == (Source.TEXT_LAYER, 1.0)


def test_an_essay_with_a_remark_by_pen_is_not_sure() -> None:
    fields, _ = read_entry([written([*FORM_2026, *HEADER, *essay()], [(300, 420, "Great job", 18)])])
    assert fields["essay_text"].value is not None and fields["essay_text"].value.endswith("Great job")
    assert fields["essay_text"].confidence <= RECOGNISED_ALONE
    assert fields["student_name"].confidence == 1.0


@pytest.mark.parametrize("by_pen", [False, True])
def test_a_form_with_pen_strokes_is_never_blank(by_pen: bool) -> None:
    content = page(1, FORM_2026)
    content.by_pen = by_pen
    (roled,) = roles_of([content])
    assert roled.role is (PageRole.HEADER if by_pen else PageRole.BLANK_FORM)


def test_a_sheet_with_pen_strokes_is_never_blank() -> None:
    content = page(1, ink=0.0)
    content.by_pen = True
    (roled,) = roles_of([content])
    assert roled.role is not PageRole.BLANK_SHEET
