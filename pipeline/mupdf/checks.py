"""Checks of a PDF before it is read: it has pages, they can be drawn, nothing is lost."""

from __future__ import annotations

from core.config import FileBounds
from core.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    PictureTooLargeError,
    TooManyPagesError,
)
from core.mupdf import pymupdf
from pipeline.mupdf.library import Data, load_page, own_errors
from pipeline.mupdf.losses import check_losses
from pipeline.mupdf.streams import check_streams

#: Longer than this many times its width, a page drawn small has no pixels.
_LONGEST = 400


def check_document(document: pymupdf.Document, data: Data, bounds: FileBounds) -> None:
    """Check an open PDF, whose bytes are `data`.

    Raises DamagedDocumentError, EmptyDocumentError, TooManyPagesError, PictureTooLargeError, UnpacksTooLargeError.
    A file that MuPDF had to repair passes unless an object that its pages refer to is lost.
    """
    with own_errors("its structure cannot be walked"):
        _check_pages(document, data, bounds)
        check_losses(document, data)


def _check_pages(document: pymupdf.Document, data: Data, bounds: FileBounds) -> None:
    count = document.page_count
    if count > bounds.max_pages:
        raise TooManyPagesError(f"{count} pages")
    if count == 0:
        # A truncated file without a page tree has no pages either.
        raise DamagedDocumentError("no pages are left") if document.is_repaired else EmptyDocumentError
    check_streams(document, data, bounds.max_unpacked_bytes)
    for number in range(1, count + 1):
        _check_page(load_page(document, number), bounds)


def _check_page(page: pymupdf.Page, bounds: FileBounds) -> None:
    width, height = page.rect.width, page.rect.height
    if width < 1 or height < 1 or max(width, height) > _LONGEST * min(width, height):
        raise DamagedDocumentError("a page without a size, or like a thread")
    if width * height > bounds.max_image_pixels:
        raise PictureTooLargeError(f"a page of {width:.0f} x {height:.0f} points")
    for image in page.get_images(full=True):
        if image[2] * image[3] > bounds.max_image_pixels:
            raise PictureTooLargeError(f"{image[2]} x {image[3]} pixels")
