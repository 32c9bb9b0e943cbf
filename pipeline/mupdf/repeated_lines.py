"""Split a page of text on which the same form was printed twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pipeline.mupdf.copies import WordAt, word_rows
from pipeline.mupdf.page_data import Rect

#: The gap between two sheets lies in this part of the page, as shares of its length.
_MIDDLE = (0.42, 0.58)
#: Least width (points) of the gap: narrower ones are between words, or between lines.
_LEAST_GAP = (6.0, 12.0)
#: Share of the page's height at its edges where printers and fax machines add lines.
_EDGE = 0.035
#: Least lines that both sheets have.
LEAST_SAME = 3
#: Most lines of a form's sheet.
_MOST_LINES = 200
#: Letters of a line's first words that are compared.
_LETTERS = 4
#: Levels of splitting: two, so that four sheets on a page are found.
_DEPTH = 2
#: Greatest deviation (points) of the distance between two copies of a line from the others'.
_NEAR = 5.0


class _Line(NamedTuple):
    start: str
    x: float
    y: float


def sheets_on_page(words: Sequence[WordAt], page: Rect, depth: int = _DEPTH) -> list[Rect]:
    """Return the sheets on a page in the order of reading; none if it is one sheet."""
    for across in (0, 1):
        cut = gap(words, page, across)
        if cut is None:
            continue
        first, second = _halves(page, across, cut)
        one, other = split_at_cut(words, across, cut)
        if not _same_print(one, other, first, second, across):
            continue
        if depth == 1:
            return [first, second]
        halves = [sheets_on_page(part, rect, 1) or [rect] for part, rect in ((one, first), (other, second))]
        if across == 0 and all(len(sheets) == 2 and sheets[1][1] > sheets[0][1] for sheets in halves):
            # Four sheets are read row by row, as labels are.
            return [sheet for row in zip(*halves, strict=True) for sheet in row]
        return [sheet for sheets in halves for sheet in sheets]
    return []


def _middle(rect: Rect, across: int) -> float:
    return (rect[across] + rect[across + 2]) / 2


def split_at_cut(words: Iterable[WordAt], across: int, cut: float) -> tuple[list[WordAt], list[WordAt]]:
    """Return the words before and after a cut."""
    sides: tuple[list[WordAt], list[WordAt]] = ([], [])
    for word in words:
        sides[_middle(word.rect, across) >= cut].append(word)
    return sides


def _halves(page: Rect, across: int, cut: float) -> tuple[Rect, Rect]:
    x0, y0, x1, y1 = page
    if across == 0:
        return (x0, y0, cut, y1), (cut, y0, x1, y1)
    return (x0, y0, x1, cut), (x0, cut, x1, y1)


def gap(words: Iterable[WordAt], page: Rect, across: int) -> float | None:
    """Return the middle of the widest gap near the page's middle that no word crosses.

    `across`: 0 for a gap between left and right, 1 for one between above and below.
    """
    start, length = page[across], page[across + 2] - page[across]
    low, high = (start + share * length for share in _MIDDLE)
    taken = sorted(
        (word.rect[across], word.rect[across + 2])
        for word in words
        if word.rect[across + 2] > low and word.rect[across] < high and not _is_at_edge(word, page)
    )
    widest, at, gap = _LEAST_GAP[across], low, None
    for begin, end in [*taken, (high, high)]:
        if begin - at >= widest:
            widest, gap = begin - at, (begin + at) / 2
        at = max(at, end)
    return gap


def _is_at_edge(word: WordAt, page: Rect) -> bool:
    share = (_middle(word.rect, 1) - page[1]) / (page[3] - page[1])
    return not _EDGE <= share <= 1 - _EDGE


def _same_print(one: Sequence[WordAt], other: Sequence[WordAt], first: Rect, second: Rect, across: int) -> bool:
    """Whether both halves begin with the same line, and repeat others at the same distance."""
    our_lines, their_lines = _lines(one, first), _lines(other, second)
    head, copy = next(our_lines, None), next(their_lines, None)
    # Nearly all pages differ in the first line, so the others are not compared.
    if head is None or copy is None or head.start != copy.start or len(head.start) < _LETTERS:
        return False
    ours, theirs = [head, *our_lines], [copy, *their_lines]
    if max(len(ours), len(theirs)) > _MOST_LINES:
        return False
    dx, dy = theirs[0].x - ours[0].x, theirs[0].y - ours[0].y
    if not _is_one_sheet_away((dx, dy), first, across):
        return False
    there = [line for line in theirs if len(line.start) >= _LETTERS]
    same = Counter(
        line.start
        for line in ours
        if any(
            line.start == copy.start and abs(copy.x - line.x - dx) < _NEAR and abs(copy.y - line.y - dy) < _NEAR
            for copy in there
        )
    )
    return len(same) >= LEAST_SAME


def _is_one_sheet_away(way: tuple[float, float], first: Rect, across: int) -> bool:
    """Whether the second copy begins where a second sheet would."""
    length, breadth = first[across + 2] - first[across], first[3 - across] - first[1 - across]
    return 0.7 < way[across] / length < 1.3 and abs(way[1 - across]) < 0.12 * breadth


def _lines(words: Iterable[WordAt], sheet: Rect) -> Iterator[_Line]:
    """Yield a sheet's lines from the top, each with its first letters: at least those of its first word."""
    return map(_line, word_rows(word for word in words if not _is_at_edge(word, sheet)))


def _line(row: Sequence[WordAt]) -> _Line:
    start = ""
    for word in row:
        if len(start) >= _LETTERS:
            break
        start += re.sub(r"[\W_]+", "", word.text.casefold())
    return _Line(start, row[0].rect[0], _middle(row[0].rect, 1))
