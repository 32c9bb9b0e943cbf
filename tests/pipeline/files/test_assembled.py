from __future__ import annotations

import pymupdf
import pytest

from core.errors import DamagedDocumentError
from pipeline.files.assembled import Leaf, assemble
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
