"""The lines within a cell of a re-flowed header: where one ends, and whether the next one continues it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pipeline.extraction.tokens import Line, Token, box_of

#: Cells whose left edges are this near (points) are one column.
_COLUMN = 6.0
#: Width of a space, as a share of the type's size.
_SPACE = 0.25


def lines_in(run: Sequence[Token]) -> list[Line]:
    """Split words of a cell into its lines: one begins where the text goes back to the left."""
    lines: list[Line] = []
    for token in run:
        if lines and token.box.x0 > lines[-1][-1].box.x0:
            lines[-1].append(token)
        else:
            lines.append([token])
    return lines


def right_edges(cells: Sequence[Sequence[Token]], stop: float) -> list[float]:
    """Return for each cell how far (points) any line of its column reaches; only words above `stop` count."""
    columns: list[tuple[float, float]] = []
    for cell in cells:
        above = [token.box.x1 for token in cell if token.box.cy < stop]
        columns.append((cell[0].box.x0, max(above, default=0.0)))
    return [max(right for x, right in columns if abs(x - own) <= _COLUMN) for own, _ in columns]


def begins_paragraph(before: Line, line: Line, right: float) -> bool:
    """Whether a line is not the wrapped rest of the one before: its first word would have had room there.

    `right`: how far (points) the lines of the column reach, which is never more than there was room for.
    """
    last, first = before[-1], line[0]
    space = 0.0 if last.text.endswith("-") else _SPACE * (first.size or first.box.height)
    return last.box.x1 + space + first.box.width < right - 0.5


def whole_words(lines: Sequence[Line]) -> list[Token]:
    """Return the words of a value; one that was broken at its hyphen is joined again."""
    tokens = [token for line in lines for token in line]
    ends = {id(line[-1]) for line in lines[:-1]}
    joined: list[Token] = tokens[:1]
    for before, token in pairwise(tokens):
        broken = id(before) in ends and before.text[-2:-1].isalpha() and before.text.endswith("-")
        if broken and token.text[:1].isalpha():
            joined[-1] = joined[-1]._replace(text=joined[-1].text + token.text)
        else:
            joined.append(token)
    return joined


def top_of(line: Sequence[Token]) -> tuple[float, float]:
    """Return what lines are sorted by: from the top, then from the left."""
    box = box_of(line)
    return box.cy, box.x0
