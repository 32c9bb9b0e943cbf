"""The header of a form that an editor re-flowed: where it ends, its cells, and the lines in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.extraction.placement import best_placement
from pipeline.extraction.printed import FoundText, LineText, find_glued, openings_of
from pipeline.extraction.tokens import Line, Token, box_of, recognised_lines, runs_of
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import HEADER_KINDS, FormSpec, Printed, PrintedRole

# The header of a re-flowed page: where it ends, which form it is of, and its cells as lines of text.


#: Greatest distance (points) of a value below the lowest label of a header.
HANGING = 40.0


def header_bottom(profile: FormSpec, found: dict[str, list[FoundText]]) -> float | None:
    """Return the lower edge (points) of a re-flowed page's header, None for a page that shows no header.

    The essay's prompt ends it; without one, the lowest label of a short field, as far as values can hang below.
    """
    below, labels = [], []
    for printed in profile.printed:
        boxes = [place.box for text in printed.texts for place in found.get(text, ())]
        if printed.role is PrintedRole.PROMPT:
            below += [box.y0 for box in boxes]
        elif printed.role is PrintedRole.LABEL and printed.field in profile.fields_of_kind(*HEADER_KINDS):
            labels += [box.y1 for box in boxes]
    return min(below) if below else max(labels) + HANGING if labels else None


def likeliest_form(
    candidates: list[FormSpec], lines: list[LineText], found: dict[str, list[FoundText]]
) -> FormSpec:
    """Return the form of a re-flowed page: the one with an exact title, or with the most fields asked for.

    The titles of two years differ in a digit, and short labels do not anchor a layout.
    """
    exact = {
        text: max(place.end - place.start for place in places if place.likeness == 100.0)
        for text, places in found.items()
        if any(place.likeness == 100.0 for place in places)
    }
    # A line with a word or two of a title is exact for the titles of all years.
    longest = max((exact.get(text, 0) for p in candidates for text in _titles(p)), default=0)
    titled = [p for p in candidates if longest and longest in map(exact.get, _titles(p))] or candidates
    asked = fields_asked(titled, lines, found)
    most = [form for form, fields in zip(titled, asked, strict=True) if fields == max(asked)]
    return best_placement(most, found).profile


def fields_asked(forms: list[FormSpec], lines: list[LineText], found: dict[str, list[FoundText]]) -> list[int]:
    """Return for each form the number of its labels on the page; short ones count only at the start of a line.

    A label may be joined to its value ("GradeThird").
    """
    short = {text for form in forms for label in _labels(form) for text in label.texts} - found.keys()
    glued = {text for text in short if find_glued(enumerate(lines), text)}
    there = found.keys() | openings_of(lines, short) | glued
    return [len({label.field for label in _labels(form) if there.intersection(label.texts)}) for form in forms]


def _titles(form: FormSpec) -> list[str]:
    return [text for p in form.printed if p.role is PrintedRole.TITLE and p.at for text in p.texts]


def _labels(form: FormSpec) -> list[Printed]:
    return [p for p in form.printed if p.role is PrintedRole.LABEL]


def with_cells(lines: list[LineText], bottom: float) -> list[LineText]:
    """Return the lines of a re-flowed page, with each cell of the header above `bottom` as one line."""
    above = [token for line in lines for token in line.tokens if token.box.cy < bottom]
    rest = [[token for token in line.tokens if token.box.cy >= bottom] for line in lines]
    return [LineText(tokens) for tokens in [*cells_of(above), *rest] if tokens]


# The lines within a cell of a re-flowed header: where each ends, and whether the next one continues it.


#: Cells whose left edges are this near (points) are one column.
_COLUMN = 6.0
#: Width of a space, as a share of the type's size.
_SPACE = 0.25


def cell_lines(run: Sequence[Token]) -> list[Line]:
    """Split words of a cell into lines: a line begins where the text goes back to the left."""
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
    """Whether a line is not a wrap of the one before: its first word would have fit there.

    `right`: the right edge (points) of the column's lines, which never exceeds the room that there was.
    """
    last, first = before[-1], line[0]
    space = 0.0 if last.text.endswith("-") else _SPACE * (first.size or first.box.height)
    return last.box.x1 + space + first.box.width < right - 0.5


def whole_words(lines: Sequence[Line]) -> list[Token]:
    """Return the words of a value; a word that was broken at a hyphen is joined again."""
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
    """Return the sort key of lines: from the top, then from the left."""
    box = box_of(line)
    return box.cy, box.x0


# The cells of a re-flowed header: lines joined by their left edges, so that a wrap stays in its cell.
#
# Two columns of text have lines at the same heights. A line continues the cell whose left edge it begins at, never
# the text beside it.


#: Space between words (points) that separates two pieces of a printed or recognised line.
GAP = 12.0
#: Space (times the type's size) after which a word at a column's edge belongs to that column, and up to which a
#: piece that is not at an edge continues the one before it.
_AT_EDGE, _WORD = 0.4, 0.65
#: Maximum distance (points) of a line's beginning from its column's edge: in a text layer, in a recognised page.
_EXACT, _ROUGH = 1.5, 6.0
#: Greatest distance (heights) of a line from the one that it continues.
WRAP = 2.1
#: Most lines of a header, counting adjacent ones separately.
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

    If there are more lines than any header has, each is its own cell, since all pairs would be compared.
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
    """Split lines that two cells share, at a word that begins at the left edge of another line."""
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
    """Join pieces that are one space apart, such as a label and a value in another type."""
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
