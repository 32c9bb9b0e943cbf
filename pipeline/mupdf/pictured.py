"""PDFs whose pages are pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
def with_pages_pictured(pdf: bytes, pictures: Mapping[int, bytes]) -> bytes:
    """Return a PDF with the pages of these numbers (from 1) replaced by their pictures, in the same size.

    Raises DamagedDocumentError, EncryptedDocumentError, TooCostlyError.
    """
    with open_document(pdf) as document, pymupdf.open() as made:
        made.insert_pdf(document)
        for number, picture in pictures.items():
            rect = load_page(document, number).rect
            page = made.new_page(pno=number - 1, width=rect.width, height=rect.height)
            page.insert_image(page.rect, stream=picture)
            made.delete_page(number)
        return bytes(made.tobytes(deflate_images=True))
