"""The PDF that this child process has open: the parsing and drawing side of `pipeline.mupdf.file`."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from typing import Any

import numpy as np

from core.config import FileBounds
from core.confined.limits import return_freed_memory
from core.confined.mupdf import pymupdf
from core.error_codes import Cost
from core.errors import TooCostlyError
from pipeline.mupdf.embedded_files import beside_pages
from pipeline.mupdf.fields import drawn_texts, take_fields, take_notes
from pipeline.mupdf.fonts import FontLetters
from pipeline.mupdf.library import (
    Data,
    check_document,
    grey_of,
    load_page,
    mark_of,
    open_document,
    own_errors,
    unmanaged_colours,
)
from pipeline.mupdf.page_data import (
    Beside,
    Colours,
    FileFacts,
    Grey,
    PageParts,
    PageShape,
    Rect,
    SmallPicture,
    TextLine,
)
from pipeline.mupdf.pen import draw_pen, pen_boxes
from pipeline.mupdf.text import read_text_lines

#: Most letters, words and fields of a page. A sheet full of 6-point type has 20,000 letters in 3,000 words.
MOST_LETTERS, MOST_WORDS, MOST_FIELDS = 100_000, 6_000, 2_000
#: Most letters of a word. Some patterns take quadratic time in its length.
LONGEST_WORD = 1_000
#: MuPDF keeps loaded objects: after this many pages a document is reopened, at its next use or in between.
_FEW_LOADS, _MANY_LOADS = 8, 200
#: The flag by which a file asks for regenerated appearances (PDF 32000-1, 12.7.2).
_MADE_ANEW = "AcroForm/NeedAppearances"


class OpenedPdf:
    """An open PDF. The methods are those of `PdfFile`."""

    def __init__(self, data: Data) -> None:
        """Raises what `open_document` raises."""
        self._data = data
        self._parts = ExitStack()
        self._document = self._parts.enter_context(open_document(data))
        self._letters = FontLetters(self._document)
        #: Number of the page that was loaded last, and the page.
        self._loaded: tuple[int, pymupdf.Page] | None = None
        #: Numbers of the pages whose filled fields and notes are hidden.
        self._bare: set[int] = set()
        self._loads = 0

    def close(self) -> None:
        self._loaded = None
        self._parts.close()

    def _open_anew(self) -> None:
        self.close()
        self._document = self._parts.enter_context(open_document(self._data))
        self._letters = FontLetters(self._document)
        self._loads = 0

    @property
    def is_fresh(self) -> bool:
        """Whether it is as good as reopened: nothing is hidden, and MuPDF keeps little."""
        return not self._bare and self._loads <= _FEW_LOADS

    def check(self, bounds: FileBounds) -> None:
        check_document(self._document, self._data, bounds)

    def page_count(self) -> int:
        with own_errors("its pages cannot be counted"):
            return int(self._document.page_count)

    def is_repaired(self) -> bool:
        return bool(self._document.is_repaired)

    def beside(self, bounds: FileBounds) -> Beside:
        with own_errors("what it holds beside its pages cannot be read"):
            return beside_pages(self._document, bounds)

    def facts(self) -> FileFacts:
        with own_errors("what it says about itself cannot be read"):
            about = {key: str(value) for key, value in (self._document.metadata or {}).items() if value}
            return FileFacts(about, self._document.get_xml_metadata() or "")

    def has_text(self, number: int) -> bool:
        with _reading(number):
            return bool(self._page(number).get_text().strip())

    def shape(self, number: int) -> PageShape:
        with _reading(number):
            return _shape(self._page(number))

    def parts(self, number: int) -> PageParts:
        with _reading(number):
            # A page can be reloaded only while nothing else holds it.
            self._loaded = None
            if self._loads >= _MANY_LOADS and not self._bare:
                self._open_anew()
            self._loads += 1
            former = self._former(number)
            fields, page = take_fields(load_page(self._document, number), MOST_FIELDS, former)
            notes, page = take_notes(page)
            self._loaded = number, page
            if fields or notes:
                self._bare.add(number)
            over = [field.rect for field in fields if field.value or (field.drawn and field.drawn.text)]
            over += [note.rect for note in notes]
            with ExitStack() as opened:
                before = partial(self._before, opened, number) if fields or notes else None
                lines, blank, paint = read_text_lines(page, over, before)
            _check_letters([*lines, *(line for note in notes for line in note.lines)])
            pen = pen_boxes(page, paint.vectors)
            fonts = self._letters.of_page(page)
            return PageParts(_shape(page), fields, lines, blank, paint, mark_of(page), notes, pen, fonts)

    def small(self, number: int, longest: int) -> SmallPicture:
        with _reading(number):
            page = self._page(number)
            shape = _shape(page)
            placed = [rect for kind, rect in page.get_bboxlog() if kind in ("fill-image", "fill-imgmask")]
            return SmallPicture(shape, self._grey(number, longest / max(shape.width, shape.height)), placed)

    def pen(self, number: int, scale: float) -> Grey:
        with own_errors("what was written with a pen cannot be drawn"):
            return draw_pen(self._page(number), scale)

    def draw(self, number: int, scale: float, clip: Rect | None, managed_colours: bool) -> Colours:
        page = self._page(number)
        with nullcontext() if managed_colours else unmanaged_colours(), own_errors("a page cannot be drawn"):
            pixels = page.get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=pymupdf.Rect(clip) if clip else None
            )
        if clip is None:
            # MuPDF caches decoded pictures. An entire page is seldom drawn twice, but parts of one often are.
            pymupdf.TOOLS.store_shrink(100)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)

    def _before(self, opened: ExitStack, number: int) -> pymupdf.Page:
        """A page with its fields, of the file opened a second time until `opened` is closed."""
        return load_page(opened.enter_context(open_document(self._data)), number)

    def _former(self, number: int) -> dict[int, str]:
        """The texts of the fields before MuPDF regenerated their appearances at the file's request."""
        document = self._document
        if document.xref_get_key(document.pdf_catalog(), _MADE_ANEW)[1] != "true":
            return {}
        with open_document(self._data) as before:
            before.xref_set_key(before.pdf_catalog(), _MADE_ANEW, "false")
            return drawn_texts(load_page(before, number), MOST_FIELDS)

    def spot(self, number: int, scale: float, clip: Rect) -> Colours:
        with own_errors("a page cannot be drawn"), open_document(self._data) as whole:
            pixels = load_page(whole, number).get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), alpha=False, clip=pymupdf.Rect(clip)
            )
            return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)

    def _grey(self, number: int, scale: float) -> Grey:
        if number not in self._bare:
            return grey_of(self._page(number), scale)
        with open_document(self._data) as before:
            return grey_of(load_page(before, number), scale)

    def _page(self, number: int) -> pymupdf.Page:
        if self._loaded is None or self._loaded[0] != number:
            self._loads += 1
            self._loaded = number, load_page(self._document, number)
        return self._loaded[1]


