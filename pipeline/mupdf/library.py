"""PyMuPDF as this package uses it: silent, and with errors of our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from core.errors import DamagedDocumentError, EmptyDocumentError, EncryptedDocumentError
from core.mupdf import pymupdf

# MuPDF prints warnings to stderr, including text of the document.
pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

#: The bytes of a file; of a large one a view.
Data: TypeAlias = bytes | memoryview
#: Exceptions of MuPDF's binding for invalid input.
_MUPDF_ERRORS = (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase)


@contextmanager
def own_errors(detail: str) -> Iterator[None]:
    """Raise MuPDF's errors as our own: DamagedDocumentError, and MemoryError where it got no memory."""
    try:
        yield
    except pymupdf.mupdf.FzErrorSystem as exc:
        # What a parser of bytes in memory asks of the system is memory.
        raise MemoryError(str(exc)) from exc
    except _MUPDF_ERRORS as exc:
        raise DamagedDocumentError(detail) from exc


@contextmanager
def open_document(data: Data) -> Iterator[pymupdf.Document]:
    """Yield the document behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for a broken PDF and EncryptedDocumentError
    where a password is required.
    """
    if not data:
        raise EmptyDocumentError("no bytes")
    with own_errors("MuPDF cannot open it"):
        document = pymupdf.open("pdf", data)
    try:
        with document:
            if document.needs_pass:
                raise EncryptedDocumentError
            yield document
    finally:
        # MuPDF caches up to 256 MB of fonts and pictures, including those of closed documents.
        pymupdf.TOOLS.store_shrink(100)


def load_page(document: pymupdf.Document, number: int) -> pymupdf.Page:
    """Return page `number`, from 1. Raises DamagedDocumentError if it is missing or cannot be loaded."""
    if not 1 <= number <= document.page_count:
        raise DamagedDocumentError(f"there is no page {number}")
    with own_errors(f"page {number} cannot be loaded"):
        return document.load_page(number - 1)


@contextmanager
def unmanaged_colours() -> Iterator[None]:
    """Have MuPDF convert colours without their ICC profiles, where it matters how dark something is at most.

    Setting the profiles up, anew for each document, takes longer than reading a page.
    """
    pymupdf.TOOLS.set_icc(False)
    try:
        yield
    finally:
        pymupdf.TOOLS.set_icc(True)
