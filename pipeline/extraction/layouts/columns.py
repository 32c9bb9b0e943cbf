"""Running text in columns: read column by column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipeline.extraction.tokens import (
    PAGE_WIDTH,
    Line,
    Token,
    all_tokens,
    box_of,
    page_lines,
    recognised_lines,
    runs_of,
    token_text,
    visual_lines,
)
from pipeline.pages.page_model import Box, PageContent, Source, recalled

# Columns differ from tables, labels and headers of two parts by being prose: lines that fill their column and
# continue in the next line. Their words are moved, each column under the one at its left, so that code that reads
# lines from top to bottom gets them in order; `Token.place` still says where a word is on the page.


#: Space (points) between the lines of two columns, at least.
_GUTTER = 8.0
#: A column with a wider space (points) within most lines is several columns.
_PARTED = 12.0
#: From this number of rows of two pieces on, it is uncertain whether they are read across.
_UNSURE_ROWS = 5
#: Greatest distance (points) between the left edges of a column's lines: in a text layer, on a recognised page.
_EXACT, _ROUGH = 2.5, 9.0
#: Least width (points) of a column, and least lines unless it is the last one.
_NARROW, _LINES = 80.0, 3
#: Least share of the widest line's width, and least words, of a line that fills its column.
_FULL, _WORDS = 0.68, 3
#: Share of the lines of prose that begin with a small letter, and that fill the column, at least.
_GOING_ON, _FILLED = 0.35, 0.5
#: Greatest difference in type size between two lines of one text, as a share.
_SIZES = 0.2
#: Least and most pieces of lines on a page that is searched for columns.
_FEWEST, _MOST = 4, 600
#: Most left edges tried as those of columns, and most bands of columns on a page.
_MOST_EDGES, _MOST_BANDS = 12, 8
_SENTENCE_END = (".", "!", "?", '."', ".”", '!"', "!”", '?"', "?”", ":")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of one line without a wide gap."""

    tokens: Line
    box: Box


@dataclass(frozen=True, slots=True)
class _Band:
    """Adjacent columns, from the left, and the part of the page that they take (points)."""

    columns: list[list[Line]]
    top: float
    bottom: float


@recalled
def column_tokens(page: PageContent) -> list[Token] | None:
    """Return the words of a page with each column moved under the last one; None for a page without columns.

    On a page that lies on its side, forms or pages may lie beside each other: only what is under a line across the
    page counts as columns there.
    """
    lines = recognised_lines(all_tokens(page)) if page.source is Source.OCR else page_lines(page)
    if page.source is Source.OCR:
        lines.sort(key=lambda line: line[0].box.y0)
    return in_columns(lines, across=page.letter[0] > PAGE_WIDTH)


def in_columns(lines: Sequence[Line], *, across: bool = False) -> list[Token] | None:
    """Return the words of lines, from the top, column by column; None if there are no columns.

    Boxes in points of a letter page or of the form. `across`: columns count only under a line that runs across
    all of them.
    """
    if not _any_beside(lines):
        return None
    tokens = [token for line in lines for token in line]
    pieces = [_Piece(run, box_of(run)) for line in recognised_lines(tokens) for run in runs_of(line, _GUTTER)]
    if not _FEWEST <= len(pieces) <= _MOST:
        return None
    slack = _ROUGH if any(token.source is Source.OCR for token in tokens) else _EXACT
    bands = sorted(_bands(pieces, slack), key=lambda band: band.top)
    if across:
        bands = [band for band in bands if _has_line_across(band, pieces)]
    return _unrolled(tokens, bands) if bands else None


