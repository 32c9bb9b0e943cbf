"""Checks of a PDF before it is read: it has pages, they can be drawn, nothing is lost."""

from __future__ import annotations

from core.config import Settings
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    PictureTooLargeError,
    TooManyPagesError,
)
from core.mupdf import pymupdf
from pipeline.mupdf.library import MUPDF_ERRORS, load_page, open_document
from pipeline.mupdf.losses import check_losses
from pipeline.mupdf.streams import check_streams


def check_pdf(data: bytes, settings: Settings) -> int:
    """Return the number of pages.

    Raises EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError, UnpacksTooLargeError. A file that MuPDF had to repair passes unless an
    object that its pages refer to is lost.
    """
    with open_document(data) as document:
        try:
            _check_document(document, data, settings)
            check_losses(document, data)
            return int(document.page_count)
        except MUPDF_ERRORS as exc:
            raise DamagedDocumentError("its structure cannot be walked") from exc


def _check_document(document: pymupdf.Document, data: bytes, settings: Settings) -> None:
    count = document.page_count
    if count > settings.max_pages:
        raise TooManyPagesError(f"{count} pages")
    if count == 0:
        # A truncated file without a page tree has no pages either.
        raise DamagedDocumentError("no pages are left") if document.is_repaired else EmptyDocumentError
    check_streams(document, data, settings.max_unpacked_bytes)
    for number in range(1, count + 1):
        _check_page(load_page(document, number), settings)


def _check_page(page: pymupdf.Page, settings: Settings) -> None:
    width, height = page.rect.width, page.rect.height
    if width < 1 or height < 1:
        raise DamagedDocumentError("a page without a size")
    if width * height > settings.max_image_pixels:
        raise PictureTooLargeError(f"a page of {width:.0f} x {height:.0f} points")
    for image in page.get_images(full=True):
        if image[2] * image[3] > settings.max_image_pixels:
            raise PictureTooLargeError(f"{image[2]} x {image[3]} pixels")
