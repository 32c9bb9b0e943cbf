"""The contents of a page, independent of how it was read, its coordinates, and a cache of recent results.

Boxes are (x0, y0, x1, y1), each 0-1 of the *displayed* page: origin top-left, after the page's rotation and
crop box were applied. Pages count from 1 within their PDF.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from core.messages import LabelledEnum
from pipeline.mupdf.page_data import PageShape

# Map MuPDF's coordinates to the displayed page (0-1), and boxes between turned pictures.


#: A page that is not rotated.
_UPRIGHT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Displayed:
    """Maps points of MuPDF's unrotated, cropped page into the displayed page."""

    __slots__ = ("height", "matrix", "upright", "width")

    def __init__(self, shape: PageShape) -> None:
        self.matrix, self.width, self.height = shape
        self.upright = shape.matrix == _UPRIGHT

    def box(self, rect: Sequence[float]) -> Box:
        """The rectangle in displayed-page space; it may reach over the page's edges."""
        x0, y0, x1, y1 = rect
        if self.upright and x0 <= x1 and y0 <= y1:
            return Box(x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height)
        a, b, c, d, e, f = self.matrix
        left, right = (a * x0 + c * y0 + e) / self.width, (a * x1 + c * y1 + e) / self.width
        top, bottom = (b * x0 + d * y0 + f) / self.height, (b * x1 + d * y1 + f) / self.height
        return Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))

    def turned(self, direction: Sequence[float]) -> int:
        """Return the clockwise degrees by which text that runs in `direction` must be turned to be read."""
        a, b, c, d, _, _ = self.matrix
        x, y = direction[0] * a + direction[1] * c, direction[0] * b + direction[1] * d
        if abs(x) >= abs(y):
            return 0 if x >= 0 else 180
        return 270 if y > 0 else 90


def turn_box(box: Box, degrees: int) -> Box:
    """Return the box after its page is turned clockwise by 0, 90, 180 or 270 degrees."""
    x0, y0, x1, y1 = box
    match degrees % 360:
        case 90:
            return Box(1 - y1, x0, 1 - y0, x1)
        case 180:
            return Box(1 - x1, 1 - y1, 1 - x0, 1 - y0)
        case 270:
            return Box(y0, 1 - x1, y1, 1 - x0)
        case _:
            return box


def inside(box: Box) -> Box:
    """Return the part of a box that is on the page."""
    x0, y0, x1, y1 = box
    if 0.0 <= x0 <= x1 <= 1.0 and 0.0 <= y0 <= y1 <= 1.0:
        return box
    return Box(*(min(max(value, 0.0), 1.0) for value in box))


# Order of lines by position on the page, not by order in the file.


#: Lines that overlap vertically by more than this share of the smaller height are in one row.
_SAME_ROW = 0.5


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Return the indices of the boxes row by row from the top, each row from the left."""
    rows: list[tuple[float, float, list[int]]] = []
    for index in sorted(range(len(boxes)), key=lambda i: (boxes[i].cy, boxes[i].x0)):
        box = boxes[index]
        if rows and _overlap(rows[-1][0], rows[-1][1], box) > _SAME_ROW:
            rows[-1][2].append(index)
        else:
            rows.append((box.y0, box.y1, [index]))
    return [index for _, _, row in rows for index in sorted(row, key=lambda i: boxes[i].x0)]


def _overlap(top: float, bottom: float, box: Box) -> float:
    """Return the common height divided by the smaller of the two heights."""
    lower = min(bottom - top, box.height)
    return (min(bottom, box.y1) - max(top, box.y0)) / lower if lower > 0 else 0.0


# A small cache of recent results within this process.
#
# Splitting a file, reading its entries and the review agent use the same pages within seconds.


K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The most recently used values by key; thread-safe."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, if it is still there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: K, value: V) -> None:
        """Store a value, replacing the least recently used one."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