@recalled
def may_be_columns(page: PageContent) -> bool:
    """Whether rows have several texts of several words that are not prose: verses, or a table.

    They may have to be read across or down.
    """
    if page.source is not Source.TEXT_LAYER or not _any_beside(page_lines(page)) or column_tokens(page):
        return False
    runs = [run for line in page_lines(page) for run in runs_of(line, _GUTTER)]
    pieces = [_Piece(run, box_of(run)) for run in runs]
    if len(pieces) > _MOST:
        return False
    return any(
        _rows_beside(free, edge) >= _UNSURE_ROWS
        for edge in _edges(pieces, _EXACT)
        for free in _free_of_crossing(pieces, edge, _EXACT)
    )


def _rows_beside(pieces: Sequence[_Piece], edge: float) -> int:
    """Return how many pieces of several words begin at an edge and have another such piece on their line."""
    left = [piece.box.cy for piece in pieces if piece.box.x0 < edge - 0.5 and len(piece.tokens) >= _WORDS]
    right = [piece.box for piece in pieces if abs(piece.box.x0 - edge) <= _EXACT and len(piece.tokens) >= _WORDS]
    return sum(any(box.y0 < middle < box.y1 for middle in left) for box in right)


def _any_beside(lines: Sequence[Line]) -> bool:
    """Whether any line has text beside it; for most pages this settles the matter."""
    before: Box | None = None
    for line in lines:
        first, last = line[0], line[-1]
        if first.line != last.line:
            return True
        x0, y0, _, y1 = first.box
        if before is not None and y0 < before.y1 and (x0 > before.x1 or last.box.x1 < before.x0):
            return True
        before = Box(x0, y0, last.box.x1, y1)
    return False


