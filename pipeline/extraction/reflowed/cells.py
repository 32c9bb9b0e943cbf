"""The cells of a re-flowed header: lines joined by their left edges, so that a wrap stays in its cell.

Two columns of text have lines at the same heights. A line continues the cell whose left edge it begins at, never
the text beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.extraction.tokens import Line, Token, box_of, recognised_lines, runs_of
from pipeline.pages.page_model import Box, Source

#: Space between words (points) that separates two pieces of a printed or recognised line.
GAP = 12.0
#: Space (of the type's size) after which a word at a column's edge belongs to that column, and up to which a piece
#: that begins at no edge continues the one before it.
_AT_EDGE, _WORD = 0.4, 0.65
#: Maximum distance (points) of a line's beginning from its column's edge: in a text layer, in a recognised page.
_EXACT, _ROUGH = 1.5, 6.0
#: A line is at most this many heights below the one that it continues.
WRAP = 2.1
#: Most lines of a header, those beside each other counted one by one.
_MOST = 600


@dataclass(slots=True)
class _Piece:
    """One line of one cell."""

    tokens: Line
    box: Box

    @classmethod
    def of(cls, tokens: Line) -> _Piece:
        return cls(tokens, box_of(tokens))


def cells_of(tokens: Iterable[Token]) -> list[Line]:
    """Return the cells of a header, from the top, each with the words of its lines in reading order.

    Where there are more lines than any header has, each is a cell: every one would be compared with every other.
    """
    lines = [run for line in recognised_lines(tokens) for run in runs_of(line, GAP)]
    if not lines:
        return []
    if len(lines) > _MOST:
        return lines
    slack = _ROUGH if any(token.source is Source.OCR for line in lines for token in line) else _EXACT
    pieces = _joined(_parted([_Piece.of(line) for line in lines], slack), slack)
    return [[t for piece in cell for t in piece.tokens] for cell in _chained(pieces, slack)]


def _parted(pieces: Sequence[_Piece], slack: float) -> list[_Piece]:
    """Split lines that two cells share where a word begins at the left edge of another line."""
    parts: list[_Piece] = []
    for piece in pieces:
        edges = [other.box.x0 for other in pieces if other is not piece]
        start = 0
        for n, (before, token) in enumerate(pairwise(piece.tokens), 1):
            space = token.box.x0 - before.box.x1
            if space > _AT_EDGE * _size(token) and any(abs(token.box.x0 - edge) <= slack for edge in edges):
                parts.append(_Piece.of(piece.tokens[start:n]))
                start = n
        parts.append(_Piece.of(piece.tokens[start:]))
    return parts


def _joined(pieces: Sequence[_Piece], slack: float) -> list[_Piece]:
    """Join what stands one word's space apart, such as a label and a value in another type."""
    whole: list[_Piece] = []
    for piece in sorted(pieces, key=lambda p: p.box.x0):
        before = next((p for p in reversed(whole) if _follows(piece, p)), None)
        shared = sum(abs(other.box.x0 - piece.box.x0) <= slack for other in pieces)
        if before is None or shared > 1:
            whole.append(piece)
        else:
            before.tokens = [*before.tokens, *piece.tokens]
            before.box = before.box.union(piece.box)
    return whole


def _follows(piece: _Piece, before: _Piece) -> bool:
    space = piece.box.x0 - before.box.x1
    size = _size(piece.tokens[0])
    return -0.5 * size <= space <= _WORD * size and _level(piece.box, before.box)


def _level(a: Box, b: Box) -> bool:
    return abs(a.cy - b.cy) <= 0.35 * max(a.height, b.height)


def _chained(pieces: Sequence[_Piece], slack: float) -> list[list[_Piece]]:
    """Append each line to the cell whose last line is right above it, at the same left edge."""
    cells: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.box.cy, p.box.x0)):
        above = [cell for cell in cells if _continues(piece.box, cell[-1].box, cell[0].box.x0, slack)]
        if above:
            max(above, key=lambda cell: cell[-1].box.cy).append(piece)
        else:
            cells.append([piece])
    return cells


def _continues(box: Box, last: Box, edge: float, slack: float) -> bool:
    height = max(box.height, last.height)
    return abs(box.x0 - edge) <= slack and 0.5 * height < box.cy - last.cy <= WRAP * height


def _size(token: Token) -> float:
    return token.size or token.box.height
