"""Marks on pages of the PDFs that this program makes of several files.

A mark is the private data of a page-piece dictionary (PDF 32000-1, 14.5), which no reader displays.
"""

from __future__ import annotations

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Mark

_WHERE = "PieceInfo/SecondReader/Private"


def mark_of(page: pymupdf.Page) -> str:
    """Return the value of a page's mark, "" where it has none."""
    kind, value = page.parent.xref_get_key(page.xref, _WHERE)
    return str(value).removeprefix("/") if kind == "name" else ""


def set_mark(page: pymupdf.Page, mark: Mark) -> None:
    """Mark a page."""
    piece = f"<</SecondReader<</LastModified(D:20000101000000Z)/Private/{mark.value}>>>>"
    page.parent.xref_set_key(page.xref, "PieceInfo", piece)