def _bands(pieces: list[_Piece], slack: float, depth: int = _MOST_BANDS) -> list[_Band]:
    """Return the bands of columns among pieces, starting with the one with the most lines."""
    if depth <= 0 or len(pieces) < _FEWEST:
        return []
    best: _Band | None = None
    edges = _edges(pieces, slack)
    for number, edge in enumerate(edges):
        for free in _free_of_crossing(pieces, edge, slack):
            # Text across the gutter of a third column ends a band too, such as a title over two of three.
            narrower = [part for other in edges[number + 1 :] for part in _free_of_crossing(free, other, slack)]
            for stretch in [free, *(part for part in narrower if len(part) < len(free))]:
                band = _band(stretch, edge, slack)
                if band is not None and (best is None or _lines_of(band) > _lines_of(best)):
                    best = band
    if best is None:
        return []
    above = [piece for piece in pieces if piece.box.cy < best.top]
    below = [piece for piece in pieces if piece.box.cy > best.bottom]
    return [best, *_bands(above, slack, depth // 2), *_bands(below, slack, depth // 2)]


def _lines_of(band: _Band) -> int:
    return sum(map(len, band.columns))


def _edges(pieces: Sequence[_Piece], slack: float) -> list[float]:
    """Return the left edges that most pieces share, except the first column's, from the left."""
    start = min(piece.box.x0 for piece in pieces) + _NARROW
    groups: list[list[float]] = []
    for x in sorted(piece.box.x0 for piece in pieces if piece.box.x0 >= start):
        if groups and x - groups[-1][0] <= slack:
            groups[-1].append(x)
        else:
            groups.append([x])
    return sorted(group[0] for group in sorted(groups, key=len, reverse=True)[:_MOST_EDGES])


def _free_of_crossing(pieces: Iterable[_Piece], edge: float, slack: float) -> list[list[_Piece]]:
    """Return the stretches of a page, from the top, in which nothing lies across the gutter left of an edge."""
    stretches: list[list[_Piece]] = [[]]
    for piece in sorted(pieces, key=lambda piece: piece.box.cy):
        if piece.box.x0 < edge - 0.5 and piece.box.x1 > edge - _GUTTER + slack:
            stretches.append([])
        else:
            stretches[-1].append(piece)
    return [stretch for stretch in stretches if len(stretch) >= _FEWEST]


def _band(pieces: list[_Piece], edge: float, slack: float) -> _Band | None:
    """Return the columns of a stretch, the second of which begins at an edge; None if there are none."""
    left = [piece for piece in pieces if piece.box.x0 < edge - 0.5]
    right = [piece for piece in pieces if piece.box.x0 >= edge - 0.5]
    columns = _columns(left, right, slack)
    if columns is None:
        return None
    begins, ends = zip(*[prose for column in columns if (prose := _prose(column)) is not None], strict=True)
    top, bottom = min(begins) - 0.5, max(ends) + 0.5
    inside = [
        [line for line in column if top <= box_of(line).cy <= bottom or _goes_on_at(column, line, bottom)]
        for column in columns
    ]
    bottom = max(box_of(line).y1 for column in inside for line in column)
    return _Band(inside, top, bottom) if all(inside) else None


def _goes_on_at(column: Sequence[Line], line: Line, bottom: float) -> bool:
    """Whether a line follows the prose of a column directly."""
    at = column.index(line)
    if at == 0 or box_of(line).cy < bottom:
        return False
    return (
        box_of(line).y0 - box_of(column[at - 1]).y1 <= 0.8 * box_of(line).height
        and box_of(column[at - 1]).cy <= bottom
    )


def _columns(left: Sequence[_Piece], right: Sequence[_Piece], slack: float) -> list[list[Line]] | None:
    """Return the lines of each column, splitting the right pieces further; None if one is not prose."""
    if not left or not right:
        return None
    first = _lines(left)
    if not _is_strong(first):
        return None
    for edge in _edges(right, slack):
        before = [piece for piece in right if piece.box.x0 < edge - 0.5]
        behind = [piece for piece in right if piece.box.x0 >= edge - 0.5]
        if not any(piece.box.x1 > edge - _GUTTER + slack for piece in before):
            rest = _columns(before, behind, slack)
            if rest is not None and _goes_on(first, rest[0]):
                return [first, *rest]
    last = _lines(right)
    return [first, last] if _goes_on(first, last) and (_is_strong(last) or _is_rest(first, last)) else None


def _lines(pieces: Iterable[_Piece]) -> list[Line]:
    return visual_lines(token for piece in pieces for token in piece.tokens)


def _prose(column: Sequence[Line]) -> tuple[float, float] | None:
    """Return the middles (points) of the first and the last line of prose; None without one.

    Prose begins with a line that fills the column, under a title and short lines of a header.
    """
    boxes = [box_of(line) for line in column]
    width = max(box.width for box in boxes)
    full = [box.width >= _FULL * width and len(line) >= _WORDS for line, box in zip(column, boxes, strict=True)]
    small = [_begins_small(line) for line in column]
    begins = next((n for n, filled in enumerate(full) if filled and _leads_on(column, n)), None)
    if begins is None:
        return (boxes[0].cy, boxes[-1].cy) if len(column) < _LINES and (small[0] or full[0]) else None
    while begins and full[begins - 1] and _ends_sentence(column[begins - 1]) and _is_next(column, begins):
        begins -= 1
    ends = max(n for n in range(len(full)) if full[n] or small[n])
    return boxes[begins].cy, boxes[ends].cy


def _leads_on(column: Sequence[Line], at: int) -> bool:
    return at + 1 < len(column) and _begins_small(column[at + 1]) and _is_next(column, at + 1)


def _is_next(column: Sequence[Line], at: int) -> bool:
    """Whether a line is of the same type as the one above it, and right below."""
    above, line = column[at - 1], column[at]
    near = box_of(line).y0 - box_of(above).y1 <= box_of(line).height
    return near and abs(_size(above) - _size(line)) <= _SIZES * _size(line)


def _size(line: Line) -> float:
    return median(token.size or token.box.height for token in line)


def _is_strong(column: Sequence[Line]) -> bool:
    prose = _prose(column)
    if prose is None:
        return False
    lines = [line for line in column if prose[0] <= box_of(line).cy <= prose[1]]
    boxes = [box_of(line) for line in lines]
    width = max(box.width for box in boxes)
    going_on = sum(map(_begins_small, lines[1:]))
    filled = sum(box.width >= _FULL * width for box in boxes)
    parted = sum(len(runs_of(line, _PARTED)) > 1 for line in lines)
    return (
        parted < _FILLED * len(lines)
        and len(lines) >= _LINES
        and width >= _NARROW
        and median(map(len, lines)) >= _WORDS
        and going_on >= max(_GOING_ON * (len(lines) - 1), 1)
        and filled >= _FILLED * len(lines)
    )


def _is_rest(first: Sequence[Line], last: Sequence[Line]) -> bool:
    """Whether a column of a line or two, which alone is not prose, continues the one before."""
    top = _prose(first)
    if top is None or len(last) >= _LINES:
        return False
    level = abs(box_of(last[0]).cy - top[0]) <= 1.5 * box_of(last[0]).height
    return (
        level
        and (_begins_small(last[0]) or len(last[0]) > _WORDS)
        and _ends_sentence(first[-1]) != _begins_small(last[0])
    )


def _goes_on(before: Sequence[Line], column: Sequence[Line]) -> bool:
    """Whether a column may continue the one before: they are next to each other."""
    prose = _prose(column)
    if prose is None:
        return False
    boxes = [box_of(line) for line in before]
    return min(boxes[-1].cy, prose[1]) >= max(boxes[0].cy, prose[0]) - boxes[0].height


def _begins_small(line: Line) -> bool:
    first = next((c for c in token_text(line) if c.isalpha()), "")
    return first.islower()


def _ends_sentence(line: Line) -> bool:
    return token_text(line).endswith(_SENTENCE_END)


def _has_line_across(band: _Band, pieces: Iterable[_Piece]) -> bool:
    gutter = min(token.box.x0 for line in band.columns[1] for token in line) - _GUTTER / 2
    return any(piece.box.x0 < gutter < piece.box.x1 and piece.box.cy < band.top for piece in pieces)


def _unrolled(tokens: Iterable[Token], bands: Sequence[_Band]) -> list[Token]:
    """Return the words with each column moved under the one at its left, and all below moved down accordingly."""
    moves: dict[int, tuple[float, float]] = {}
    longer: list[tuple[float, float]] = []
    for band in bands:
        down, left = 0.0, _left(band.columns[0])
        foot = max(box_of(line).cy for line in band.columns[0])
        for before, column in pairwise(band.columns):
            down = foot + _pitch([*before, *column], band) - box_of(column[0]).cy
            across = left - _left(column)
            moves |= {id(token): (across, down) for line in column for token in line}
            foot = max(box_of(line).cy for line in column) + down
        longer.append((band.bottom, max(foot - max(box_of(line).cy for c in band.columns for line in c), 0.0)))
    numbers = max((token.line for token in tokens), default=0) + 1
    return [_moved(token, *moves.get(id(token), (0.0, 0.0)), longer, numbers) for token in tokens]


def _left(column: Sequence[Line]) -> float:
    return min(line[0].box.x0 for line in column)


def _pitch(lines: Sequence[Line], band: _Band) -> float:
    """Return the distance (points) between two lines of prose."""
    steps = [
        step
        for column in band.columns
        for above, below in pairwise(column)
        if (step := box_of(below).cy - box_of(above).cy) > 0
    ]
    return median(steps) if steps else box_of(lines[0]).height


def _moved(token: Token, across: float, down: float, longer: Sequence[tuple[float, float]], numbers: int) -> Token:
    """Return a word moved with its column, and down by the length that the bands above have gained."""
    extra = sum(more for bottom, more in longer if token.box.cy > bottom)
    if not (across or down or extra):
        return token
    x0, y0, x1, y1 = token.box
    box = Box(x0 + across, y0 + down + extra, x1 + across, y1 + down + extra)
    return token._replace(box=box, origin=token.place, line=token.line + (numbers if down else 0))
