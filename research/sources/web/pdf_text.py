"""Extract the paragraphs of a PDF with their page numbers."""

from __future__ import annotations

from core.confined.children import confined
from core.errors import DocumentError
from core.mupdf import pymupdf
from research.sources.base import NoTextError
from research.sources.passages import Paragraph

_MOST_PAGES = 500


def read_pdf(data: bytes) -> tuple[list[Paragraph], str | None]:
    """Return a PDF's paragraphs and title; pages without a text layer give none. Raises NoTextError."""
    try:
        return _read(data)
    except DocumentError as exc:
        raise NoTextError(f"a PDF that cannot be read: {exc.code}") from exc


@confined
def _read(data: bytes) -> tuple[list[Paragraph], str | None]:
    # Faults of a PDF are reported by NoTextError, not on standard error.
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
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
    """Join a block's lines, which are broken by the width of its column."""
    return " ".join(line.strip() for line in block.splitlines())
