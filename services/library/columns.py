"""Order the lines of a page for reading, one column after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.pages.reading_order import reading_order

#: Least number of lines of a column.
_LINES = 5
#: Least number of lines of a left column whose text continues in a short right one; most lines that may then
#: cross the gutter (headers and footers).
_FULL, _STRAYS = 15, 2
#: Headers, footers and page numbers are within this share of the page's height from its top or bottom.
_EDGE = 0.08
#: Least median width of the lines in running text, as a share of the column's width; table cells are narrower.
_FILLED = 0.6
#: Most lines of a page in columns that may cross the gutter (titles, wide tables), as a share of the others.
_CROSSING = 0.5
#: Pieces that overlap vertically by more than this share of the smaller height are in one row.
_SAME_ROW = 0.5


@dataclass(frozen=True, slots=True)
class TextLine:
    """A printed line: its text, its box on the page and its type size."""

    text: str
    box: Box
    #: In points; 0 if unknown.
    size: float
    bold: bool


def lines_of(page: PageContent) -> list[TextLine]:
    """Return the page's lines in reading order: each column from the top, the left column first."""
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
    """Return the x coordinate of the gap between two columns of running text; None if there is one column."""
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
    """Score an x coordinate as a gutter: lines on the side with fewer of them, less the lines that cross it."""
    one = sum(line.box.x1 <= place for line in lines)
    other = sum(line.box.x0 >= place for line in lines)
    return min(one, other) - (len(lines) - one - other)


def _begins_column(one: Sequence[TextLine], other: Sequence[TextLine], crossing: int) -> bool:
    """Return whether the text ends in a few lines at the top of the right column, beside a full left one."""
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
    """Return the lines from top to bottom, with pieces in the same row joined into one line."""
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
