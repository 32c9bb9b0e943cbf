"""What is handed on of a page: plain data, which may cross to another process."""

from __future__ import annotations

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


class Mark(StrEnum):
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


class TextLine(NamedTuple):
    """A line of the text layer with at least one word."""

    #: Where it runs to, as x and y.
    direction: tuple[float, float]
    spans: list[Span]
    #: The words, each as x0, y0, x1, y1, text.
    words: list[tuple[float, float, float, float, str]]


@dataclass(frozen=True, slots=True)
class Field:
    """An AcroForm field."""

    name: str
    #: text | radio | checkbox | choice | signature | button
    kind: str
    #: What is filled in, "" where nothing is; of a radio button or checkbox that is on, the name of that state.
    value: str
    rect: Rect
    checked: bool
    max_length: int | None


class Paint(NamedTuple):
    """What lies on a page beside text."""

    pictures: list[Rect]
    vectors: list[Rect]
    #: Whether the page has pictures that MuPDF omits here: masks, faint ones.
    more: bool


class PageParts(NamedTuple):
    """The parts of a page. What its filled fields display is in `fields` alone."""

    shape: PageShape
    fields: list[Field]
    lines: list[TextLine]
    #: Rectangles of the spans that are blank, also in lines without a word.
    blank: list[Rect]
    paint: Paint
    #: The value of a `Mark`.
    mark: str = ""


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
    #: Numbers of the pages that are pictures, of which only their look tells this.
    pictured: list[int]


class Facts(NamedTuple):
    """What a file says about itself."""

    #: The document information dictionary (PDF 32000-1, 14.3.3), as PyMuPDF names its keys.
    information: dict[str, str]
    #: The metadata stream as written; "" without one.
    xmp: str
