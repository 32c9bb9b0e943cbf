"""The paragraphs of a PDF, with the pages that they stand on."""

from __future__ import annotations

import threading

import pymupdf

from research.sources.base import NoTextError
from research.sources.passages import Paragraph

_MOST_PAGES = 500
#: MuPDF serves one thread of a process at a time; researchers work in several.
_ALONE = threading.Lock()


def read_pdf(data: bytes) -> tuple[list[Paragraph], str | None]:
    """Its paragraphs and its title; pages without text layer have none. Raises NoTextError."""
    try:
        with _ALONE:
            # What is wrong with a page of the web is told by our error, not on this process's standard error.
            pymupdf.TOOLS.mupdf_display_errors(False)
            pymupdf.TOOLS.mupdf_display_warnings(False)
            with pymupdf.open(stream=data, filetype="pdf") as document:
                return _paragraphs(document), (document.metadata or {}).get("title")
    except (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase) as exc:
        raise NoTextError(f"a PDF that cannot be read: {type(exc).__name__}") from exc


def _paragraphs(document: pymupdf.Document) -> list[Paragraph]:
    if document.needs_pass:
        raise NoTextError("a PDF with a password")
    flags = (pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_DEHYPHENATE) & ~pymupdf.TEXT_PRESERVE_LIGATURES
    return [
        (_unwrapped(block[4]), number)
        for number, page in enumerate(document.pages(0, min(document.page_count, _MOST_PAGES)), 1)
        for block in page.get_text("blocks", flags=flags)
        if block[6] == 0
    ]


def _unwrapped(block: str) -> str:
    """A block's lines are cut by the width of its column, not by what it says."""
    return " ".join(line.strip() for line in block.splitlines())
