"""Lines that stand at the edge of several pages of an entry: running titles, which are no part of its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pipeline.extraction.page_reading import PageReading, written_lines
from pipeline.extraction.tokens import PAGE_HEIGHT, Line, Token, box_of, text_of
from pipeline.extraction.values.text import squeezed

#: Height (points) of the margins above and below, and words of a running title.
_MARGIN, _WORDS = 62.0, 14


def running_titles(readings: Iterable[PageReading]) -> frozenset[str]:
    """Return what at least two pages without a form have in their margins, without its digits."""
    pages = [reading for reading in readings if reading.profile is None]
    if len(pages) < 2:
        return frozenset()
    counts = Counter(text for reading in pages for text in {_bare(line) for line in _in_margins(reading)})
    return frozenset(text for text, count in counts.items() if count > 1 and text)


def titles_on(reading: PageReading, titles: frozenset[str]) -> list[Token]:
    """Return the words of a page that are one of these running titles."""
    return [token for line in _in_margins(reading) if _bare(line) in titles for token in line] if titles else []


def _in_margins(reading: PageReading) -> Sequence[Line]:
    lines = written_lines(reading)
    # The first and the last lines of a page printed to its edges are text: no more than two are looked at.
    edges = [*lines[:2], *lines[-2:]] if len(lines) > 4 else lines
    return [line for line in edges if len(line) <= _WORDS and _at_edge(line)]


def _at_edge(line: Line) -> bool:
    middle = box_of(line).cy
    return middle <= _MARGIN or middle >= PAGE_HEIGHT - _MARGIN


def _bare(line: Line) -> str:
    return "".join(c for c in squeezed(text_of(line)) if not c.isdigit())
