"""What a blank form draws and prints: rules, cells, boxes, and its text as runs of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.pages.page_model import Box, PageContent, Word

# The printed text of a blank form as runs: words of one line without a wide gap between them.


#: A gap this wide (points, and in heights of the line) separates two texts.
_GAP, _GAPS = 9.0, 1.1
#: Characters that draw a line to write on or a box to tick.
_FILLER = re.compile(r"[_.…·\-–—]{3,}|[☐□▢❏❑◻○◯⬜口]")
_TICK_SIGNS = "☐□▢❏❑◻○◯⬜口"
#: Characters that a box to tick may be recognised as.
_LIKE_A_TICK = (*_TICK_SIGNS, *"OoD0QCcUun[({|")


@dataclass(frozen=True, slots=True)
class WordRun:
    """Some words of a line, with their box in points."""

    text: str
    box: Box
    #: Height of the type.
    size: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class BlankText:
    """The text of a page, and the places to fill in that characters draw."""

    runs: list[WordRun]
    #: Rows of underscores or dots.
    rules: list[Box]
    #: Signs of boxes to tick.
    ticks: list[Box]


def text_of_blank(page: PageContent, layout: Layout) -> BlankText:
    """Return the runs of a page from top to bottom; none crosses a box to tick or an upright line."""
    text = BlankText([], [], [])
    stops = [*layout.ticks, *layout.uprights]
    stops += layout.combs
    for words in _lines(page):
        line: list[tuple[str, Box, Word]] = []
        for word in words:
            for piece, box in _pieces(word, page, layout.ticks):
                if not _FILLER.fullmatch(piece):
                    line.append((piece, box, word))
                elif piece in _TICK_SIGNS:
                    text.ticks.append(box)
                else:
                    text.rules.append(box._replace(y0=box.y1 - 1.0))
        text.runs.extend(_runs(line, [*stops, *text.rules, *text.ticks]))
    text.runs.sort(key=lambda run: (round(run.box.cy / 5), run.box.x0))
    return text


def _lines(page: PageContent) -> Iterator[list[Word]]:
    """Yield the words line by line, each line from left to right."""
    lines: dict[int, list[Word]] = {}
    for word in page.words:
        lines.setdefault(word.line, []).append(word)
    for words in lines.values():
        yield sorted(words, key=lambda word: word.box.x0)


def _pieces(word: Word, page: PageContent, ticks: Sequence[Box]) -> Iterator[tuple[str, Box]]:
    """Yield text and fillers of a word as separate parts; boxes, in points, are divided by number of letters."""
    text, box = _without_tick(word.text, in_points(word.box, page), ticks)
    ends = [0, *(end for found in _FILLER.finditer(text) for end in found.span()), len(text)]
    for start, end in pairwise(ends):
        if piece := text[start:end].strip():
            left, right = (box.x0 + box.width * at / len(text) for at in (start, end))
            yield piece, box._replace(x0=left, x1=right)


def _without_tick(text: str, box: Box, ticks: Sequence[Box]) -> tuple[str, Box]:
    """Return a word without a first letter that is really a box to tick."""
    for tick in ticks:
        if abs(tick.cy - box.cy) <= 5 and box.x0 - 3 <= tick.cx <= box.x0 + tick.width:
            rest = text[1:].strip() if text[:1] in _LIKE_A_TICK else text
            return rest, box._replace(x0=min(tick.x1, box.x1))
    return text, box


def in_points(box: Box, page: PageContent) -> Box:
    return Box(box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height)


def _runs(line: Sequence[tuple[str, Box, Word]], stops: Sequence[Box]) -> Iterator[WordRun]:
    begun: list[tuple[str, Box, Word]] = []
    for one in line:
        if begun and _apart(begun[-1][1], one[1], stops):
            yield _run(begun)
            begun = []
        begun.append(one)
    if begun:
        yield _run(begun)


def _apart(left: Box, right: Box, stops: Sequence[Box]) -> bool:
    if right.x0 - left.x1 > max(_GAP, _GAPS * min(left.height, right.height)):
        return True
    return any(
        left.x1 - 3 <= stop.cx <= right.x0 + 3 and stop.y0 <= left.cy + 4 and stop.y1 >= left.cy - 4
        for stop in stops
    )


def _run(words: Sequence[tuple[str, Box, Word]]) -> WordRun:
    box = words[0][1]
    for _, other, _ in words[1:]:
        box = box.union(other)
    rounded = Box(*(round(value, 1) for value in box))
    size = max(word.size for _, _, word in words) or box.height
    return WordRun(" ".join(piece for piece, _, _ in words), rounded, size, all(word.bold for _, _, word in words))


# What a blank form draws besides text: rules to write on, cells to write in, boxes to tick.


#: Least lengths (points) of a rule to write on and of an upright line.
_RULE, _UPRIGHT = 28.0, 13.0
#: Greatest thickness (points) of a line.
_THICK = 3.5
#: Sides (points) of a box to tick.
_TICK = (5.5, 19.0)
#: Least width and height (points) of a cell, and the sides of a box for a single letter.
_CELL = (28.0, 12.0)
_LETTER = ((7.0, 10.0), (28.0, 34.0))
#: Least boxes for letters, and widest gap (points) between them, of a comb.
_COMB, _COMB_GAP = 4, 16.0
#: Share of a region's bounding box that it fills if it is a rectangle, and of a round or rounded box.
_FULL, _ROUND = 0.88, 0.70

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Layout:
    """Drawn parts of a page, boxes in points."""

    rules: list[Box]
    uprights: list[Box]
    #: Closed rectangles, each without those beside it.
    cells: list[Box]
    #: Rows of boxes for one letter each.
    combs: list[Box]
    ticks: list[Box]


def layout_of(grey: NDArray[np.uint8], scale: float, words: Iterable[Box] = ()) -> Layout:
    """Find the drawn parts in a picture of `scale` pixels a point. `words`: boxes of its words, in points."""
    ink = _ink(grey)
    across = _ruled_lines(ink, (round(_RULE * scale), 1))
    down = _ruled_lines(ink, (1, round(_UPRIGHT * scale)))
    known = list(words)
    rules = [box for box in _boxes(across, scale) if box.height <= _THICK and not _of_letters(box, known)]
    uprights = [box for box in _boxes(down, scale) if box.width <= _THICK and not _within(box, known)]
    closed = list(_closed(across | down, scale))
    cells = [box for box in closed if box.width >= _CELL[0] and box.height >= _CELL[1]]
    combs = list(_combs(closed))
    ticks = [tick for tick in _ticks(ink, scale, known) if not any(_overlap(tick, comb) > 0.5 for comb in combs)]
    return Layout(_joined(rules), uprights, cells, combs, ticks)


def _ink(grey: NDArray[np.uint8]) -> Mask:
    """Return 255 where something is drawn, also on shaded ground."""
    return np.asarray(
        cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 18), np.uint8
    )


def _ruled_lines(ink: Mask, size: tuple[int, int]) -> Mask:
    """Return the straight lines of at least this size, in pixels; small breaks are closed."""
    bridge = np.ones((1, 5) if size[0] > size[1] else (5, 1), np.uint8)
    closed = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, bridge)
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((size[1], size[0]), np.uint8)), np.uint8)


def _within(upright: Box, words: list[Box]) -> bool:
    """Whether an upright line is a stroke of a letter."""
    return any(
        word.x0 - 1 <= upright.cx <= word.x1 + 1 and word.y0 - 1 <= upright.y0 and upright.y1 <= word.y1 + 1
        for word in words
    )


def _of_letters(rule: Box, words: list[Box]) -> bool:
    """Whether a line is made of touching letters: it lies within words."""
    within = [word for word in words if word.y0 <= rule.cy <= word.y1]
    shared = sum(max(min(rule.x1, word.x1) - max(rule.x0, word.x0), 0.0) for word in within)
    return shared > 0.7 * rule.width


def _boxes(mask: Mask, scale: float) -> list[Box]:
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return [_points(stats[number], scale) for number in range(1, count)]


def _points(stat: NDArray[np.int32], scale: float) -> Box:
    x, y, width, height = (float(value) / scale for value in stat[:4])
    return Box(round(x, 1), round(y, 1), round(x + width, 1), round(y + height, 1))


def _joined(rules: list[Box]) -> list[Box]:
    """Join pieces of one rule, which a slight slope breaks; return them from top to bottom."""
    ordered = sorted(rules, key=lambda box: (round(box.cy / 2), box.x0))
    joined: list[Box] = ordered[:1]
    for before, box in pairwise(ordered):
        last = joined[-1]
        if abs(box.cy - before.cy) <= 2.0 and box.x0 - last.x1 <= 3.0:
            joined[-1] = last.union(box)
        else:
            joined.append(box)
    return sorted(joined, key=lambda box: (box.y0, box.x0))


def _closed(lines: Mask, scale: float) -> Iterable[Box]:
    """Yield the rectangles that lines enclose, without the page around them."""
    free = cv2.bitwise_not(cv2.dilate(lines, np.ones((3, 3), np.uint8)))
    count, _, stats, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    height, width = lines.shape
    for number in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[number])
        at_edge = x == 0 or y == 0 or x + w == width or y + h == height
        if not at_edge and area >= _FULL * w * h:
            yield _points(stats[number], scale)


def _combs(closed: list[Box]) -> Iterable[Box]:
    """Yield the rows of small boxes of equal height."""
    (least_wide, least_high), (wide, high) = _LETTER
    small = [b for b in closed if least_wide <= b.width <= wide and least_high <= b.height <= high]
    rows: list[list[Box]] = []
    for box in sorted(small, key=lambda box: (round(box.y0 / 3), box.x0)):
        last = rows[-1][-1] if rows else None
        if last and abs(box.y0 - last.y0) <= 2 and abs(box.y1 - last.y1) <= 2 and box.x0 - last.x1 <= _COMB_GAP:
            rows[-1].append(box)
        else:
            rows.append([box])
    for row in rows:
        if len(row) >= _COMB:
            yield row[0].union(row[-1])


def _ticks(ink: Mask, scale: float, words: list[Box]) -> list[Box]:
    """Return the empty squares and circles of the size of a tick box, in reading order."""
    contours, _ = cv2.findContours(ink, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Box] = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        box = Box(*(round(value / scale, 1) for value in (x, y, x + w, y + h)))
        if not _is_tick(box) or not _is_empty(ink[y : y + h, x : x + w]):
            continue
        share = cv2.contourArea(contour) / max((w - 1) * (h - 1), 1)
        square = share >= _FULL and _has_corners(ink[y : y + h, x : x + w])
        if share < _ROUND or any(_overlap(box, word) > 0.5 and not _beside(box, word, square) for word in words):
            continue
        if not any(_overlap(box, other) > 0.3 for other in found):
            found.append(box)
    return sorted(found, key=lambda box: (round(box.cy / 6), box.x0))


def _is_tick(box: Box) -> bool:
    least, most = _TICK
    sides = least <= box.width <= most and least <= box.height <= most
    return sides and 0.72 <= box.width / box.height <= 1.38


def _is_empty(part: Mask) -> bool:
    """Whether the middle of a box has almost no ink while its edges have."""
    height, width = part.shape
    inner = part[height // 4 : height - height // 4, width // 4 : width - width // 4]
    return bool(inner.size and np.count_nonzero(inner) <= 0.06 * inner.size and np.count_nonzero(part))


def _beside(box: Box, word: Box, square: bool) -> bool:
    """Whether a box that a word covers was recognised as part of it: a square of its height at one of its ends."""
    at_end = box.x0 - word.x0 <= 4 or word.x1 - box.x1 <= 4
    return square and at_end and box.height >= 0.5 * word.height


def _has_corners(part: Mask) -> bool:
    """Whether all four corners are drawn, as those of a square are and of no letter."""
    height, width = part.shape
    y, x = max(height // 6, 1), max(width // 6, 1)
    return all(
        bool(part[rows, columns].any())
        for rows in (slice(0, y), slice(-y, None))
        for columns in (slice(0, x), slice(-x, None))
    )


def _overlap(box: Box, other: Box) -> float:
    """Return the share of the smaller box that both cover."""
    across, down = box.shared(other)
    least = min(box.width * box.height, other.width * other.height)
    return max(across, 0.0) * max(down, 0.0) / max(least, 1e-6)
