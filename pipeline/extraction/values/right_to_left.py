"""Bring the words of a line that runs from right to left into the order in which they were written.

The rules of the Unicode Bidirectional Algorithm (UAX #9) for whole words, the other way around: what is seen from
the left is given, what was typed is wanted. Within a word the letters are in order already.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

#: Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours, and the forms of Hebrew and Arabic.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_STRONG = {"L": "L", "R": "R", "AL": "R"}


def as_written(words: Sequence[str]) -> list[str]:
    """Return the words of a line, given from left to right, in the order of writing.

    Where all words with letters run from right to left the whole line does; else each stretch of them in a line
    that runs from left to right, with the numbers and signs between them.
    """
    directions = [_direction(word) for word in words]
    if "R" not in directions:
        return list(words)
    if "L" not in directions:
        return list(reversed(words))
    found: list[str] = []
    at = 0
    while at < len(words):
        end = _end(directions, at)
        found += reversed(words[at:end])
        at = end
    return found


def _direction(word: str) -> str:
    """R or L by the first letter that has a direction, "" for numbers and signs."""
    return next((_STRONG[kind] for kind in map(unicodedata.bidirectional, word) if kind in _STRONG), "")


def _end(directions: Sequence[str], begin: int) -> int:
    """The end of the stretch that begins here: of one word unless that runs from right to left."""
    end = begin + 1
    if directions[begin] == "R":
        for at in range(begin + 1, len(directions)):
            if directions[at] == "L":
                break
            if directions[at] == "R":
                end = at + 1
    return end
