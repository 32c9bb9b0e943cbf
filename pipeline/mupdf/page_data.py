"""What is handed on of a page: plain data, which may cross to another process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: x0, y0, x1, y1 in points. Unless stated otherwise of MuPDF's page: cropped, but not rotated.
Rect = tuple[float, float, float, float]
#: Shades of grey, a row of pixels each row; 0 is black.
Grey = NDArray[np.uint8]
#: Red, green and blue of each pixel.
Colours = NDArray[np.uint8]


class PageMark(StrEnum):
    """What is known of a page by the file that it came in."""

    #: The first page of a document of its own, which came in the same file.
    BEGINS = "BeginsDocument"
    #: Other files were attached to its document.
    CARRIES = "CarriesFiles"


class PageShape(NamedTuple):
    """Size and rotation of a page."""

    #: The rotation as a, b, c, d, e, f: x' = ax + cy + e, y' = bx + dy + f.
    matrix: tuple[float, float, float, float, float, float]
    #: Of the displayed page in points: rotated, cropped.
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
    #: Whether it is nothing but spaces, which may stand for letters that a font draws.
    blank: bool
    #: Whether it is drawn with less than half the strength of black.
    faint: bool = False


class Covered(NamedTuple):
    """A word that something was painted over later."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    #: Whether some of it is seen.
    partly: bool
    #: Whether a picture covers it.
    by_picture: bool


class TextLine(NamedTuple):
    """A line of the text layer with at least one word."""

    #: Where it runs to, as x and y.
    direction: tuple[float, float]
    spans: list[Span]
    #: The words, each as x0, y0, x1, y1, text.
    words: list[tuple[float, float, float, float, str]]
    #: Those that are covered, by their place among the words; None where none is.
    covered: dict[int, Covered] | None = None


class FieldAppearance(NamedTuple):
    """What the appearance of a field draws (PDF 32000-1, 12.5.5), as far as the field's rectangle shows it."""

    #: Its lines; "" where nothing is drawn.
    text: str
    #: Where its last line lies, about; the field's rectangle where nothing is drawn.
    last: Rect


class AnnotationText(NamedTuple):
    """What one annotation writes on a page."""

    #: Whether it is a text box, with which a form may be filled; else a stamp, a callout.
    may_fill: bool
    rect: Rect
    lines: list[TextLine]


@dataclass(frozen=True, slots=True)
class PdfField:
    """An AcroForm field that is displayed or printed."""

    name: str
    #: text | radio | checkbox | choice | signature | button
    kind: str
    #: What is filled in, "" where nothing is; of a radio button or checkbox that is on, the name of that state; of
    #: a choice the text that stands for it.
    value: str
    rect: Rect
    checked: bool
    max_length: int | None
    #: What the page shows for it; None for buttons.
    drawn: FieldAppearance | None = None
    #: Whether its lines wrap.
    wraps: bool = False
    #: What its appearance drew before it was made anew from the value, as the file asks for (NeedAppearances, PDF
    #: 32000-1, 12.7.2): programs that do not do so show that. "" where it was not made anew.
    former: str = ""
    #: Whether something that is drawn later covers it.
    covered: bool = False
    #: Whether it is printed, but not displayed.
    only_printed: bool = False
    #: What a person is told of it (TU, PDF 32000-1, 12.7.3.1), which may be what to fill in.
    hint: str = ""


class Paint(NamedTuple):
    """What lies on a page beside text."""

    pictures: list[Rect]
    vectors: list[Rect]
    #: Whether the page has pictures that MuPDF omits here: masks, faint ones.
    more: bool


class FontTruth(NamedTuple):
    """Whether the text of a page says what its fonts draw."""

    #: Whether a font says other letters or digits than it draws.
    contradicted: bool = False
    #: Names, as spans have them, of fonts of which nothing says what they draw.
    unnamed: frozenset[str] = frozenset()


class PageParts(NamedTuple):
    """The parts of a page. What its filled fields display is in `fields` alone, what annotations do in `notes`."""

    shape: PageShape
    fields: list[PdfField]
    lines: list[TextLine]
    #: Rectangles of the spans that are blank, also in lines without a word.
    blank: list[Rect]
    paint: Paint
    #: The value of a `PageMark`.
    mark: str = ""
    notes: Sequence[AnnotationText] = ()
    #: The boxes of what was written with a pen: paths that are strokes of handwriting.
    pen: Sequence[Rect] = ()
    fonts: FontTruth = FontTruth()


class SmallPicture(NamedTuple):
    """A page drawn small as it is displayed, with the places of its pictures."""

    shape: PageShape
    grey: Grey
    pictures: list[Rect]


class AttachedFile(NamedTuple):
    """A file that is attached to a PDF."""

    name: str
    #: None where it is too large, or cannot be unpacked.
    data: bytes | None


class Beside(NamedTuple):
    """What a PDF holds beside its pages, and which pages are several."""

    attached: list[AttachedFile]
    #: Whether its pages say nothing but that the attached files are the content.
    is_portfolio_cover: bool
    #: Whether its pages are drawn by a reader of XFA only.
    is_dynamic: bool
    #: What was filled in there, as labels and values.
    form_data: list[tuple[str, str]]
    #: Of each page on which several sheets are printed, by number from 1, the places of these in points of the
    #: displayed page, in the order of reading.
    sheets: dict[int, list[Rect]]
    #: Of the pages that are pictures, of which only their look tells this, the place of the picture likewise.
    pictured: dict[int, Rect]


class FileFacts(NamedTuple):
    """What a file says about itself."""

    #: The document information dictionary (PDF 32000-1, 14.3.3), as PyMuPDF names its keys.
    information: dict[str, str]
    #: The metadata stream as written; "" without one.
    xmp: str
