"""Split lines into the words that are labelled: what is glued ("Oakley101", "3-207") comes apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

#: From this number of spaces on, a gap separates values as a tab does.
_WIDE = 3
#: A line that begins after so many spaces is set at the right or in the middle.
_INDENT = 12
#: Zero-width characters stand for spaces.
_SEPARATING = str.maketrans(dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00a0", " "))
_WORD = re.compile(
    r"(?<!\S)[^\s@]++@\S{1,255}\.\w+"
    r"|\d{1,2}(?:st|nd|rd|th|er|ro|do|to|mo|vo|no|ed|(?-i:[oa])|[°ºª])(?![^\W\d_])"
    r"|\d+"
    r"|[^\W\d_]+(?:(?:-|‐|['’](?!s\b))[^\W\d_]+)*"
    r"|([^\w\s]|_)\1*",
    re.IGNORECASE,
)


class Gap(StrEnum):
    """What is between a word and the one before it."""

    NOTHING = "nothing"
    SPACE = "space"
    WIDE = "wide"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class LabelWord:
    """A word, a number or a run of one sign; `start` and `end` are its place in its line."""

    text: str
    line: int
    start: int
    end: int
    gap: Gap


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A line that is not blank."""

    words: tuple[LabelWord, ...]
    after_blank: bool
    before_blank: bool
    indented: bool


def split_lines(lines: Sequence[str]) -> list[LabelLine]:
    """Return the lines with words. A blank line, a tab and a run of spaces separate as they do on the page.

    `LabelWord.line` counts the blank lines as well, so that it is an index of `lines`.
    """
    found: list[LabelLine] = []
    for number, line in enumerate(lines):
        words = _split(line.translate(_SEPARATING), number)
        if words:
            blank = number > 0 and not lines[number - 1].strip()
            next_blank = number + 1 == len(lines) or not lines[number + 1].strip()
            indented = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip()) >= _INDENT
            found.append(LabelLine(words, blank, next_blank, indented))
    return found


def _split(line: str, number: int) -> tuple[LabelWord, ...]:
    words: list[LabelWord] = []
    end = 0
    for hit in _WORD.finditer(line):
        between = line[end : hit.start()]
        if not words:
            gap = Gap.LINE
        elif not between:
            gap = Gap.NOTHING
        elif "\t" in between or len(between) >= _WIDE:
            gap = Gap.WIDE
        else:
            gap = Gap.SPACE
        words.append(LabelWord(hit.group(), number, hit.start(), hit.end(), gap))
        end = hit.end()
    return tuple(words)
