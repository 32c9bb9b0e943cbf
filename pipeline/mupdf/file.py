"""Read a PDF, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np

from core.errors import DamagedDocumentError
from core.mupdf import pymupdf
from pipeline.mupdf.fields import take_fields
from pipeline.mupdf.library import MUPDF_ERRORS, load_page, open_document, unmanaged_colours
from pipeline.mupdf.pixels import grey_of
from pipeline.mupdf.plain import Colours, Facts, Grey, PageParts, PageShape, Rect, SmallPicture
from pipeline.mupdf.text import read_page


@contextmanager
def open_pdf(data: bytes) -> Iterator[PdfFile]:
    """Yield the file behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for a broken PDF and EncryptedDocumentError
    where a password is required.
    """
    with open_document(data) as document:
        yield PdfFile(document, data)


class PdfFile:
    """An open PDF, whose pages count from 1.

    What is asked of a page raises DamagedDocumentError where the page is missing or cannot be read.
    """

    def __init__(self, document: pymupdf.Document, data: bytes) -> None:
        self._document = document
        self._data = data
        #: Number of the page that was loaded last, and the page.
        self._loaded: tuple[int, pymupdf.Page] | None = None
        #: Numbers of the pages whose filled fields are hidden.
        self._bare: set[int] = set()

    @property
    def page_count(self) -> int:
        """How many pages."""
        return int(self._document.page_count)

    def facts(self) -> Facts:
        """What the file says about itself."""
        about = {key: str(value) for key, value in (self._document.metadata or {}).items() if value}
        return Facts(about, self._document.get_xml_metadata() or "")

    def has_text(self, number: int) -> bool:
        """Whether the text layer of a page is more than spaces."""
        with _own_errors(number):
            return bool(self._page(number).get_text().strip())

    def shape(self, number: int) -> PageShape:
        """Size and rotation of a page."""
        return _shape(self._page(number))

    def parts(self, number: int) -> PageParts:
        """The text, fields and paint of a page. Its filled fields are drawn no longer, but in `small`."""
        with _own_errors(number):
            # A page can be loaded anew only while nothing else holds it.
            self._loaded = None
            fields, page = take_fields(load_page(self._document, number))
            self._loaded = number, page
            if fields:
                self._bare.add(number)
            lines, blank, paint = read_page(page)
            return PageParts(_shape(page), fields, lines, blank, paint)

    def small(self, number: int, longest: int) -> SmallPicture:
        """A page as it is displayed, fields included, so many pixels long or wide; in grey."""
        with _own_errors(number):
            page = self._page(number)
            shape = _shape(page)
            placed = [rect for kind, rect in page.get_bboxlog() if kind in ("fill-image", "fill-imgmask")]
            return SmallPicture(shape, self._grey(number, longest / max(shape.width, shape.height)), placed)

    def _grey(self, number: int, scale: float) -> Grey:
        if number not in self._bare:
            return grey_of(self._page(number), scale)
        with open_document(self._data) as before:
            return grey_of(load_page(before, number), scale)

    def draw(
        self, number: int, scale: float, clip: Rect | None = None, *, managed_colours: bool = True
    ) -> Colours:
        """A page as it is displayed, `scale` pixels a point, or the part of it in `clip` (of the displayed page).

        Without managed colours, ICC profiles are ignored, which is faster.
        """
        page = self._page(number)
        with nullcontext() if managed_colours else unmanaged_colours():
            try:
                pixels = page.get_pixmap(
                    matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=pymupdf.Rect(clip) if clip else None
                )
            except MUPDF_ERRORS as exc:
                raise DamagedDocumentError("a page cannot be drawn") from exc
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)

    def _page(self, number: int) -> pymupdf.Page:
        if self._loaded is None or self._loaded[0] != number:
            self._loaded = number, load_page(self._document, number)
        return self._loaded[1]


def _shape(page: pymupdf.Page) -> PageShape:
    rect = page.rect
    return PageShape(tuple(page.rotation_matrix), rect.width, rect.height)


@contextmanager
def _own_errors(number: int) -> Iterator[None]:
    try:
        yield
    except MUPDF_ERRORS as exc:
        raise DamagedDocumentError(f"page {number} cannot be read") from exc
