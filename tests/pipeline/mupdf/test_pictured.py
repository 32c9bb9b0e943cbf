"""Pages that are pictures, made of nothing or put in the place of others."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from core.confined.mupdf import pymupdf
from core.errors import DamagedDocumentError
from pipeline.mupdf.assembly import with_pages_pictured
from pipeline.mupdf.file import open_pdf


def numbered(pages: int) -> bytes:
    """A PDF whose pages say their numbers, each a point wider than the one before."""
    with pymupdf.open() as document:
        for number in range(1, pages + 1):
            document.new_page(width=300 + number, height=400).insert_text((50, 50), f"page {number}")
        return bytes(document.tobytes())


def picture(grey: int) -> bytes:
    made = io.BytesIO()
    Image.new("L", (30, 40), grey).save(made, "PNG")
    return made.getvalue()


def test_a_picture_takes_the_place_of_its_page_and_the_others_of_the_entry_keep_theirs() -> None:
    whole = numbered(9)
    made = with_pages_pictured(whole, [4, 5, 6], {5: picture(90)})
    with open_pdf(made) as after:
        assert after.page_count == 6
        assert [after.has_text(number) for number in range(1, 7)] == [False, False, False, True, False, True]
        assert "page 6" in " ".join(word[4] for line in after.parts(6).lines for word in line.words)
        assert [after.shape(number).width for number in (4, 5, 6)] == [304, 305, 306]
        assert abs(int(after.draw(5, 1.0)[200, 150, 0]) - 90) <= 2


def test_of_a_long_file_the_other_pages_are_left_out() -> None:
    whole = numbered(400)
    assert len(with_pages_pictured(whole, [1], {1: picture(0)})) < len(whole) / 20


def test_a_page_that_is_missing() -> None:
    with pytest.raises(DamagedDocumentError):
        with_pages_pictured(numbered(2), [2], {3: picture(0)})
