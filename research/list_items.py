"""Entries of a page's lists, and its sentences without the marks of these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from research.text import split_sentences

_MARK = re.compile(r"^[ \t]*(?:(?P<bullet>[-*+•])|\(?\d{1,2}[.)])[ \t]+(?=\S)", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[ \t]*(?P<words>\S.*?)[ \t]*\|?[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]*(?P<words>#{1,6} .*?)[ \t]*$", re.MULTILINE)
_BREAK = re.compile(r"\n[ \t]*\n|\n(?=#{1,6} )")


@dataclass(frozen=True, slots=True)
class ListItem:
    """An entry of a list or a row of a table."""

    #: Where its mark is, where its words are, and where they end.
    mark: int
    start: int
    end: int
    #: A list begins with it: other text stands between it and the entry before.
    is_first: bool


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, and the entry that it stands in."""

    start: int
    end: int
    #: Where the entry begins; None outside of lists and tables.
    item: int | None = None


def list_items(text: str) -> list[ListItem]:
    """Entries of all lists, in the order of the text."""
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
    """Sentences as `split_sentences` has them, but none over the border of an entry or a heading.

    The mark of an entry is left out; a heading keeps its own, which tells what it is.
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
    """Where each begins, where its words begin and end, and whether it is one line that is not to be divided."""
    yield from ((item.mark, item.start, item.end, False) for item in list_items(text))
    for pattern in (_ROW, _HEADING):
        yield from ((found.start(), *found.span("words"), True) for found in pattern.finditer(text))


def _within(text: str, start: int, end: int, language: str, item: int | None) -> Iterator[Unit]:
    for begin, stop in split_sentences(text[start:end], language):
        yield Unit(start + begin, start + stop, item)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
