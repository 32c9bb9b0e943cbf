"""Read a PDF, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np

from core.errors import DamagedDocumentError
from core.mupdf import pymupdf
from pipeline.mupdf.display_list import DisplayList
from pipeline.mupdf.fields import take_fields
from pipeline.mupdf.library import MUPDF_ERRORS, load_page, open_document, unmanaged_colours
from pipeline.mupdf.plain import Colours, Facts, Field, PageParts, PageShape, Rect, SmallPicture
from pipeline.mupdf.text import read_text


@contextmanager
def open_pdf(data: bytes) -> Iterator[PdfFile]:
    """Yield the file behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for a broken PDF and EncryptedDocumentError
    where a password is required.
    """
    with open_document(data) as document:
        yield PdfFile(document)


class PdfFile:
    """An open PDF, whose pages count from 1.

    What is asked of a page raises DamagedDocumentError where the page is missing or cannot be read.
    """

    def __init__(self, document: pymupdf.Document) -> None:
        self._document = document
        #: The page of which the parts were asked for last.
        self._taken: _TakenPage | None = None

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
            return bool(load_page(self._document, number).get_text().strip())

    def shape(self, number: int) -> PageShape:
        """Size and rotation of a page."""
        taken = self._taken
        return _shape(taken.page if taken and taken.number == number else load_page(self._document, number))

    def parts(self, number: int) -> PageParts:
        """The text, fields and paint of a page. Its filled fields are drawn no longer, but in `small`."""
        with _own_errors(number):
            self._taken = taken = _TakenPage(load_page(self._document, number), number)
            lines, blank = read_text(taken.drawing)
            return PageParts(_shape(taken.page), taken.fields, lines, blank, taken.drawing.paint())

    def small(self, number: int, longest: int) -> SmallPicture:
        """A page as it is displayed, fields included, so many pixels long or wide; in grey."""
        with _own_errors(number):
            taken = self._taken
            if taken is None or taken.number != number:
                taken = _TakenPage(load_page(self._document, number), number)
            shape = _shape(taken.page)
            grey = taken.drawing_with_fields.grey(longest / max(shape.width, shape.height))
            placed = [rect for kind, rect in taken.page.get_bboxlog() if kind in ("fill-image", "fill-imgmask")]
            return SmallPicture(shape, grey, placed)

    def draw(
        self, number: int, scale: float, clip: Rect | None = None, *, managed_colours: bool = True
    ) -> Colours:
        """A page as it is displayed, `scale` pixels a point, or the part of it in `clip` (of the displayed page).

        Without managed colours, ICC profiles are ignored, which is faster.
        """
        taken = self._taken
        page = taken.page if taken and taken.number == number else load_page(self._document, number)
        with nullcontext() if managed_colours else unmanaged_colours():
            try:
                pixels = page.get_pixmap(
                    matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=pymupdf.Rect(clip) if clip else None
                )
            except MUPDF_ERRORS as exc:
                raise DamagedDocumentError("a page cannot be drawn") from exc
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


class _TakenPage:
    """A page whose filled fields are hidden, with its drawing commands before and after."""

    def __init__(self, page: pymupdf.Page, number: int) -> None:
        self.number = number
        self.drawing_with_fields = self.drawing = DisplayList(page)
        self.fields: list[Field]
        self.fields, self.page = take_fields(page)
        if self.fields:
            self.drawing = DisplayList(self.page)


def _shape(page: pymupdf.Page) -> PageShape:
    rect = page.rect
    return PageShape(tuple(page.rotation_matrix), rect.width, rect.height)


@contextmanager
def _own_errors(number: int) -> Iterator[None]:
    try:
        yield
    except MUPDF_ERRORS as exc:
        raise DamagedDocumentError(f"page {number} cannot be read") from exc
