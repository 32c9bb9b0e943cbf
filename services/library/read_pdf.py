"""Read a PDF: its text in reading order, with OCR of scanned pages, and its metadata."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.config import Settings
from core.file_store import FileStore
from pipeline.mupdf.file import check_pdf, open_pdf
from pipeline.recognition.page_contents import each_page
from services.library.blocks import Block, DocumentText, Facts, seen
from services.library.columns import TextLine, lines_of
from services.library.facts import (
    address_of,
    authors_of,
    dated,
    doi_of,
    isbn_of,
    name_of,
    title_of,
    year_of,
)
from services.library.paragraphs import blocks_of

#: Callback with the number of pages done and the number of all pages.
Progress = Callable[[int, int], None]


def read_pdf(data: bytes, settings: Settings, store: FileStore, progress: Progress) -> DocumentText:
    """Return the text and metadata of a PDF. Raises DocumentError, RecognitionError."""
    count = check_pdf(data, settings.file_bounds)
    progress(0, count)
    pages: list[list[TextLine]] = []
    for page in each_page(data, settings, store):
        pages.append(lines_of(page))
        progress(len(pages), count)
    blocks = blocks_of(pages)
    return DocumentText(blocks, _facts(data, blocks), count)


def _facts(data: bytes, blocks: list[Block]) -> Facts:
    with open_pdf(data) as file:
        information, xmp = file.facts()
    about, xmp = {key: seen(value) for key, value in information.items()}, seen(xmp)
    begin = "\n".join(block.text for block in blocks if (block.page_no or 1) <= 2)
    return Facts(
        title=title_of(about.get("title")) or _title_on_page(blocks),
        authors=authors_of(about.get("author", "")),
        year=year_of(_of_xmp(xmp, "dc:date")) or dated(begin) or year_of(about.get("creationDate", "")[2:6]),
        publisher=name_of(_of_xmp(xmp, "dc:publisher")),
        url=address_of(_of_xmp(xmp, "dc:source")),
        doi=doi_of(_of_xmp(xmp, "dc:identifier") or "") or doi_of(begin),
        isbn=isbn_of(begin),
        is_sample="sample" in re.split(r"[,;\s]+", about.get("keywords", "")),
    )


def _of_xmp(xmp: str, name: str) -> str | None:
    """Return the text of the first XMP property of this name, None without one."""
    begin = re.search(rf"<{name}\b", xmp)
    if begin is None:
        return None
    _, _, behind = xmp[begin.end() :].partition(">")
    text, closing, _ = behind.partition(f"</{name}>")
    return re.sub(r"<[^<>]++>", " ", text).strip() or None if closing else None


def _title_on_page(blocks: list[Block]) -> str:
    """Return the highest-level heading of the first page, else its first block."""
    first = [block for block in blocks if block.page_no == 1]
    headings = sorted((block for block in first if block.level), key=lambda block: block.level or 9)
    found = headings[0].text if headings else first[0].text if first else ""
    return title_of(found if len(found) <= 200 else found[:197].rsplit(" ", 1)[0] + " …")
