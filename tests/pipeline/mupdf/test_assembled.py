from __future__ import annotations

import pytest

from core.confined.mupdf import pymupdf
from core.errors import DamagedDocumentError, EmptyDocumentError
from pipeline.mupdf.assembly import Leaf, assemble, join_pdfs
from tests.support.reading.documents import essay_pdf
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.reading.stacks import stack_pdf


def test_pages_in_the_order_wanted_and_turned() -> None:
    pdf = assemble([stack_pdf("A", 2), stack_pdf("B", 1)], [Leaf(1, 1, 0), Leaf(0, 2, 270), Leaf(0, 1, 0)])
    with pymupdf.open("pdf", pdf) as document:
        marks = [page.get_text().split("means to me ")[1].split()[0] for page in document]
        assert (marks, [page.rotation for page in document]) == (["B1", "A2", "A1"], [0, 270, 0])


def test_a_turned_page_is_turned_further() -> None:
    once = assemble([stack_pdf("A", 1)], [Leaf(0, 1, 270)])
    with pymupdf.open("pdf", assemble([once], [Leaf(0, 1, 180)])) as document:
        assert document[0].rotation == 90


def test_fields_of_one_name_keep_their_values() -> None:
    parts = [acroform(COMPLETE), acroform({**COMPLETE, "Grade": "7"})]
    with pymupdf.open("pdf", assemble(parts, [Leaf(1, 1, 0), Leaf(0, 1, 90)])) as document:
        grades = [
            [widget.field_value for widget in page.widgets() if widget.field_name.startswith("Grade")]
            for page in document
        ]
    assert grades == [["7"], ["4"]]


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(DamagedDocumentError):
        assemble([stack_pdf("A", 1)], [Leaf(0, 2, 0)])


def test_several_files_join_to_one_in_order() -> None:
    first, second = essay_pdf(pages=2), essay_pdf(pages=1)
    with pymupdf.open("pdf", join_pdfs([first, second])) as joined:
        assert joined.page_count == 3
        assert "Marisol" in joined[2].get_text()


def test_fields_survive_joining() -> None:
    with pymupdf.open() as form:
        page = form.new_page()
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type = "Grade", pymupdf.PDF_WIDGET_TYPE_TEXT
        widget.rect, widget.field_value = pymupdf.Rect(100, 100, 200, 120), "4"
        page.add_widget(widget)
        data = form.tobytes()
    with pymupdf.open("pdf", join_pdfs([essay_pdf(), data])) as joined:
        assert [(w.field_name, w.field_value) for w in joined[1].widgets()] == [("Grade", "4")]


def test_one_file_is_joined_to_itself() -> None:
    data = essay_pdf()
    assert join_pdfs([data]) is data
    with pytest.raises(EmptyDocumentError):
        join_pdfs([])


def test_fields_that_their_document_does_not_list_are_kept() -> None:
    with pymupdf.open("pdf", acroform(COMPLETE)) as document:
        document.xref_set_key(document.pdf_catalog(), "AcroForm", "null")
        unlisted = bytes(document.tobytes())
    with pymupdf.open("pdf", join_pdfs([essay_pdf(), unlisted])) as joined:
        page = joined[1]
        assert {w.field_name: w.field_value for w in page.widgets()}["Student's Name"] == "Marisol Quintero"
