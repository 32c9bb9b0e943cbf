"""The data of a page as plain tuples, which can be sent to another process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: x0, y0, x1, y1 in points; unless stated otherwise, of MuPDF's cropped but unrotated page.
Rect = tuple[float, float, float, float]
#: Rows of pixels in shades of grey; 0 is black.
Grey = NDArray[np.uint8]
#: Red, green and blue of each pixel.
Colours = NDArray[np.uint8]


class PageMark(StrEnum):
    """A fact about a page that its original file shows."""

    #: The first page of a separate document in the same file.
    BEGINS = "BeginsDocument"
    #: Other files were attached to its document.
    CARRIES = "CarriesFiles"


class PageShape(NamedTuple):
    """Size and rotation of a page."""

    #: The rotation as a, b, c, d, e, f: x' = ax + cy + e, y' = bx + dy + f.
    matrix: tuple[float, float, float, float, float, float]
    #: Of the displayed (rotated, cropped) page, in points.
    width: float
    height: float


class Span(NamedTuple):
    """Letters of one line in one type."""

    rect: Rect
    font: str
    size: float
    bold: bool
    visible: bool
    #: Whether its colour is nearly white.
    white: bool
    #: Whether it is only spaces, for which a font may draw letters.
    blank: bool
    #: Whether it is drawn with less than half the strength of black.
    faint: bool = False


class Covered(NamedTuple):
    """A word that was painted over later."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    partly: bool
    by_picture: bool


class TextLine(NamedTuple):
    """A line of the text layer with at least one word."""

    #: Its direction, as x and y.
    direction: tuple[float, float]
    spans: list[Span]
    #: The words, each as x0, y0, x1, y1, text.
    words: list[tuple[float, float, float, float, str]]
    #: The covered words, by their index; None if there are none.
    covered: dict[int, Covered] | None = None


class FieldAppearance(NamedTuple):
    """The part of a field's appearance (PDF 32000-1, 12.5.5) that the field's rectangle shows."""

    #: Its lines; "" if nothing is drawn.
    text: str
    #: The approximate place of its last line; the field's rectangle if nothing is drawn.
    last: Rect


class AnnotationText(NamedTuple):
    #: Whether it is a text box, which may fill a form; else a stamp or a callout.
    may_fill: bool
    rect: Rect
    lines: list[TextLine]


@dataclass(frozen=True, slots=True)
class PdfField:
    """An AcroForm field that is displayed or printed."""

    name: str
    #: text | radio | checkbox | choice | signature | button
    kind: str
    #: The value, "" if empty: for a radio button or checkbox that is on, the name of that state; for a choice, its
    #: displayed text.
    value: str
    rect: Rect
    checked: bool
    max_length: int | None
    #: What the page shows; None for buttons.
    drawn: FieldAppearance | None = None
    #: Whether its lines wrap.
    wraps: bool = False
    #: The text of its appearance before it was regenerated from the value at the file's request (NeedAppearances,
    #: PDF 32000-1, 12.7.2); programs that ignore the request show it. "" if it was not regenerated.
    former: str = ""
    #: Whether something drawn later covers it.
    covered: bool = False
    #: Whether it is printed, but not displayed.
    only_printed: bool = False
    #: Its tooltip (TU, PDF 32000-1, 12.7.3.1), which may say what to fill in.
    hint: str = ""


class Paint(NamedTuple):
    """The content of a page besides text."""

    pictures: list[Rect]
    vectors: list[Rect]
    #: Whether the page has pictures that MuPDF omits here: masks, faint ones.
    more: bool


class FontTruth(NamedTuple):
    """Whether the text of a page matches what its fonts draw."""

    #: Whether the text of a font has other letters or digits than it draws.
    contradicted: bool = False
    #: Names, as in spans, of fonts whose letters the file does not name.
    unnamed: frozenset[str] = frozenset()


class PageParts(NamedTuple):
    """The parts of a page. Texts of filled fields are only in `fields`, those of annotations only in `notes`."""

    shape: PageShape
    fields: list[PdfField]
    lines: list[TextLine]
    #: Rectangles of the spans that are blank, also in lines without a word.
    blank: list[Rect]
    paint: Paint
    #: The value of a `PageMark`.
    mark: str = ""
    notes: Sequence[AnnotationText] = ()
    #: Boxes of pen strokes: paths that are handwriting.
    pen: Sequence[Rect] = ()
    fonts: FontTruth = FontTruth()


class SmallPicture(NamedTuple):
    """A small drawing of a displayed page, with the places of its pictures."""

    shape: PageShape
    grey: Grey
    pictures: list[Rect]


class AttachedFile(NamedTuple):
    name: str
    #: None if it is too large or cannot be unpacked.
    data: bytes | None


class Beside(NamedTuple):
    """What a PDF holds besides its pages, and the pages with several sheets."""

    attached: list[AttachedFile]
    #: Whether its pages only say that the attached files are the content.
    is_portfolio_cover: bool
    #: Whether only readers of XFA draw its pages.
    is_dynamic: bool
    #: The filled-in data of such a form, as labels and values.
    form_data: list[tuple[str, str]]
    #: Places of the sheets on each page with several printed sheets, by page number from 1: in points of the
    #: displayed page, in the order of reading.
    sheets: dict[int, list[Rect]]
    #: Place of the picture on each page that is one picture, whose sheets only its pixels can show.
    pictured: dict[int, Rect]


class FileFacts(NamedTuple):
    #: The document information dictionary (PDF 32000-1, 14.3.3), as PyMuPDF names its keys.
    information: dict[str, str]
    #: The metadata stream as written; "" without one.
    xmp: str
