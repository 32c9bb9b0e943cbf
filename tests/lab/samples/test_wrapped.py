"""Re-flowed headers in narrow cells: what is drawn is what the label says, and labels and values do wrap."""

from __future__ import annotations

import pytest

from core.confined.mupdf import pymupdf
from lab.samples.forms.cells import Cell, Piece, set_cell
from lab.samples.part import PARTS, Part
from lab.samples.sets.wrapped import draw_wrapped

pytestmark = pytest.mark.usefixtures("sample_fonts")


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_values_are_on_the_page_in_several_lines(part: Part) -> None:
    samples = [sample for _, sample in draw_wrapped(part, 7, 6)]
    wrapped = 0
    for sample in samples:
        (truth,) = sample.truths
        with pymupdf.open("pdf", sample.data) as document:
            lines = document[0].get_text()
        for field in ("student_name", "school_name", "father_figure_name"):
            if value := truth.values[field]:
                assert "".join(value.split()) in "".join(lines.split()) or _is_in_pieces(value, lines)
                wrapped += value not in lines
    assert wrapped > 3


def _is_in_pieces(value: str, lines: str) -> bool:
    """Whether every word is there: in no order of cells a value's lines are apart in the stream."""
    return all(part in lines for word in value.split() for part in word.split("-"))


def test_another_part_has_other_entries() -> None:
    drawn = [[sample.truths[0] for _, sample in draw_wrapped(part, 7, 3)] for part in PARTS.values()]
    first, second = ({truth.values["student_name"] for truth in truths} for truths in drawn)
    assert not first & second


def test_a_cell_breaks_at_spaces_and_hyphens_and_words_too_wide_between_letters() -> None:
    pieces = [Piece("Figura Paterna", "sans"), Piece("-", "sans"), Piece("Vega-Robles", "sans", "name")]
    strokes, _ = set_cell(Cell(30, 50, 10, 12), 100, [pieces])
    assert [stroke.text for stroke in strokes] == ["Figura", "Paterna", "-", "Vega-", "Robles"]
    wide, _ = set_cell(Cell(30, 40, 10, 12), 100, [[Piece("abcdefghijklmnop", "sans")]])
    assert len(wide) > 1 and "".join(stroke.text for stroke in wide) == "abcdefghijklmnop"
