"""Make pages of a PDF blank, so that nothing of them is left in its bytes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.confined.children import confined
from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page, open_document, own_errors


@confined
def blank_pages(data: bytes, numbers: Collection[int]) -> bytes:
    """Return the PDF with empty pages of the same displayed size at these numbers, from 1.

    The other pages are copied into a new file, so that what belongs to the whole file is left behind: earlier
    revisions, metadata, attachments, outlines, scripts and the data of forms. Raises what `open_document` raises,
    and DamagedDocumentError for a missing page.
    """
    with open_document(data) as document, pymupdf.open() as made, own_errors("pages cannot be made blank"):
        blank = sorted(set(numbers))
        sizes = [load_page(document, number).rect for number in blank]
        _copy_others(made, document, blank)
        for number, size in zip(blank, sizes, strict=True):
            made.new_page(pno=number - 1, width=size.width, height=size.height)
        return bytes(made.tobytes(garbage=4, deflate=True))


@confined
def only_pages(data: bytes, numbers: Collection[int]) -> bytes:
    """Return a PDF of these pages, from 1, with nothing of the others in its bytes.

    Raises what `blank_pages` raises.
    """
    with open_document(data) as document, pymupdf.open() as made, own_errors("pages cannot be taken out"):
        for number in numbers:
            load_page(document, number)
        _copy_others(made, document, sorted(set(range(1, document.page_count + 1)) - set(numbers)))
        return bytes(made.tobytes(garbage=4, deflate=True))


def _copy_others(made: pymupdf.Document, document: pymupdf.Document, gone: Sequence[int]) -> None:
    """Copy all pages but these into an empty file; the source is changed."""
    shared = _named(document, gone)
    kept = [number for number in range(1, document.page_count + 1) if number not in gone]
    for number in kept:
        if shared & _named(document, [number]):
            # Scanners give all pages one dictionary of pictures: keep those that the page shows.
            load_page(document, number).clean_contents(sanitize=True)
    if kept:
        if gone:
            document.delete_pages([number - 1 for number in gone])
        # Saved and at once: of a source that was changed, or is copied page by page, fields are not copied.
        with open_document(document.tobytes(garbage=3)) as rest:
            made.insert_pdf(rest)


def _named(document: pymupdf.Document, numbers: Collection[int]) -> set[int]:
    """Return the objects that these pages name: pictures and forms."""
    return {
        entry[0]
        for number in numbers
        for entry in (*document.get_page_images(number - 1, full=True), *document.get_page_xobjects(number - 1))
    }
