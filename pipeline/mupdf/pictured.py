"""PDFs whose pages are pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from core.confined.children import confined
from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page, open_document


class Sheet(NamedTuple):
    """A page that is one picture."""

    #: The picture in a format that a PDF can embed: PNG, JPEG.
    picture: bytes
    #: Of the page, in points.
    width: float
    height: float


def pdf_of_sheets(sheets: Iterable[Sheet]) -> bytes:
    """Return a PDF of these pages. They may come one by one, so that one picture at a time is in memory."""
    with pymupdf.open() as document:
        for sheet in sheets:
            page = document.new_page(width=sheet.width, height=sheet.height)
            page.insert_image(page.rect, stream=sheet.picture)
        # What is not a JPEG would lie in it uncompressed: 11 MB for a page at 200 dpi.
        return bytes(document.tobytes(deflate_images=True))


@confined
def with_pages_pictured(pdf: bytes, numbers: Collection[int], pictures: Mapping[int, bytes]) -> bytes:
    """Return a PDF with some of the pages replaced by their pictures, in the same size.

    Pages keep their numbers (from 1), but of a long file only those from the first to the last of `numbers` are
    taken: empty ones stand before them. Raises DamagedDocumentError, EncryptedDocumentError, TooCostlyError.
    """
    with open_document(pdf) as document, pymupdf.open() as made:
        for _ in range(min(numbers) - 1):
            made.new_page()
        made.insert_pdf(document, from_page=min(numbers) - 1, to_page=max(numbers) - 1)
        for number, picture in pictures.items():
            rect = load_page(document, number).rect
            page = made.new_page(pno=number - 1, width=rect.width, height=rect.height)
            page.insert_image(page.rect, stream=picture)
            made.delete_page(number)
        return bytes(made.tobytes(deflate_images=True))
