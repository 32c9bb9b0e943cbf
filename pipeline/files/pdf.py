"""Open PDFs with MuPDF: silent, and with errors of our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf

from core.errors import DamagedDocumentError, EmptyDocumentError, EncryptedDocumentError

# MuPDF prints what it stumbles over to stderr, text of the document included.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

#: What MuPDF's binding raises for input that it cannot make sense of.
MUPDF_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase)


@contextmanager
def open_pdf(data: bytes) -> Iterator[pymupdf.Document]:
    """Yield the document behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for what is no PDF any more and
    EncryptedDocumentError where reading wants a password.
    """
    if not data:
        raise EmptyDocumentError("no bytes")
    try:
        document = pymupdf.open("pdf", data)
    except MUPDF_ERRORS as exc:
        raise DamagedDocumentError("MuPDF cannot open it") from exc
    try:
        with document:
            if document.needs_pass:
                raise EncryptedDocumentError
            yield document
    finally:
        # MuPDF keeps up to 256 MB of fonts and pictures, those of closed documents among them.
        pymupdf.TOOLS.store_shrink(100)


def load_page(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Page `number`, from 1. Raises DamagedDocumentError where it is missing or cannot be loaded."""
    if not 1 <= number <= document.page_count:
        raise DamagedDocumentError(f"there is no page {number}")
    try:
        return document.load_page(number - 1)
    except MUPDF_ERRORS as exc:
        raise DamagedDocumentError(f"page {number} cannot be loaded") from exc
