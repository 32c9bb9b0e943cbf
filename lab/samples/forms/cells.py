"""Table cells whose text wraps: paragraphs of labels and values, each broken at the edge of its own cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lab.samples.hand import fonts


@dataclass(frozen=True)
class Piece:
    """A label, a separator or a value; `field` names the field of a value."""

    text: str
    face: str
    field: str | None = None


@dataclass(frozen=True)
class Cell:
    """Where a cell's text begins, and how wide it is."""

    x: float
    width: float
    size: float
    leading: float


@dataclass(frozen=True)
class Stroke:
    """One run of text on a line; `y` is its baseline."""

    x: float
    y: float
    text: str
    face: str
    size: float
    field: str | None


@dataclass(frozen=True)
class _Atom:
    """What no line's end parts."""

    text: str
    piece: Piece
    spaced: bool
    #: Whether it goes on with a word that was too wide.
    broken: bool = False


#: A line may end after a space and after a hyphen within a word.
_BREAKS = re.compile(r"\S*?[^\W\d_]-(?=[^\W\d_])|\S+")


def set_cell(cell: Cell, top: float, paragraphs: Iterable[Sequence[Piece]]) -> tuple[list[Stroke], float]:
    """Return the strokes of a cell whose first baseline is `top`, and the baseline below its last line."""
    strokes: list[Stroke] = []
    y = top
    for paragraph in paragraphs:
        for line in _lines(list(_fitting(_atoms(paragraph), cell)), cell):
            strokes += _strokes(line, cell, y)
            y += cell.leading
    return strokes, y


def _atoms(paragraph: Sequence[Piece]) -> Iterator[_Atom]:
    spaced = False
    for piece in paragraph:
        end = 0
        for match in _BREAKS.finditer(piece.text):
            yield _Atom(match.group(), piece, spaced or match.start() > end)
            spaced, end = False, match.end()
        spaced = spaced or end < len(piece.text)


def _fitting(atoms: Iterable[_Atom], cell: Cell) -> Iterator[_Atom]:
    """Yield the atoms, those too wide for the cell broken between any two letters."""
    for atom in atoms:
        rest = atom
        while _width(rest, cell) > cell.width:
            end = next(n for n in range(2, len(rest.text)) if _width(_part(rest, n + 1), cell) > cell.width)
            yield _part(rest, end)
            rest = _Atom(rest.text[end:], rest.piece, spaced=False, broken=True)
        yield rest


def _part(atom: _Atom, end: int) -> _Atom:
    return replace(atom, text=atom.text[:end])


def _lines(atoms: list[_Atom], cell: Cell) -> list[list[_Atom]]:
    lines: list[list[_Atom]] = []
    x = 0.0
    for n, atom in enumerate(atoms):
        breakable = atom.spaced or atom.broken or (n > 0 and atoms[n - 1].text.endswith("-"))
        advance = _width(atom, cell) + (_space(atom, cell) if atom.spaced else 0.0)
        ahead = advance + sum(_width(a, cell) for a in _bound(atoms, n))
        # What is glued to a label breaks there only if there is no other way.
        if not lines or x + (ahead if breakable else advance) > cell.width:
            lines.append([])
            x, advance = 0.0, _width(atom, cell)
        lines[-1].append(atom)
        x += advance
    return lines


def _bound(atoms: list[_Atom], n: int) -> Iterator[_Atom]:
    """Yield the atoms that must stay on the line of atom `n`."""
    for before, atom in zip(atoms[n:], atoms[n + 1 :], strict=False):
        if atom.spaced or atom.broken or before.text.endswith("-"):
            return
        yield atom


def _width(atom: _Atom, cell: Cell) -> float:
    return fonts.width(atom.piece.face, atom.text, cell.size)


def _space(atom: _Atom, cell: Cell) -> float:
    return fonts.width(atom.piece.face, " ", cell.size)


def _strokes(line: list[_Atom], cell: Cell, y: float) -> Iterator[Stroke]:
    x = cell.x
    for piece, atoms in groupby(line, key=lambda atom: atom.piece):
        text, first = "", True
        for atom in atoms:
            spaced = atom.spaced and atom is not line[0]
            if spaced and first:
                x += _space(atom, cell)
            text += f" {atom.text}" if spaced and not first else atom.text
            first = False
        yield Stroke(x, y, text, piece.face, cell.size, piece.field)
        x += fonts.width(piece.face, text, cell.size)
