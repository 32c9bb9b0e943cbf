"""Draw type in the plain sans serif that every PDF reader has, and set letters on pages."""

from __future__ import annotations

from collections.abc import Sequence

from core.confined.children import confined
from core.mupdf import pymupdf
from pipeline.mupdf.pixels import grey_of
from pipeline.mupdf.plain import Grey
from pipeline.mupdf.typeset import typeset

#: Helvetica, or a family of the same widths.
_FACE = "helv"
#: Pages that one letter may have.
_MOST_PAGES = 20


@confined
def letter_pages(letters: Sequence[str]) -> bytes:
    """Return HTML texts as one PDF, each from a new page on. Raises TooManyPagesError."""
    return typeset(letters, {}, _MOST_PAGES)


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
