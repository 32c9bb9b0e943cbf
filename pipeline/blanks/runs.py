"""The printed text of a blank form as runs: words of one line without a wide gap between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.blanks.layout import Layout
from pipeline.pages.page_model import Box, PageContent, Word

#: A gap this wide (points, and in heights of the line) separates two texts.
_GAP, _GAPS = 9.0, 1.1
#: What stands for a line to write on or a box to tick, not for text.
_FILLER = re.compile(r"[_.…·\-–—]{3,}|[☐□▢❏❑◻○◯⬜口]")
_TICK_SIGNS = "☐□▢❏❑◻○◯⬜口"
#: What a box to tick is recognised as.
_LIKE_A_TICK = (*_TICK_SIGNS, *"OoD0QCcUun[({|")


@dataclass(frozen=True, slots=True)
class Run:
    """Some words of a line, with their box in points."""

    text: str
    box: Box
    #: Height of the type.
    size: float
    bold: bool = False


@dataclass(frozen=True, slots=True)
class BlankText:
    """The text of a page, and the places where text stands for something to fill in."""

    runs: list[Run]
    #: Rows of underscores or dots.
    rules: list[Box]
    #: Signs of boxes to tick.
    ticks: list[Box]


def text_of_blank(page: PageContent, layout: Layout) -> BlankText:
    """Return the runs of a page from top to bottom; none goes over a box to tick or an upright line."""
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
    """Yield the parts of a word, text and fillers apart, with boxes in points by their share of the letters."""
    text, box = _without_tick(word.text, in_points(word.box, page), ticks)
    ends = [0, *(end for found in _FILLER.finditer(text) for end in found.span()), len(text)]
    for start, end in pairwise(ends):
        if piece := text[start:end].strip():
            left, right = (box.x0 + box.width * at / len(text) for at in (start, end))
            yield piece, box._replace(x0=left, x1=right)


def _without_tick(text: str, box: Box, ticks: Sequence[Box]) -> tuple[str, Box]:
    """Return a word without the box to tick that was recognised as a letter at its beginning."""
    for tick in ticks:
        if abs(tick.cy - box.cy) <= 5 and box.x0 - 3 <= tick.cx <= box.x0 + tick.width:
            rest = text[1:].strip() if text[:1] in _LIKE_A_TICK else text
            return rest, box._replace(x0=min(tick.x1, box.x1))
    return text, box


def in_points(box: Box, page: PageContent) -> Box:
    """Return a box of a page in points."""
    return Box(box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height)


def _runs(line: Sequence[tuple[str, Box, Word]], stops: Sequence[Box]) -> Iterator[Run]:
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


def _run(words: Sequence[tuple[str, Box, Word]]) -> Run:
    box = words[0][1]
    for _, other, _ in words[1:]:
        box = box.union(other)
    rounded = Box(*(round(value, 1) for value in box))
    size = max(word.size for _, _, word in words) or box.height
    return Run(" ".join(piece for piece, _, _ in words), rounded, size, all(word.bold for _, _, word in words))
