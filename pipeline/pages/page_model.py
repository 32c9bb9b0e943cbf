"""The contents of a page, independent of how it was read.

Boxes are (x0, y0, x1, y1), each 0-1 of the *displayed* page: origin top-left, after the page's rotation and
crop box were applied. Pages count from 1 within their PDF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from core.labels import LabelledEnum

#: Size of a letter page in points.
LETTER = (612.0, 792.0)


class Box(NamedTuple):
    """A rectangle in displayed-page space, each coordinate 0-1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def cx(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def cy(self) -> float:
        return (self.y0 + self.y1) / 2

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


class Source(LabelledEnum):
    """Where a value or a word was read from."""

    ACROFORM = "acroform", "form field"
    TEXT_LAYER = "text_layer", "text of the PDF"
    OCR = "ocr", "recognized from the image"
    MODEL = "model", "proposed by a language model"
    SCHOOL_LIST = "school_list", "school list"
    PERSON = "person", "typed by a person"
    #: What somebody said of the whole batch, where the page gives nothing.
    BATCH_DEFAULT = "batch_default", "value from the upload"


class Word(NamedTuple):
    """One word (text layer) or one recognised token of a line (OCR) with its place."""

    text: str
    box: Box
    #: 0-1; 1.0 for a trusted text layer, the recogniser's score for OCR, 0.5 where a provider gives none.
    confidence: float
    source: Source
    #: Words of one printed or recognised line share it; unique within the page.
    line: int
    #: Height of the type in points where known (text layer), else the box's height in points.
    size: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Widget:
    """One AcroForm field on a page."""

    name: str
    #: text | radio | checkbox | choice | signature | button
    kind: str
    #: The text, or the chosen option; "" where nothing is filled in. Radio/checkbox: "" unless this one is on.
    value: str
    box: Box
    #: For a radio button or checkbox: whether this very one is on.
    checked: bool = False
    max_length: int | None = None
    #: What the file says where the page shows `value`, "" where the page does not show `value`; None where they
    #: agree.
    other: str | None = None
    #: Whether what it draws cannot be told by its text: shapes, a picture, letters of an encoding of their own.
    illegible: bool = False


class Note(NamedTuple):
    """What an annotation writes on a page: an answer in a form's field, or somebody's remark."""

    words: list[Word]
    box: Box
    #: Whether it is a text box, with which a form may be filled; else a stamp, a callout.
    may_fill: bool


@dataclass(slots=True)
class PageContent:
    """All that was read from one page."""

    number: int
    #: Size of the displayed page in points.
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    widgets: list[Widget] = field(default_factory=list)
    #: TEXT_LAYER where the text layer was trusted, OCR where the page was recognised, None for an empty page.
    source: Source | None = None
    #: Why the text layer was not trusted ("no_text", "garbled", "stray_letters", "outlines", …); None if it was.
    distrust: str | None = None
    #: Mean confidence of the recognised words, None where nothing was recognised.
    ocr_confidence: float | None = None
    #: Share of the displayed page that is ink or picture, 0-1; tells blank sheets. 0 where nobody had to look
    #: because the words say it all.
    ink: float = 0.0
    #: Whether raster images cover most of the page.
    is_picture: bool = False
    #: Clockwise degrees by which the picture had to be turned to be upright before recognition (0/90/180/270).
    turned: int = 0
    #: Words of its text that something was painted over, so that they are not seen, or not as a whole. Empty where
    #: the page was recognised.
    covered: list[Word] = field(default_factory=list)
    #: Whether somebody wrote on it with a pen, as an app draws it.
    by_pen: bool = False
    #: The words as they were recognised where the other side of the sheet shines through, before it was taken off.
    other_side: list[Word] = field(default_factory=list)
    #: Keys of the reasons why an entry with this page needs a person, whatever is read on it.
    doubts: list[str] = field(default_factory=list)
    #: What is known of it by the file that it came in: the value of a `pipeline.mupdf.plain.Mark`, or "".
    mark: str = ""
    #: What annotations write on it; none of it is in `words`.
    notes: list[Note] = field(default_factory=list)

    @property
    def letter(self) -> tuple[float, float]:
        """Width and height in points of the letter page, standing or lying, that the upright page is scaled to."""
        lies = (self.width > self.height) != (self.turned in (90, 270))
        return (LETTER[1], LETTER[0]) if lies else LETTER
