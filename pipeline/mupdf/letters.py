"""Draw type in the plain sans serif that every PDF reader has."""

from __future__ import annotations

from core.mupdf import pymupdf
from pipeline.mupdf.pixels import grey_of
from pipeline.mupdf.plain import Grey

#: Helvetica, or a family of the same widths.
_FACE = "helv"


def width_of(text: str, size: float) -> float:
    """Return the width of a text in points."""
    return float(pymupdf.get_text_length(text, fontname=_FACE, fontsize=size))


def drawn_text(text: str, size: float, at: tuple[float, float], sheet: tuple[float, float], scale: float) -> Grey:
    """Return a text in black on a white sheet of this width and height, `scale` pixels a point.

    `at` is where its baseline begins, in points.
    """
    width, height = sheet
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        page.insert_text(at, text, fontname=_FACE, fontsize=size)
        return grey_of(page, scale)
