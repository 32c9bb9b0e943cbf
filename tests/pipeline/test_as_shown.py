"""What a record says is what its page shows; where the file says something else, a person is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.config import Settings
from core.confined.mupdf import pymupdf
from core.file_store import LocalFileStore
from pipeline.reason_codes import ReasonCode
from pipeline.runner import process_submission
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay

SETTINGS = Settings(_env_file=None)
NOT_AS_SHOWN = ReasonCode.NOT_AS_SHOWN.value
NAME = (200, 108, 300, 123)
Change = Callable[[pymupdf.Page], object]


def record_of(pdf: bytes, folder: Path) -> SubmissionRecord:
    store = LocalFileStore(folder)
    store.put("a.pdf", pdf)
    policy = Policy()
    return process_submission("a.pdf", "s", "of-s", "rapidocr", settings=SETTINGS, store=store, policy=policy)[0]


def typed(change: Change, header: list[Set] | None = None) -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for text in [*FORM_2026, *(HEADER if header is None else header), *essay()]:
            type_text(page, text)
        change(page)
        return bytes(document.tobytes())


def type_text(page: pymupdf.Page, text: Set, right: float = 0.0) -> None:
    size = text[3] if len(text) == 4 else 10.0
    page.insert_text((text[0] + right, text[1] + size * 0.35), text[2], fontsize=size, fontname="helv")


def white(page: pymupdf.Page) -> None:
    page.draw_rect(NAME, fill=(1, 1, 1), color=None)


def test_what_is_not_changed_passes(tmp_path: Path) -> None:
    record = record_of(typed(lambda page: None), tmp_path)
    assert record.student_name == "Marisol Vega" and not record.needs_review


def test_a_covered_name_waits_for_a_person(tmp_path: Path) -> None:
    record = record_of(typed(white), tmp_path)
    assert record.student_name is None and record.needs_review
    assert {NOT_AS_SHOWN, "MISSING_STUDENT_NAME"} <= set(record.review_reason_codes)


def test_a_name_over_another_is_the_upper_one(tmp_path: Path) -> None:
    def change(page: pymupdf.Page) -> None:
        white(page)
        type_text(page, (202, 116, "Amelia Stone"))

    record = record_of(typed(change), tmp_path)
    assert record.student_name == "Amelia Stone" and record.needs_review
    assert record.review_reason_codes == [NOT_AS_SHOWN]


def test_an_essay_with_a_covered_line_waits_for_a_person(tmp_path: Path) -> None:
    first = essay()[0]

    def change(page: pymupdf.Page) -> None:
        page.draw_rect((30, first[1] - 7, 590, first[1] + 7), fill=(1, 1, 1), color=None)

    record = record_of(typed(change), tmp_path)
    assert record.needs_review and NOT_AS_SHOWN in record.review_reason_codes
    assert record.essay_text and len(record.essay_text.splitlines()) == len(essay()) - 1


def test_an_office_may_paint_over_what_its_form_prints(tmp_path: Path) -> None:
    def change(page: pymupdf.Page) -> None:
        page.draw_rect((525, 72, 600, 100), fill=(1, 1, 1), color=None)

    record = record_of(typed(change), tmp_path)
    assert NOT_AS_SHOWN not in record.review_reason_codes


def test_type_in_false_bold_is_read_once(tmp_path: Path) -> None:
    def change(page: pymupdf.Page) -> None:
        for text in [*HEADER, *essay()]:
            type_text(page, text, right=0.3)

    doubled, once = (
        record_of(typed(draw), tmp_path / name) for name, draw in (("a", change), ("b", lambda page: None))
    )
    assert (doubled.student_name, doubled.grade) == ("Marisol Vega", "4")
    assert doubled.essay_text == once.essay_text and not doubled.needs_review


def test_text_under_a_picture_of_the_page_is_not_believed(tmp_path: Path) -> None:
    """The page is recognised; what lies under the picture has errors."""
    with pymupdf.open("pdf", typed(lambda page: None)) as document:
        shown = document[0].get_pixmap(dpi=150)

    def change(page: pymupdf.Page) -> None:
        page.insert_image(page.rect, pixmap=shown)

    wrong: list[Set] = [(203, 116, "Marlsol Vcga"), *HEADER[1:]]
    record = record_of(typed(change, wrong), tmp_path)
    assert record.student_name == "Marisol Vega"
    assert record.readings["student_name"].source == "ocr"


def filled(changes: dict[str, str], **values: str) -> bytes:
    """A form whose fields draw these values, and of which the file says something else."""
    with pymupdf.open("pdf", acroform({**COMPLETE, **values})) as document:
        for widget in document[0].widgets():
            if widget.field_name in changes:
                document.xref_set_key(widget.xref, "V", changes[widget.field_name])
        return bytes(document.tobytes())


def test_fields_that_draw_their_values_pass(tmp_path: Path) -> None:
    record = record_of(filled({}), tmp_path)
    assert record.student_name == "Marisol Quintero" and not record.needs_review


def test_a_field_that_draws_another_text_waits_for_a_person(tmp_path: Path) -> None:
    record = record_of(filled({"Grade": "(8)"}), tmp_path)
    assert record.grade == "4" and record.needs_review
    assert {NOT_AS_SHOWN, "CONTENT_MISMATCH"} <= set(record.review_reason_codes)
    assert record.readings["grade"].disagrees_with == "8"


def test_an_essay_that_the_page_does_not_show_waits_for_a_person(tmp_path: Path) -> None:
    record = record_of(filled({"Essay": "(My other father reads to me.)"}), tmp_path)
    assert record.needs_review and NOT_AS_SHOWN in record.review_reason_codes
    assert record.essay_text and record.essay_text.startswith("My father gets up before the sun")


def test_what_is_drawn_and_can_be_no_value_is_beside_what_can(tmp_path: Path) -> None:
    record = record_of(filled({"Student's Name": "(Miriam Stone)"}, **{"Student's Name": "x"}), tmp_path)
    assert record.student_name == "Miriam Stone" and record.needs_review
    assert record.readings["student_name"].disagrees_with == "x"


def test_prompts_are_no_values(tmp_path: Path) -> None:
    prompts = {
        "Student's Name": "Type the student's full name",
        "School": "Type school name",
        "Grade": "Type grade",
    }
    record = record_of(filled({}, **prompts), tmp_path)
    assert (record.student_name, record.school_name, record.grade) == (None, None, None)
    assert record.essay_text and NOT_AS_SHOWN not in record.review_reason_codes


def test_prompts_that_were_printed_are_no_values(tmp_path: Path) -> None:
    prompts: list[Set] = [
        (203, 116, "Type student's name"),
        (498, 116, "Type grade"),
        (499, 135, "School name here", 8),
    ]
    record = record_of(typed(lambda page: None, prompts), tmp_path)
    assert (record.student_name, record.grade) == (None, None) and record.needs_review


@pytest.mark.parametrize("flags", ["2", "32"])
def test_hidden_fields_are_no_values(flags: str, tmp_path: Path) -> None:
    with pymupdf.open("pdf", acroform(COMPLETE)) as document:
        field = next(widget for widget in document[0].widgets() if widget.field_name == "Student's Name")
        document.xref_set_key(field.xref, "F", flags)
        record = record_of(bytes(document.tobytes()), tmp_path)
    assert record.student_name is None
    assert "MISSING_STUDENT_NAME" in record.review_reason_codes
