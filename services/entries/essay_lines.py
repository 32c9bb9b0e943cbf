"""The lines of an essay, each with the place on the page where it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from rapidfuzz import fuzz

from services.pages.document_pages import Place

#: Likeness (0-1) from which on a line may be the one that was read in a row of the page.
_ALIKE = 0.45
#: Share of the words that must be found on the page before a text is broken into the page's rows.
_FOUND = 0.5


@dataclass(frozen=True)
class Row:
    """One row of writing as the page shows it; without text where none was kept."""

    place: Place
    text: str = ""


@dataclass(frozen=True)
class EssayLine:
    """One line of the transcription; without a place where nothing like it was read."""

    text: str
    place: Place | None = None


def essay_lines(text: str, rows: Sequence[Row]) -> list[EssayLine]:
    """The lines of the text on the rows of the page.

    A text without line ends is broken where the rows end; without text, the rows give what was read in them.
    """
    if not text.strip():
        return [EssayLine(row.text, row.place) for row in rows]
    return place_lines(text.split("\n") if is_broken(text) else _broken(text, rows), rows)


def is_broken(text: str) -> bool:
    """Whether the text has lines of its own."""
    return "\n" in text


def place_lines(lines: Sequence[str], rows: Sequence[Row]) -> list[EssayLine]:
    """Lines and rows side by side in their order; what is left between two that fit is paired, too."""
    found = _fitting(lines, rows)
    fixed = [(-1, -1), *sorted(found.items()), (len(lines), len(rows))]
    for (line, row), (next_line, next_row) in pairwise(fixed):
        between = [index for index in range(line + 1, next_line) if lines[index].strip()]
        if len(between) == next_row - row - 1:
            found.update(zip(between, range(row + 1, next_row), strict=True))
    return [
        EssayLine(text, rows[found[index]].place if index in found else None) for index, text in enumerate(lines)
    ]


def _fitting(lines: Sequence[str], rows: Sequence[Row]) -> dict[int, int]:
    """{line: row}, in order, so that the likeness of all is the highest."""
    gain = [[_gain(line, row.text) for row in rows] for line in lines]
    best = [[0.0] * (len(rows) + 1) for _ in range(len(lines) + 1)]
    for i in reversed(range(len(lines))):
        for j in reversed(range(len(rows))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + gain[i][j])
    found, i, j = {}, 0, 0
    while i < len(lines) and j < len(rows):
        if gain[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + gain[i][j]:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _gain(line: str, row: str) -> float:
    if not line.strip() or not row:
        return 0.0
    return max(0.0, fuzz.ratio(line.casefold(), row.casefold()) / 100 - _ALIKE)


def _broken(text: str, rows: Sequence[Row]) -> list[str]:
    """The words of a text in lines as its words stand in rows; as it is where they stand nowhere."""
    words = text.split()
    read = [(word.casefold(), index) for index, row in enumerate(rows) for word in row.text.split()]
    matcher = SequenceMatcher(
        None, [word.casefold() for word in words], [word for word, _ in read], autojunk=False
    )
    row_of = {
        block.a + step: read[block.b + step][1]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    if len(row_of) < _FOUND * len(words):
        return [text]
    row, numbered = 0, []
    for index, word in enumerate(words):
        row = row_of.get(index, row)
        numbered.append((row, word))
    return [" ".join(word for _, word in line) for _, line in groupby(numbered, key=lambda pair: pair[0])]
