"""Words as the extraction handles them: positioned in points of a letter page, sorted into visual lines.

The order of a text stream is not the order on the page and is ignored here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, median_low
from typing import NamedTuple

import numpy as np

from pipeline.extraction.values.text import DRAWN, SPACERS
from pipeline.pages.page_model import LETTER, Box, PageContent, Source, Word, recalled

#: All geometry is in points of a letter page, standing or lying; other sizes are scaled to it.
PAGE_WIDTH, PAGE_HEIGHT = LETTER


class Token(NamedTuple):
    text: str
    #: Points of a letter page.
    box: Box
    confidence: float
    source: Source
    page: int
    #: The printed or recognised line it came in.
    line: int
    size: float = 0.0
    bold: bool = False
    #: Its box as a share of the page (0-1); set if `box` is in points of the form, or the page is not upright.
    origin: Box | None = None

    @property
    def place(self) -> Box:
        """Its box as a share of the page (0-1)."""
        b = self.box
        return self.origin or Box(b.x0 / PAGE_WIDTH, b.y0 / PAGE_HEIGHT, b.x1 / PAGE_WIDTH, b.y1 / PAGE_HEIGHT)

    def part(self, start: int, end: int) -> Token:
        """Return the characters from `start` to `end` with their share of the box."""
        share = start / max(len(self.text), 1), end / max(len(self.text), 1)
        # On a page that lies on its side the place of the entire word is used.
        lying = self.origin is not None and (self.origin.height > self.origin.width) != (
            self.box.height > self.box.width
        )
        origin = _slice(self.origin, *share) if self.origin and not lying else self.origin
        return self._replace(text=self.text[start:end], box=_slice(self.box, *share), origin=origin)

    def moved(self, box: Box) -> Token:
        text, _, confidence, source, page, line, size, bold, _ = self
        return Token(text, box, confidence, source, page, line, size, bold, self.place)

    def at(self, place: Box) -> Token:
        return self._replace(origin=place)


Line = list[Token]
#: Space between words (points) that separates two values on one line.
GAP = 16.0
#: The same for a text layer, whose spaces are exact: a multiple of the line's median space, and a minimum.
_WIDER = 2.4
_LEAST_GAP = 7.0
#: Least words and width (share of the page) of a recognised line that shows the slant, and least such lines.
_TELLING, _WIDE, _LEAST_LINES = 4, 0.25, 3
#: Lines that drift by less than this share of their height across the page are straight.
_DRIFT = 0.5
#: From this number of tokens on, a line's centre and height are fixed.
_SETTLED = 6


def _slice(box: Box, start: float, end: float) -> Box:
    return box._replace(x0=box.x0 + start * box.width, x1=box.x0 + end * box.width)


def upright(box: Box, turned: int) -> Box:
    """Map a box of the displayed page to the page turned clockwise by `turned` degrees."""
    if turned == 90:
        return Box(1 - box.y1, box.x0, 1 - box.y0, box.x1)
    if turned == 180:
        return Box(1 - box.x1, 1 - box.y1, 1 - box.x0, 1 - box.y0)
    if turned == 270:
        return Box(box.y0, 1 - box.x1, box.y1, 1 - box.x0)
    return box


def displayed_box(box: Box, turned: int) -> Box:
    """Map a box back; the inverse of `upright`."""
    return upright(box, -turned % 360)


def _token(word: Word, page: PageContent, letter: tuple[float, float]) -> Token:
    """Return a word as one token. `letter`: see `PageContent.letter`."""
    text, place, confidence, source, line, size, bold = word
    x0, y0, x1, y1 = upright(place, page.turned) if page.turned else place
    width, height = letter
    box = Box(x0 * width, y0 * height, x1 * width, y1 * height)
    moved = page.turned or width > height
    return Token(text, box, confidence, source, page.number, line, size, bold, place if moved else None)


def _pieces(word: Token) -> Iterable[Token]:
    """Yield the parts of a word that zero-width characters separate."""
    whole = word._replace(text=word.text.translate(DRAWN))
    start = 0
    for gap in [*SPACERS.finditer(word.text), None]:
        end = gap.start() if gap else len(word.text)
        if word.text[start:end].strip():
            yield whole if (start, end) == (0, len(word.text)) else whole.part(start, end)
        start = gap.end() if gap else end


@recalled
def all_tokens(page: PageContent) -> list[Token]:
    """Return the words of a page as tokens, split at zero-width characters that replace spaces."""
    tokens: list[Token] = []
    letter = page.letter
    for word in page.words:
        token, text = _token(word, page, letter), word.text
        if text.isascii() and text.split() == [text]:
            tokens.append(token)
        else:
            tokens += _pieces(token)
    return tokens


def straight_tokens(page: PageContent) -> list[Token] | None:
    """Return a recognised page's words as they would lie on a straight page; None if its lines do not slant.

    On a photo that was taken at an angle, lines slant more the higher, or lower, they are.
    """
    if page.source is not Source.OCR:
        return None
    tokens = all_tokens(page)
    lines = [line for line in recognised_lines(tokens) if len(line) >= _TELLING]
    lines = [line for line in lines if box_of(line).width >= _WIDE * page.letter[0]]
    if len(lines) < _LEAST_LINES:
        return None
    middle = page.letter[0] / 2
    slopes = [float(np.polyfit([t.box.cx for t in line], [t.box.cy for t in line], 1)[0]) for line in lines]
    growth, level = _slant([box_of(line).cy for line in lines], slopes)
    height = median(token.box.height for line in lines for token in line)
    if max(map(abs, slopes)) * page.letter[0] < _DRIFT * height:
        return None
    return [_on_straight(token, token.box.cx - middle, growth, level) for token in tokens]


def _slant(heights: Sequence[float], slopes: Sequence[float]) -> tuple[float, float]:
    """Return how much the slope of lines grows down the page, and the slope at the top."""
    level = median(slopes)
    growth, top = np.polyfit(heights, slopes, 1)
    even = float(np.abs(np.subtract(slopes, level)).mean())
    growing = float(np.abs(np.subtract(slopes, np.polyval((growth, top), heights))).mean())
    return (float(growth), float(top)) if growing < 0.5 * even else (0.0, level)


def _on_straight(token: Token, across: float, growth: float, level: float) -> Token:
    x0, y0, x1, y1 = token.box
    middle = (y0 + y1) / 2
    # Follow the word's line, by its own slope, to the middle of the page.
    step = (middle - level * across) / max(1 + growth * across, 0.1) - middle
    return token.moved(Box(x0, y0 + step, x1, y1 + step))


@recalled
def page_lines(page: PageContent) -> list[Line]:
    return visual_lines(all_tokens(page))


def visual_lines(tokens: Iterable[Token]) -> list[Line]:
    """Return the tokens as lines from top to bottom, each from left to right.

    A token joins the line with the nearest centre if it is within half of the lesser of both heights: a
    value set four points above its label stays on the label's line, the next row does not.
    """
    lines: list[_Row] = []
    # Only the lowest lines, the last one first: no others are near enough.
    lowest: deque[_Row] = deque(maxlen=5)
    for token in sorted(tokens, key=_from_the_top):
        _, y0, _, y1 = token.box
        middle, height = (y0 + y1) / 2, y1 - y0
        best, nearest = None, 0.5 * height + 0.5
        for row in lowest:
            apart = abs(middle - row.middle)
            nearer = apart < nearest or (best is None and apart == nearest)
            if nearer and (row.height >= height or apart <= 0.5 * row.height + 0.5):
                best, nearest = row, apart
                if not apart:
                    break
        if best is None:
            best = _Row(middle, height, [])
            lines.append(best)
            lowest.appendleft(best)
        best.add(token, middle, height)
    return [
        sorted(row.tokens, key=lambda token: token.box[0]) for row in sorted(lines, key=lambda row: row.middle)
    ]


@dataclass(slots=True)
class _Row:
    """A visual line under construction, and its centre."""

    middle: float
    height: float
    tokens: Line

    def add(self, token: Token, middle: float, height: float) -> None:
        self.tokens.append(token)
        # A token equal to the medians does not change them.
        if (middle != self.middle or height != self.height) and len(self.tokens) <= _SETTLED:
            self.middle = median([t.box.cy for t in self.tokens])
            self.height = median([t.box.height for t in self.tokens])


def _from_the_top(token: Token) -> tuple[float, float]:
    x0, y0, _, y1 = token.box
    return (y0 + y1) / 2, x0


def recognised_lines(tokens: Iterable[Token]) -> list[Line]:
    """Return the lines as the OCR provider or text layer gave them; correct on a skewed scan too."""
    by_line: dict[int, Line] = {}
    for token in tokens:
        by_line.setdefault(token.line, []).append(token)
    return [sorted(line, key=lambda t: t.box.x0) for line in by_line.values()]


def lines_by_source(tokens: Iterable[Token]) -> list[Line]:
    """Return recognised lines as given, and those of a text layer, whose boxes are exact, by geometry.

    A page with handwriting next to type has both.
    """
    recognised: list[Token] = []
    typed: list[Token] = []
    for token in tokens:
        (recognised if token.source is Source.OCR else typed).append(token)
    return visual_lines(typed) + recognised_lines(recognised)


def box_of(tokens: Iterable[Token]) -> Box:
    return around([t.box for t in tokens])


def around(boxes: Sequence[Box]) -> Box:
    if len(boxes) == 1:
        return boxes[0]
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def token_text(tokens: Iterable[Token]) -> str:
    """Return the texts of tokens (from left to right) in the order of writing, joined by single spaces."""
    words = [t.text for t in tokens]
    text = " ".join(words)
    return " ".join(as_written(words)) if RIGHT_TO_LEFT.search(text) else text


def value_gap(line: Line) -> float:
    """Return the space (points) that separates two values: GAP or, if less, a multiple of the median space."""
    spaces = [b.box.x0 - a.box.x1 for a, b in pairwise(line)]
    if len(spaces) < 2 or any(t.source is Source.OCR for t in line):
        return GAP
    return min(GAP, max(_WIDER * median_low(spaces), _LEAST_GAP))


def runs_of(line: Line, gap: float) -> list[Line]:
    """Split a line wherever the space between two tokens is wider than `gap` points."""
    runs: list[Line] = []
    for token in line:
        if runs and token.box.x0 - runs[-1][-1].box.x1 <= gap:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


# Bring the words of a line that runs from right to left into the order in which they were written.
#
# The Unicode Bidirectional Algorithm (UAX #9) for words, in reverse: from the displayed order to the typed one.
# Within a word the letters are in order already.


#: Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours, and the forms of Hebrew and Arabic.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_STRONG = {"L": "L", "R": "R", "AL": "R"}


def as_written(words: Sequence[str]) -> list[str]:
    """Return the words of a line, given from left to right, in the order of writing.

    If all words with letters run from right to left, the entire line does; else only each stretch of them does,
    with the numbers and signs between them.
    """
    directions = [_direction(word) for word in words]
    if "R" not in directions:
        return list(words)
    if "L" not in directions:
        return list(reversed(words))
    found: list[str] = []
    at = 0
    while at < len(words):
        end = _end(directions, at)
        found += reversed(words[at:end])
        at = end
    return found


def _direction(word: str) -> str:
    """R or L by the first letter that has a direction, "" for numbers and signs."""
    return next((_STRONG[kind] for kind in map(unicodedata.bidirectional, word) if kind in _STRONG), "")


def _end(directions: Sequence[str], begin: int) -> int:
    """Return the end of the stretch that begins here: one word, unless it runs from right to left."""
    end = begin + 1
    if directions[begin] == "R":
        for at in range(begin + 1, len(directions)):
            if directions[at] == "L":
                break
            if directions[at] == "R":
                end = at + 1
    return end
