"""Scans of pages that are set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from core.confined.mupdf import pymupdf
from tests.support.reading.paper import Set

CIRCLES = [(432, 168), (432, 183), (432, 198), (432, 213)]


def drawn(texts: Sequence[Set], ticked: int | None = None) -> bytes:
    """A scan: the texts and the form's circles as a picture, without a text layer."""
    with pymupdf.open() as sheet:
        page = sheet.new_page(width=612, height=792)
        for text in texts:
            size = text[3] if len(text) == 4 else 10.0
            page.insert_text((text[0], text[1] + size * 0.35), text[2], fontsize=size, fontname="helv")
        for number, centre in enumerate(CIRCLES):
            page.draw_circle(centre, 5.5, color=(0, 0, 0), fill=(0, 0, 0) if number == ticked else None)
        picture = page.get_pixmap(dpi=150)
    with pymupdf.open() as scan:
        scan.new_page(width=612, height=792).insert_image((0, 0, 612, 792), pixmap=picture)
        return bytes(scan.tobytes())
