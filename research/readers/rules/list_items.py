"""Split a page into list entries, and into sentences that do not cross entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from research.text import split_sentences

_MARK = re.compile(r"^[ \t]*(?:(?P<bullet>[-*+•])|\(?\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*+\|[ \t]*+(?P<words>\S(?:.*[^ \t\n])?)[ \t]*+$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*+(?P<words>#{1,6} (?:.*[^ \t\n])?)[ \t]*+$", re.MULTILINE)
_BREAK = re.compile(r"\n[ \t]*\n|\n(?=#{1,6} )")


@dataclass(frozen=True, slots=True)
class ListItem:
    """An entry of a list or a row of a table."""

    #: Start of its mark, start of its text, end of its text.
    mark: int
    start: int
    end: int
    #: It begins a list: other text separates it from the previous entry.
    is_first: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, and the entry that contains it."""

    start: int
    end: int
    #: Start of the entry; None outside lists and tables.
    item: int | None = None


def list_items(text: str) -> list[ListItem]:
    """Return the entries of all lists in text order."""
    marks = list(_MARK.finditer(text))
    items: list[ListItem] = []
    for match, following in pairwise([*marks, None]):
        if match is None:
            break
        stop = following.start() if following else len(text)
        gap = _BREAK.search(text, match.end(), stop)
        end = gap.start() if gap else stop
        words_end = match.end() + len(text[match.end() : end].rstrip())
        is_first = not items or bool(text[items[-1].end : match.start()].strip())
        items.append(ListItem(match.start(), match.end(), words_end, is_first))
    return items


def sentence_units(text: str, language: str) -> Iterator[Unit]:
    """Yield sentences as `split_sentences` does, but none that crosses the border of an entry or heading.

    An entry's mark is excluded; a heading keeps its mark, which identifies it.
    """
    at = 0
    for mark, start, end, is_line in sorted(_entries(text)):
        if mark < at:
            continue
        yield from _within(text, at, mark, language, None)
        if is_line:
            yield Unit(start, end, None if text[start] == "#" else mark)
            at = _line_end(text, end)
        else:
            yield from _within(text, start, end, language, mark)
            at = end
    yield from _within(text, at, len(text), language, None)


def _entries(text: str) -> Iterator[tuple[int, int, int, bool]]:
    """Yield start, start and end of text, and whether it is a single line that must not be split."""
    yield from ((item.mark, item.start, item.end, False) for item in list_items(text))
    for found in _HEADING.finditer(text):
        yield found.start(), *found.span("words"), True
    for found in _ROW.finditer(text):
        words = found["words"]
        bare = words[:-1].rstrip(" \t") if len(words) > 1 and words.endswith("|") else words
        yield found.start(), found.start("words"), found.start("words") + len(bare), True


def _within(text: str, start: int, end: int, language: str, item: int | None) -> Iterator[Unit]:
    for begin, stop in split_sentences(text[start:end], language):
        yield Unit(start + begin, start + stop, item)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
