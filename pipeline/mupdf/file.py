"""Read a PDF, page by page. It is parsed and drawn in a child process, see `core.confined`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pickle import PickleBuffer
from typing import Any, TypeVar

import numpy as np

from core.config import FileBounds
from core.confined.children import Child, one_child
from core.confined.serve import is_child
from core.errors import DamagedDocumentError, EmptyDocumentError, TooCostlyError, TooManyPagesError
from pipeline.mupdf.opened import OpenedPdf, ask_held, let_go, open_held, put_away
from pipeline.mupdf.page_data import Beside, Colours, FileFacts, Grey, PageParts, PageShape, Rect, SmallPicture

_T = TypeVar("_T")
#: The module that a child needs.
PARSER = OpenedPdf.__module__
#: Larger files (bytes) are closed after reading, so that an idle child is small.
_SMALL = 16 << 20


@contextmanager
def open_pdf(data: bytes) -> Iterator[PdfFile]:
    """Yield the file behind `data`.

    Raises EmptyDocumentError for no bytes, DamagedDocumentError for a broken PDF, EncryptedDocumentError where a
    password is required, and TooCostlyError if a limit of the child is exceeded.
    """
    if is_child():
        with closing(OpenedPdf(data)) as opened:
            yield PdfFile(lambda method, *arguments: getattr(opened, method)(*arguments), opened.page_count())
        return
    with one_child(PARSER, held=data) as child:
        known = child.holds is data
        if not known:
            _forget_large(child)
        # The child has the new bytes even if they cannot be opened.
        child.holds = None
        count = child.call(open_held, None if known else PickleBuffer(data))
        if _of_kind(int, count) < 0:
            raise _no_answer("its pages")
        child.holds = data
        try:
            yield PdfFile(lambda method, *arguments: child.call(ask_held, method, arguments), count)
        finally:
            # The same bytes are often opened again next, so small files stay open.
            if len(data) > _SMALL and not child.ended:
                # With no time left, what was read is still good.
                with suppress(TooCostlyError):
                    child.call(put_away)


def forget_large_file() -> None:
    """Release a large file that was read before, which would stay in memory with the next one."""
    if not is_child():
        with one_child(PARSER) as child:
            _forget_large(child)


def _forget_large(child: Child) -> None:
    if isinstance(child.holds, bytes) and len(child.holds) > _SMALL:
        child.holds = None
        child.call(let_go)


def check_pdf(data: bytes, bounds: FileBounds) -> int:
    """Return the number of pages of a PDF that can be read.

    Raises EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError, UnpacksTooLargeError, TooCostlyError. A file that MuPDF had to repair passes unless an
    object that its pages refer to is lost.
    """
    with open_pdf(data) as file:
        file.check(bounds)
        return file.page_count


def _no_answer(of: str) -> DamagedDocumentError:
    """The error of an answer that no child gives unless a PDF has taken it over."""
    return DamagedDocumentError(f"the parser answered something else: {of}")


class PdfFile:
    """An open PDF, whose pages count from 1.

    Methods for a page raise DamagedDocumentError if the page is missing or cannot be read, and TooCostlyError if
    it takes more memory or time than the child has.
    """

    def __init__(self, ask: Callable[..., Any], page_count: int) -> None:
        self._ask = ask
        self.page_count = page_count

    def check(self, bounds: FileBounds) -> None:
        """Raise what `check_pdf` raises."""
        self._ask("check", bounds)
        self.count_within(bounds)

    def count_within(self, bounds: FileBounds) -> int:
        """Return the number of pages, checked here as well. Raises EmptyDocumentError, TooManyPagesError."""
        if self.page_count == 0:
            raise EmptyDocumentError
        if self.page_count > bounds.max_pages:
            raise TooManyPagesError(f"{self.page_count} pages")
        return self.page_count

    def is_repaired(self) -> bool:
        """Whether its table of objects was wrong, so that MuPDF searched for the objects."""
        return bool(self._ask("is_repaired"))

    def beside(self, bounds: FileBounds) -> Beside:
        """What the file holds besides its pages, and the pages with several sheets. `bounds` as in `check_pdf`."""
        beside = _of_kind(Beside, self._ask("beside", bounds))
        if not all(1 <= number <= self.page_count for number in (*beside.sheets, *beside.pictured)):
            raise _no_answer("the numbers of pages")
        return beside

    def facts(self) -> FileFacts:
        return _of_kind(FileFacts, self._ask("facts"))

    def has_text(self, number: int) -> bool:
        """Whether the text layer of a page is more than spaces."""
        return bool(self._ask("has_text", number))

    def shape(self, number: int) -> PageShape:
        return _sized(self._ask("shape", number))

    def parts(self, number: int) -> PageParts:
        """The text, fields and paint of a page. Afterwards only `small` draws its filled fields.

        Raises TooCostlyError also if a page has more letters or fields than any real document.
        """
        parts = _of_kind(PageParts, self._ask("parts", number))
        _sized(parts.shape)
        return parts

    def small(self, number: int, longest: int) -> SmallPicture:
        """A page as displayed, with fields, in grey; its longer side has `longest` pixels."""
        picture = _of_kind(SmallPicture, self._ask("small", number, longest))
        _sized(picture.shape)
        _pixels(picture.grey, 2)
        return picture

    def pen(self, number: int, scale: float) -> Grey:
        """Only the pen strokes of a page, black on white; otherwise as `draw`."""
        return _pixels(self._ask("pen", number, scale), 2)

    def draw(
        self, number: int, scale: float, clip: Rect | None = None, *, managed_colours: bool = True
    ) -> Colours:
        """A page as displayed, at `scale` pixels per point, or its part in `clip` (of the displayed page).

        Without managed colours, ICC profiles are ignored, which is faster.
        """
        return _pixels(self._ask("draw", number, scale, clip, managed_colours), 3)

    def spot(self, number: int, scale: float, clip: Rect) -> Colours:
        """A part of a page as displayed, with fields, at `scale` pixels per point."""
        return _pixels(self._ask("spot", number, scale, clip), 3)


def _of_kind(kind: type[_T], answer: object) -> _T:
    """Return the answer if it has this type. Raises DamagedDocumentError."""
    if type(answer) is not kind:
        raise _no_answer(type(answer).__name__)
    return answer


def _sized(answer: object) -> PageShape:
    """Return a shape with usable numbers. Raises DamagedDocumentError."""
    shape = _of_kind(PageShape, answer)
    numbers = (*_of_kind(tuple, shape.matrix), shape.width, shape.height)
    if set(map(type, numbers)) - {int, float} or not all(map(math.isfinite, numbers)) or min(shape[1:]) < 0:
        raise _no_answer("the size of a page")
    return shape


def _pixels(answer: object, dimensions: int) -> Colours:
    """Return a picture with one byte per pixel and colour. Raises DamagedDocumentError."""
    picture: Colours = _of_kind(np.ndarray, answer)
    if picture.dtype != np.uint8 or picture.ndim != dimensions:
        raise _no_answer("a picture")
    return picture
