"""Lines of a page in the order that they are read in, columns one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.pages.reading_order import reading_order

#: A column holds at least so many lines.
_LINES = 5
#: So many lines are a column that goes on in the next; so few lines across both are heads and feet.
_FULL, _STRAYS = 15, 2
#: Heads, feet and page numbers stand within this share of the page's height.
_EDGE = 0.08
#: Of its width, how much the middle line of a column of running text fills; cells of a table fill less.
_FILLED = 0.6
#: Of a page in columns, at most this share of lines may cross the gutter (titles, wide tables).
_CROSSING = 0.5
#: Lines that share more than this part of the lower one's height stand in one row.
_SAME_ROW = 0.5


@dataclass(frozen=True, slots=True)
class TextLine:
    """A printed line: its text, its place and its type."""

    text: str
    box: Box
    #: Points; 0 where it is not known.
    size: float
    bold: bool


def lines_of(page: PageContent) -> list[TextLine]:
    """The page's lines, each column from the top, the left one first."""
    by_number: dict[int, list[int]] = {}
    for index, word in enumerate(page.words):
        by_number.setdefault(word.line, []).append(index)
    lines = [_line(page, indices) for indices in by_number.values()]
    return [line for line in _ordered(lines, 0.0, 1.0) if line.text]


def _line(page: PageContent, indices: Sequence[int]) -> TextLine:
    words = [page.words[index] for index in indices]
    if page.source is Source.OCR:
        words.sort(key=lambda word: word.box.x0)
    box = words[0].box
    for word in words[1:]:
        box = box.union(word.box)
    size = median(word.size for word in words) if page.source is Source.TEXT_LAYER else 0.0
    return TextLine(" ".join(word.text for word in words).strip(), box, size, all(word.bold for word in words))


def _ordered(lines: list[TextLine], left: float, right: float) -> list[TextLine]:
    gutter = _gutter(lines, left, right)
    if gutter is None:
        return _rows(lines)
    found: list[TextLine] = []
    band: list[TextLine] = []
    for line in sorted(lines, key=lambda one: one.box.cy):
        if line.box.x0 < gutter < line.box.x1:
            found += [*_sides(band, gutter, left, right), line]
            band = []
        else:
            band.append(line)
    return found + _sides(band, gutter, left, right)


def _sides(band: list[TextLine], gutter: float, left: float, right: float) -> list[TextLine]:
    one = [line for line in band if line.box.x1 <= gutter]
    other = [line for line in band if line.box.x1 > gutter]
    return _ordered(one, left, gutter) + _ordered(other, gutter, right)


def _gutter(lines: Sequence[TextLine], left: float, right: float) -> float | None:
    """Where running text stands side by side, the place between; None where it does not."""
    width = right - left
    inner = [line for line in lines if _EDGE < line.box.cy < 1 - _EDGE]
    places = [left + width * (0.3 + 0.01 * step) for step in range(41)]
    place = max(places, key=lambda one: (_parting(inner, one), -abs(one - (left + right) / 2)))
    crossing = sum(line.box.x0 < place < line.box.x1 for line in inner)
    one = [line for line in inner if line.box.x1 <= place]
    other = [line for line in inner if line.box.x0 >= place]
    if _begins_column(one, other, crossing):
        return place
    if min(len(one), len(other)) < _LINES or crossing > _CROSSING * (len(one) + len(other)):
        return None
    return place if _is_text(one) and _is_text(other) and _beside(one, other) else None


def _parting(lines: Sequence[TextLine], place: float) -> int:
    """How well a place parts the lines: how many the shorter side has, less those that cross it."""
    one = sum(line.box.x1 <= place for line in lines)
    other = sum(line.box.x0 >= place for line in lines)
    return min(one, other) - (len(lines) - one - other)


def _begins_column(one: Sequence[TextLine], other: Sequence[TextLine], crossing: int) -> bool:
    """Whether the text ends in a line or two at the top of the right column, beside a left one that is full."""
    if not 0 < len(other) < _LINES or len(one) < _FULL or crossing > _STRAYS or not _is_text(one):
        return False
    tops = [min(line.box.y0 for line in lines) for lines in (one, other)]
    end = max(line.box.y1 for line in one)
    return tops[1] - tops[0] < 0.1 * (end - tops[0])


def _is_text(lines: Sequence[TextLine]) -> bool:
    width = max(line.box.x1 for line in lines) - min(line.box.x0 for line in lines)
    return median(line.box.width for line in lines) >= _FILLED * width


def _beside(one: Sequence[TextLine], other: Sequence[TextLine]) -> bool:
    tops = [min(line.box.y0 for line in lines) for lines in (one, other)]
    ends = [max(line.box.y1 for line in lines) for lines in (one, other)]
    shared = min(ends) - max(tops)
    return shared > 0.3 * min(end - top for top, end in zip(tops, ends, strict=True))


def _rows(lines: list[TextLine]) -> list[TextLine]:
    """Lines from the top; pieces that stand in one row are one line."""
    found: list[TextLine] = []
    for index in reading_order([line.box for line in lines]):
        line = lines[index]
        if found and _in_row(found[-1].box, line.box):
            before = found[-1]
            found[-1] = TextLine(
                f"{before.text} {line.text}", before.box.union(line.box), before.size, before.bold and line.bold
            )
        else:
            found.append(line)
    return found


def _in_row(before: Box, box: Box) -> bool:
    shared = min(before.y1, box.y1) - max(before.y0, box.y0)
    return box.x0 >= before.x1 - 0.005 and shared > _SAME_ROW * min(before.height, box.height)
