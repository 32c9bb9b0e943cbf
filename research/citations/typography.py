"""Reduce typographic variation in texts, so that a quotation and its source can be compared.

In plain form a text is in NFKC; references, footnote numbers, Markdown syntax, quote marks, brackets and invisible
characters are gone; so are spaces and apostrophes except between letters or digits. A dash is `DASH` without the
spaces around it, a hyphen at a line's end `CUT`.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Collection
from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache, cached

DASH, CUT = "\u2013", "\u00ac"
#: Hyphens that may divide a word at a line's end.
HYPHENS = "\\-\u2010\u2011\u00ad\u00ac"
DASHES = f"{HYPHENS}\u2012-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d"
APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u00b4`\uff07"
QUOTE_MARKS = f'{APOSTROPHES}"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\uff02'
INVISIBLE = "\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
BULLETS = "\u2022\u25aa\u25e6\u2023\u00b7*"
DROPPED = rf"\s\[\]\u00a1\u00bf_{DASHES}{QUOTE_MARKS}{INVISIBLE}{BULLETS}"
MARKS = "\u0300-\u036f"
#: Characters that NFKC leaves unchanged.
_PLAIN = (
    "!#-&(-),./0-9:;<=>?@A-Z\\\\^a-z{|}~\u00a2\u00a3\u00a5\u00a7\u00b0\u00b1"
    "\u00c0-\u00f6\u00f8-\u012f\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0400-\u04ff\u20ac\u4e00-\u9fff"
)
_NOTE = re.compile(
    # Footnote numbers: superscript after a mark or a word too long for a unit, or, where the formatting was lost,
    # plain digits between two sentences.
    r"(?:(?<=[.,;:!?\u2019\u201d\u00bb\"])|(?<=[^\W\d_]{4}))[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}"
    r"(?=[\s.,;:!?)]|$)"
    r"|(?:(?<=[^\W\d_]{4}[.!?])|(?<=[^\W\d_][.!?][\"\u201d\u00bb\u2019])|(?<=\b(?:1[5-9]|20)\d\d[.]))"
    r"\d{1,2}(?=\s+[\"\u201c\u00ab\u2018\u00bf\u00a1(]?[A-Z\u00c0-\u00dd])"
)
_TOKEN = re.compile(
    # A source's reference numbers, targets of Markdown links, prefixes of headings, block quotes and list items.
    r"(?P<gone>\[\d{1,3}(?:[,;\u2013-]\s?\d{1,3})*\]|\]\([^()\s]{4,}\)"
    rf"|^[ \t]*(?:#{{1,6}}|>+|[{DASHES}{BULLETS}+])[ \t]+"
    rf"|\u00ad(?!\s)|(?!(?<=\d)[_{BULLETS}]+\d)"
    rf"[\[\]\u00a1\u00bf_\"\u201c-\u201f\u00ab\u00bb\u2039\u203a\uff02{BULLETS}]"
    rf"|[{INVISIBLE}])"
    rf"|(?P<apostrophe>[{APOSTROPHES}])"
    rf"|(?P<cut>(?<=[^\W\d_]|[{MARKS}])[{HYPHENS}]\s+(?=[^\W\d_]))"
    rf"|(?P<dash>[{DASHES}])|(?P<space>\s+)"
    rf"|(?P<plain>[{_PLAIN}]+(?![{MARKS}]))"
    rf"|(?P<cluster>.[{MARKS}]*)",
    re.MULTILINE,
)
_WRITTEN = {"gone": "", "apostrophe": "'", "cut": CUT, "dash": DASH, "space": " "}
_BESIDE_DASHES = re.compile(rf" ?{DASH}[{DASH} ]*+|(?<![^\W_])'|'(?![^\W_])")
#: Spaces around a mark between two numbers; those that do not separate two words; those between two words.
_SPACES = re.compile(
    r"(?<=\d) *+(?P<mark>[.,:]) ++(?=\d)|(?<![^\W_])(?<! ) ++|(?<! ) ++(?![^\W_])|(?<! )(?P<among> {2,}+)"
)
#: The pattern of each character that may differ between two texts.
_LOOSE = {DASH: f"[{DASH}{CUT}]", CUT: f"[{DASH}{CUT}]?"}
#: Size of the cache of texts in plain form, in characters.
_KEPT_CHARS = 20_000_000


@dataclass(frozen=True, slots=True)
class Plain:
    """A text in plain form, and in `at` the position of each of its characters in `original`."""

    original: str
    text: str
    at: array[int]
    #: Its letters and marks alone, in lower case: a source without those of a quotation need not be searched.
    letters: str

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """Return start and end of a match in the original, with the combining marks of its last letter."""
        end = self.at[match.end() - 1] + 1
        while end < len(self.original) and unicodedata.combining(self.original[end]):
            end += 1
        return self.at[match.start()], end


@cached(LRUCache(_KEPT_CHARS, getsizeof=lambda made: len(made.original)), lock=Lock())
def plain(original: str) -> Plain:
    """Return the plain form of a text, of those most recently used from the cache; a megabyte takes a second."""
    text, at = original, array("Q", range(len(original)))
    for pattern, written in _STEPS:
        text, at = _replaced(text, at, pattern, written)
    return Plain(original, text, at, re.sub(rf"[ '{DASH}{CUT}]", "", text).lower())


def pattern_of(quote: Plain, source: Plain, free_case: Collection[int]) -> re.Pattern[str]:
    """Return the pattern that finds a quotation in the text of a source.

    `free_case`: places in the quotation's original where the case of a letter may differ.
    """
    # Patterns of letters alone compile ten times as fast.
    joint = f"{CUT}?" if CUT in source.text else ""
    found = ""
    for index, char in enumerate(quote.text):
        if index and quote.text[index - 1].isalnum() and char.isalnum():
            found += joint
        free = quote.at[index] in free_case and char.isalpha()
        found += f"[{char.lower()}{char.upper()}]" if free else _LOOSE.get(char) or re.escape(char)
    return re.compile(found)


def _token(match: re.Match[str]) -> str:
    kind = str(match.lastgroup)
    if kind in _WRITTEN or kind == "plain":
        return _WRITTEN.get(kind, match[0])
    composed = "".join(unicodedata.normalize("NFKC", match[0]).replace("\u2044", "/").split())
    # 10² is not 102; a superscript behind a letter is a note or a unit and reads the same on the line.
    raised = composed.isdecimal() and unicodedata.decomposition(match[0][0])[:7] == "<super>"
    is_power = raised and match.string[match.start() - 1 : match.start()].isdecimal()
    return f"^{composed}" if is_power else composed


def _replaced(
    text: str, at: array[int], pattern: re.Pattern[str], written: Callable[[re.Match[str]], str]
) -> tuple[str, array[int]]:
    """Replace matches of a pattern, keeping the place of each character."""
    pieces, places, since = list[str](), array("Q"), 0
    for match in pattern.finditer(text):
        new = written(match)
        pieces += [text[since : match.start()], new]
        places += at[since : match.start()]
        kept = new == match[0]
        places += at[match.start() : match.end()] if kept else at[match.start() : match.start() + 1] * len(new)
        since = match.end()
    return "".join([*pieces, text[since:]]), places + at[since:]


#: What is found in a text, one after the other, and what is written in its place.
_STEPS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_NOTE, lambda _: ""),
    (_TOKEN, _token),
    (_BESIDE_DASHES, lambda match: DASH if DASH in match[0] else ""),
    (_SPACES, lambda match: f"{match['mark'] or ''} " if match.lastgroup else ""),
)
