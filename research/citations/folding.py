"""Fold texts: remove typographic variation and keep the characters in which a quotation must match its source.

White space, dashes, quote marks, square brackets, ¡¿, Markdown syntax, footnote numbers and invisible characters
are dropped; the rest is normalised to NFKC and lower case. `alignment` later compares what was dropped.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache, cached

#: Hyphens that may divide a word at a line's end.
HYPHENS = "\\-\u2010\u2011\u00ad\u00ac"
DASHES = f"{HYPHENS}\u2012-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u00b4`\uff07"
QUOTE_MARKS = f'{APOSTROPHES}"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\uff02'
INVISIBLE = "\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
BULLETS = "\u2022\u25aa\u25e6\u2023\u00b7*"
DROPPED = rf"\s\[\]\u00a1\u00bf_{DASHES}{QUOTE_MARKS}{INVISIBLE}{BULLETS}"
MARKS = "\u0300-\u036f"

#: A source's own bracketed reference numbers, targets of Markdown links, prefixes of headings and block quotes.
FURNITURE = r"\[\d{1,3}(?:[,;\u2013-]\s?\d{1,3})*\]|\]\([^()\s]{4,}\)|^[ \t]*(?:#{1,6}|>+)[ \t]+"
#: Footnote numbers: superscript after a mark or a word too long for a unit, or, where the formatting was lost,
#: plain digits between two sentences.
_NOTE = re.compile(
    r"(?:(?<=[.,;:!?\u2019\u201d\u00bb\"])|(?<=[^\W\d_]{4}))[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}(?=[\s.,;:!?)]|$)"
    r"|(?:(?<=[^\W\d_]{4}[.!?])|(?<=[^\W\d_][.!?][\"\u201d\u00bb\u2019])|(?<=\b(?:1[5-9]|20)\d\d[.]))"
    r"\d{1,2}(?=\s+[\"\u201c\u00ab\u2018\u00bf\u00a1(]?[A-Z\u00c0-\u00dd])"
)
#: Characters that NFKC leaves unchanged and whose lower case is one character.
_PLAIN = (
    "!#-&(-),./0-9:;<=>?@A-Z\\\\^a-z{|}~\u00a2\u00a3\u00a5\u00a7\u00b0\u00b1"
    "\u00c0-\u00f6\u00f8-\u012f\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0400-\u04ff\u20ac\u4e00-\u9fff"
)
_TOKEN = re.compile(
    rf"(?P<furniture>{FURNITURE})|(?P<plain>[{_PLAIN}]+(?![{MARKS}]))|(?P<cluster>[^{DROPPED}][{MARKS}]*)",
    re.MULTILINE,
)
_DROPPED = re.compile(f"[{DROPPED}]")
#: Size of the cache of folded sources, in characters.
_KEPT_CHARS = 20_000_000


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text: `letters`, and in `at` the position of each letter in `original`."""

    original: str
    letters: str
    at: array[int]

    def index_at(self, place: int) -> int:
        """Return the index of the first letter at or after a position of the original."""
        return bisect_left(self.at, place)

    def end_of(self, index: int) -> int:
        """Return the position in the original after the letter and its combining marks."""
        end = self.at[index] + 1
        while end < len(self.original) and unicodedata.combining(self.original[end]):
            end += 1
        return end


def fold(text: str) -> Folded:
    """Fold a text; a megabyte takes a fraction of a second."""
    pieces: list[str] = []
    at = array("Q")
    for match in _tokens(text):
        if match.lastgroup == "plain":
            pieces.append(match[0].lower())
            at.extend(range(match.start(), match.end()))
        elif match.lastgroup == "cluster":
            letters = _letters(match[0], text[match.start() - 1 : match.start()])
            pieces.append(letters)
            at.extend([match.start()] * len(letters))
    return Folded(text, "".join(pieces), at)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    start = 0
    for note in _NOTE.finditer(text):
        yield from _TOKEN.finditer(text, start, note.start())
        start = note.end()
    yield from _TOKEN.finditer(text, start)


def _letters(cluster: str, before: str) -> str:
    composed = unicodedata.normalize("NFKC", cluster).replace("\u2044", "/").lower()
    # 10² is not 102; a superscript behind a letter is a note or a unit and reads the same on the line.
    is_power = before.isdecimal() and composed.isdecimal() and unicodedata.decomposition(cluster)[:7] == "<super>"
    raised = "^" if is_power else ""
    return raised + _DROPPED.sub("", composed)


@cached(LRUCache(_KEPT_CHARS, getsizeof=lambda folded: len(folded.original)), lock=Lock())
def folded_source(text: str) -> Folded:
    """Fold the text of a source, or return it from the cache of the most recently used ones."""
    return fold(text)
