"""Align the lines of an essay with the rows of writing on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from rapidfuzz import fuzz

from services.pages.document_pages import Place

#: Lines that an essay may have.
MOST_LINES = 2000
#: Rows of the page that lines are matched with, and characters of a line that are compared with a row.
_MOST_ROWS, _COMPARED = 300, 200
#: Pairs of equal words, one of a text and one of the page, up to which a text is broken into the page's rows.
_MOST_PAIRS = 100_000
#: Least similarity (0-1) at which a line can be matched with a row of the page.
_ALIKE = 0.45
#: Least share of a text's words that must be found on the page for it to be broken into the page's rows.
_FOUND = 0.5


@dataclass(frozen=True)
class Row:
    """One row of writing on the page; the text is empty if none was recognised."""

    place: Place
    text: str = ""


@dataclass(frozen=True)
class EssayLine:
    """One line of the transcription; `place` is None if it matches no row of the page."""

    text: str
    place: Place | None = None


def essay_lines(text: str, rows: Sequence[Row]) -> list[EssayLine]:
    """Return the lines of the text with their places among the rows of the page.

    A text without line ends is broken where the rows end. For an empty text the rows' own text is returned.
    """
    if not text.strip():
        return [EssayLine(row.text, row.place) for row in rows[:MOST_LINES]]
    return place_lines([text] if is_broken(text) else _broken(text, rows), rows)


def is_broken(text: str) -> bool:
    """Return whether the text contains line ends."""
    return "\n" in text


def place_lines(lines: Sequence[str], rows: Sequence[Row]) -> list[EssayLine]:
    """Match lines with rows, in order.

    Unmatched lines and rows between two matches are paired as well if they are equal in number. Of more than
    MOST_LINES lines, the last one returned holds all that remain, so that nothing typed is lost.
    """
    lines = "\n".join(lines).split("\n", MOST_LINES - 1)
    found = _fitting(lines, rows[:_MOST_ROWS])
    fixed = [(-1, -1), *sorted(found.items()), (len(lines), len(rows))]
    for (line, row), (next_line, next_row) in pairwise(fixed):
        between = [index for index in range(line + 1, next_line) if lines[index].strip()]
        if len(between) == next_row - row - 1:
            found.update(zip(between, range(row + 1, next_row), strict=True))
    return [
        EssayLine(text, rows[found[index]].place if index in found else None) for index, text in enumerate(lines)
    ]


def _fitting(lines: Sequence[str], rows: Sequence[Row]) -> dict[int, int]:
    """Return {line: row}: the alignment in order with the highest total similarity."""
    written = [row.text[:_COMPARED].casefold() for row in rows]
    gain = [[_gain(line, row) for row in written] for line in (line[:_COMPARED].casefold() for line in lines)]
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
    return max(0.0, fuzz.ratio(line, row) / 100 - _ALIKE)


def _broken(text: str, rows: Sequence[Row]) -> list[str]:
    """Break a text into lines where the page's rows end; return it whole if too few of its words are found."""
    words = text.split()
    read = [(word.casefold(), index) for index, row in enumerate(rows) for word in row.text.split()]
    typed, often = [word.casefold() for word in words], Counter(word for word, _ in read)
    if sum(often[word] for word in typed) > _MOST_PAIRS:
        return [text]
    matcher = SequenceMatcher(None, typed, [word for word, _ in read], autojunk=False)
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