def recalled(work: Callable[[K], V]) -> Callable[[K], V]:
    """Cache the last results of a function of one object by the object's identity.

    Neither object nor result may be changed afterwards.
    """
    kept: Recent[int, tuple[K, V]] = Recent(32)

    @wraps(work)
    def of(thing: K) -> V:
        known = kept.get(id(thing))
        # The cached result keeps its object alive, so no other object can have its identity.
        if known is None or known[0] is not thing:
            known = (thing, work(thing))
            kept.keep(id(thing), known)
        return known[1]

    return of


# The contents of a page, independent of how it was read.


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

    def shared(self, other: Box) -> tuple[float, float]:
        """Width and height that both cover; negative where they are apart."""
        return min(self.x1, other.x1) - max(self.x0, other.x0), min(self.y1, other.y1) - max(self.y0, other.y0)

    def union(self, other: Box) -> Box:
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


class Source(LabelledEnum):
    """Where a value or a word was read from."""

    ACROFORM = "acroform", "form field"
    TEXT_LAYER = "text_layer", "text of the PDF"
    OCR = "ocr", "recognized from the image"
    MODEL = "model", "proposed by a language model"
    SCHOOL_LIST = "school_list", "school list"
    PERSON = "person", "typed by a person"
    #: A value given for the entire batch, used if the page gives none.
    BATCH_DEFAULT = "batch_default", "value from the upload"


#: Confidence of words whose provider gives none: too low for a field to pass without a person.
UNSCORED = 0.5


class Word(NamedTuple):
    """One word (text layer) or one recognised token of a line (OCR) with its place."""

    text: str
    box: Box
    #: 0-1; 1.0 for a trusted text layer, the recogniser's score for OCR, UNSCORED where a provider gives none.
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
    #: The file's value if the page shows another one, or "" if the page does not show `value`; None if they agree.
    other: str | None = None
    #: Whether its text does not say what it draws: shapes, a picture, letters in a custom encoding.
    illegible: bool = False


class Note(NamedTuple):
    """The text of an annotation: an answer in a form's field, or somebody's remark."""

    words: list[Word]
    box: Box
    #: Whether it is a text box, which may fill a form; else a stamp or a callout.
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
    #: Whether its words are where their boxes are; if not, only their order is known (see `OcrProvider`).
    places_known: bool = True
    #: Why the text layer was not trusted ("no_text", "garbled", "stray_letters", "outlines", …); None if it was.
    distrust: str | None = None
    #: Mean confidence of the recognised words, None where nothing was recognised.
    ocr_confidence: float | None = None
    #: Share of the displayed page that is ink or picture, 0-1; identifies blank sheets. 0 if it was not measured
    #: because the page has words.
    ink: float = 0.0
    #: Whether raster images cover most of the page.
    is_picture: bool = False
    #: Clockwise degrees by which the picture had to be turned to be upright before recognition (0/90/180/270).
    turned: int = 0
    #: Words of its text that were painted over, entirely or in part. Empty if the page was recognised.
    covered: list[Word] = field(default_factory=list)
    #: Whether it has pen strokes drawn by an app.
    by_pen: bool = False
    #: The words recognised before bleed-through from the other side of the sheet was removed.
    other_side: list[Word] = field(default_factory=list)
    #: Keys of reasons why an entry with this page needs a person regardless of what is read.
    doubts: list[str] = field(default_factory=list)
    #: A fact that its original file shows: the value of a `pipeline.mupdf.page_data.PageMark`, or "".
    mark: str = ""
    #: Texts of annotations; none of them are in `words`.
    notes: list[Note] = field(default_factory=list)

    @property
    def letter(self) -> tuple[float, float]:
        """Width and height (points) of the letter page, upright or lying, that the upright page is scaled to."""
        lies = (self.width > self.height) != (self.turned in (90, 270))
        return (LETTER[1], LETTER[0]) if lies else LETTER