def _shape(page: pymupdf.Page) -> PageShape:
    rect = page.rect
    return PageShape(tuple(page.rotation_matrix), rect.width, rect.height)


def _check_letters(lines: list[TextLine]) -> None:
    lengths = [len(word[4]) for line in lines for word in line.words]
    if sum(lengths) > MOST_LETTERS:
        raise TooCostlyError(Cost.LETTERS, limit=MOST_LETTERS)
    if len(lengths) > MOST_WORDS or max(lengths, default=0) > LONGEST_WORD:
        raise TooCostlyError(Cost.WORDS, words=MOST_WORDS, letters=LONGEST_WORD)


def _reading(number: int) -> AbstractContextManager[None]:
    return own_errors(f"page {number} cannot be read")


class _Held:
    """The state of this child: the bytes that it received last, and the open PDF."""

    data: Data = b""
    pdf: OpenedPdf | None = None


def open_held(data: Data | None) -> int:
    """Open a PDF in this child (None: the bytes that it received last); return the number of pages.

    Raises what `open_document` raises.
    """
    if data is not None:
        close_held()
        _Held.data = data
    if _Held.pdf is None or not _Held.pdf.is_fresh:
        close_held()
        _Held.pdf = OpenedPdf(_Held.data)
    return _Held.pdf.page_count()


def ask_held(method: str, arguments: tuple[Any, ...]) -> Any:
    """Call a method of the PDF that is open in this child."""
    assert _Held.pdf is not None
    return getattr(_Held.pdf, method)(*arguments)


def close_held() -> None:
    """Close the PDF that is open in this child; its bytes are kept."""
    if _Held.pdf is not None:
        _Held.pdf.close()
        _Held.pdf = None


def let_go() -> None:
    """Close the PDF that is open in this child, and forget its bytes."""
    close_held()
    _Held.data = b""


def put_away() -> None:
    """Close the PDF that is open in this child, and return its memory to the system; its bytes are kept."""
    close_held()
    return_freed_memory()
