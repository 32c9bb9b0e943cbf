"""Verify quotations: each must occur in its source, and begin and end at word boundaries."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise, takewhile
from threading import Lock
from typing import Literal

from cachetools import LRUCache, cached

from research.text.language import stop_words

# Reduce typographic variation in texts, so that a quotation and its source can be compared.
#
# In plain form a text is in NFKC; references, footnote numbers, Markdown syntax, quote marks, brackets and
# invisible characters are gone; so are spaces and apostrophes except between letters or digits. A dash is `DASH`
# without the spaces around it, a hyphen at a line's end `CUT`.


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
class PlainText:
    """A text in plain form, and in `at` the position of each of its characters in `original`."""

    original: str
    text: str
    at: array[int]
    #: Only its letters and marks, in lower case: a quick check whether a source can contain a quotation.
    letters: str

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """Return start and end of a match in the original, with the combining marks of its last letter."""
        end = self.at[match.end() - 1] + 1
        while end < len(self.original) and unicodedata.combining(self.original[end]):
            end += 1
        return self.at[match.start()], end


@cached(LRUCache(_KEPT_CHARS, getsizeof=lambda made: len(made.original)), lock=Lock())
def plain_form(original: str) -> PlainText:
    """Return the plain form of a text, cached because a megabyte takes a second."""
    text, at = original, array("Q", range(len(original)))
    for pattern, written in _STEPS:
        text, at = _replaced(text, at, pattern, written)
    return PlainText(original, text, at, re.sub(rf"[ '{DASH}{CUT}]", "", text).lower())


def pattern_of(quote: PlainText, source: PlainText, free_case: Collection[int]) -> re.Pattern[str]:
    """Return the pattern that finds a quotation in the text of a source.

    `free_case`: places in the quotation's original where the case of a letter may differ.
    """
    # A pattern of only letters compiles ten times as fast.
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


#: Replacements that make the plain form, in order: pattern and replacement.
_STEPS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_NOTE, lambda _: ""),
    (_TOKEN, _token),
    (_BESIDE_DASHES, lambda match: DASH if DASH in match[0] else ""),
    (_SPACES, lambda match: f"{match['mark'] or ''} " if match.lastgroup else ""),
)


# Check where a quotation begins and ends in its source: it must not cut a word, a number or a negation.


_DATA = tomllib.loads(files(__package__).joinpath("boundaries.toml").read_text(encoding="utf-8"))
_NEGATION, _DOUBT, _CONDITION, _LIMIT = (
    "|".join(word for words in _DATA[name].values() for word in words)
    for name in ("negations", "doubts", "conditions", "limits")
)
_NEGATED_SENTENCE = re.compile(
    rf"(?:^|[.!?\u2026:;]['\"\u2019\u201d\u00bb)]*\s+|\n\s{{0,9}}\n\s{{0,9}}"
    rf"|[\u00bf\u00a1\u2018\u201c\u201e\u00ab\u2039\"(\u2014]\s*)(?:{_NEGATION})\s+\Z",
    re.IGNORECASE,
)
_NEGATION_BEFORE = re.compile(rf"(?<!\w)(?:{_NEGATION})[^\w.?!]*\Z", re.IGNORECASE)
_NEGATION_BEHIND = re.compile(rf"^[^\w.?!]*(?:{_NEGATION})(?!\w)", re.IGNORECASE)
_DOUBT_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_DOUBT})\b[^.?!;:]{{0,80}}\s(?:that|que)|{_CONDITION})\s+\Z", re.IGNORECASE
)
_LIMIT_BEFORE = re.compile(
    rf"(?:[.!?\u2026]['\"\u2019\u201d\u00bb)]*\s+|\n\s{{0,9}}\n\s{{0,9}})(?:{_LIMIT})\s[^.?!;:]{{2,45}}\Z",
    re.IGNORECASE,
)
#: A negation and the words that it denies; "not only" denies none.
_DENIED = re.compile(
    rf"(?<!\w)(?<!or )(?:{_NEGATION})(?!\w| (?:only|just|merely|s[oó]lo|solamente)\b)"
    rf"((?:\s+[\w{APOSTROPHES}-]+){{0,3}})",
    re.IGNORECASE,
)
#: The beginning lies within a word (a letter or digit is before it, a hyphen at a line's end, an elided article),
#: after a prefix that changes the word's meaning, or within a number.
_BEGINS_WITHIN = re.compile(
    rf"(?:[^\W_][{MARKS}]*[{INVISIBLE}]*|[^\W_][{HYPHENS}{APOSTROPHES}])[^\W_]\Z"
    rf"|(?<![^\W_])(?:non|no|un|in|im|ir|anti|dis|mis|ex|des|sin)[{HYPHENS}]\s+[^\W_]\Z"
    rf"|(?:\d[.,:/\u00b7_*{DASHES}]|(?<![^\W_])[.\u00b1]|(?<![^\W_.,)])[{DASHES}]|[$\u20ac\u00a3\u00a5])\d\Z"
    r"|[^\W_][\W_]\Z",
    re.IGNORECASE,
)
_ENDS_WITHIN = re.compile(
    rf"[^\W_][{INVISIBLE}]*(?:[^\W_]|[{HYPHENS}]\s*[^\W\d_]|[{APOSTROPHES}][^\W\d_])"
    rf"|\d(?:[.,:/\u00b7_*{DASHES}]\d|[%\u2030\u00b0\u20ac])"
)
_LINE_END_HYPHEN = re.compile(rf"[{HYPHENS}](?=\s)")
#: A source's reference to its own bibliography: "[3]", "[3, p. 12]".
REFERENCE = r"\[\d{1,3}[^\]]{0,300}\]"
_ENDINGS = re.compile(rf"^(?:{REFERENCE}|[^\w.?!])*([.?!])")
#: Characters examined before and after a quotation.
REACH = 60
#: Longest omission, in words, that is searched for a hidden negation.
HIDING_WORDS = 8


def is_whole(text: str, start: int, end: int, tail: str = "") -> bool:
    """Return whether `text[start:end]` cuts no word or number, except where a line's end divides it.

    `tail`: the marks behind the quotation's last word; a cut word must keep its hyphen.
    """
    behind = text[end : end + REACH]
    if _BEGINS_WITHIN.search(text[max(0, start - REACH) : start + 1]):
        return False
    keeps_hyphen = _LINE_END_HYPHEN.match(behind) and tail[:1] == behind[:1]
    return bool(keeps_hyphen) or not _ENDS_WITHIN.match(text[end - 1] + behind)


def loses_its_opening(text: str, start: int, *, is_raised: bool, is_marked: bool) -> bool:
    """Return whether the quotation drops words right before `start` that deny, doubt or limit the rest.

    `is_raised`: it begins with a capital where the source has none. `is_marked`: in brackets, which show that
    something was left out: this permits a dropped limit ("In rural areas") but not a dropped "not".
    """
    before = text[max(0, start - REACH) : start]
    if is_raised and (_NEGATION_BEFORE.search(before) or _DOUBT_BEFORE.search(before)):
        return True
    if is_raised and not is_marked and _LIMIT_BEFORE.search(before if start > REACH else f"\n\n{before}"):
        return True
    return bool(_NEGATED_SENTENCE.search(before))


def denied_words(text: str) -> list[str]:
    """Return what a text denies: up to three words behind each negation, which may be none."""
    return _DENIED.findall(text)


def hides_negation(omitted: str) -> bool:
    """Return whether an ellipsis replaces a negation of the words next to it.

    Only omissions of up to `HIDING_WORDS` words are searched: a negation in a longer one may concern other words.
    """
    if len(omitted.split()) > HIDING_WORDS:
        return False
    return bool(_NEGATION_BEFORE.search(omitted) or _NEGATION_BEHIND.search(omitted))


def ends_otherwise(tail: str, behind: str) -> bool:
    """Return whether the quotation's closing mark turns a question into a statement or the reverse."""
    closing, found = _ENDINGS.match(tail), _ENDINGS.match(behind)
    if closing is None:
        return False
    return (closing[1] == "?" or (found is not None and found[1] == "?")) and (
        found is None or found[1] != closing[1]
    )


# Verify quotations: find whether each occurs in the source that it is attributed to, in another or in none.


Status = Literal["verified", "misattributed", "fabricated"]
Span = tuple[int, int]

#: A quotation of fewer words could match by chance: it must occur in the claimed source, with the same case, and
#: not consist of stop words alone.
MIN_WORDS = 3
#: Characters of the source that one ellipsis may replace; fewer if it joins a single word to the rest.
MAX_OMITTED = 500
MAX_OMITTED_BY_A_WORD = 120

_ELLIPSIS = re.compile(r"[\[(]\s*(?:\u2026|\.\s*\.\s*\.)\s*[\])]|\u2026|\.\s*\.\s*\.(?:\s*\.)?")
_SIC = re.compile(r"(?>(?:(?<!\s)\s++)?)\[sic\.?\]", re.IGNORECASE)
_EDITORIAL_LETTER = re.compile(r"\[(?=\w\])")
_REFERENCE = re.compile(REFERENCE)
_HEAD = re.compile(rf"^(?:(?!\.\d|[{DASHES}]\d)[{DROPPED}.,;:!?()\u2026])+")
_MARKS = re.compile(rf"(?:{REFERENCE}|[{DROPPED}.,;:!?()\u2026])+")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+")
#: One mark for all quote marks, and one for all dashes.
_ALIKE = str.maketrans(dict.fromkeys(QUOTE_MARKS, '"') | dict.fromkeys(DASHES, "-"))


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """The result of a verification; `text[start:end]` of source `source_id` is the quotation."""

    status: Status
    source_id: str | None = None
    start: int | None = None
    end: int | None = None


class _Part:
    """A part of a quotation without an omission: its words, and the punctuation before and after them."""

    def __init__(self, text: str) -> None:
        text = text.strip()
        found = _HEAD.match(text)
        self.head = found[0] if found else ""
        self.core = _without_last_marks(text[len(self.head) :])
        self.tail = text[len(self.head) + len(self.core) :]
        self.words = _WORD.findall(self.core)
        self.plain = plain_form(self.core)
        #: Places in the core where the case of a letter may differ.
        self.free_case = {0, *(match.end() - len(self.head) for match in _EDITORIAL_LETTER.finditer(text))}

    def spans_in(self, source: PlainText, first: int, last: int) -> Iterator[Span]:
        """Yield the spans of the source's original that match and cut no word or number.

        They begin between the places `first` and `last` of the original.
        """
        text = source.original
        # Each character of the quotation matches at most two of the source.
        stop = bisect_right(source.at, last) + 2 * len(self.plain.text)
        pattern = pattern_of(self.plain, source, self.free_case)
        for match in pattern.finditer(source.text, bisect_left(source.at, first), stop):
            start, end = source.span(match)
            behind = text[end : end + len(self.tail)]
            has_references = _has_references(self.core, text[start:end]) and _has_references(self.tail, behind)
            if start <= last and has_references and is_whole(text, start, end, self.tail):
                yield start, end


def verify_quote(quote: str, claimed_source_id: str | None, sources: Mapping[str, str]) -> QuoteVerdict:
    """Search for a quotation in the whole text of the claimed source, then in all others in order of their ids.

    Unicode forms (NFKC), white space, hyphenation, quote marks, dashes, footnote numbers and invisible characters
    are ignored. The case of the first letter may differ, unless that hides a sentence's opening ("In rural areas
    …"), and so may that of a letter in brackets ("[T]he"). An ellipsis may join passages in order, each at most
    `MAX_OMITTED` characters after the one before. With any other difference the quotation counts as fabricated,
    also if it begins or ends within a word or number.
    """
    parts = [part for part in map(_Part, _ELLIPSIS.split(_SIC.sub("", quote))) if part.words]
    words = {word.casefold() for part in parts for word in part.words}
    claimed = [claimed_source_id] if claimed_source_id is not None and claimed_source_id in sources else []
    order = list(dict.fromkeys([*claimed, *sorted(sources)]))
    if sum(len(part.words) for part in parts) < MIN_WORDS:
        says_something = len(parts) == 1 and not words <= stop_words("en") | stop_words("es")
        order = claimed if says_something else []
        for part in parts:
            part.free_case.clear()
    for source_id in order:
        if span := _place(parts, sources[source_id]):
            return QuoteVerdict("verified" if source_id in claimed else "misattributed", source_id, *span)
    return QuoteVerdict("fabricated")


def _place(parts: Sequence[_Part], text: str) -> Span | None:
    """Return the first span in which all parts occur in order, with the surrounding marks of the quotation."""
    source, first, tail = plain_form(text), parts[0], parts[-1].tail
    if not all(part.plain.letters in source.letters for part in parts):
        return None
    for start, end in first.spans_in(source, 0, len(text)):
        is_raised = first.core[:1].isupper() and text[start].islower()
        if loses_its_opening(text, start, is_raised=is_raised, is_marked="[" in first.head):
            continue
        last: int | None = end
        for before, part in pairwise(parts):
            last = _end_of_next(before, part, source, last) if last else None
        if last and not ends_otherwise(tail, text[last : last + REACH]):
            return (
                start - _common(first.head[::-1], text[max(0, start - REACH) : start][::-1]),
                last + _common(tail, text[last : last + REACH]),
            )
    return None


def _end_of_next(before: _Part, part: _Part, source: PlainText, last: int) -> int | None:
    bound = MAX_OMITTED if min(len(before.words), len(part.words)) > 1 else MAX_OMITTED_BY_A_WORD
    for start, end in part.spans_in(source, last, last + bound):
        if not hides_negation(source.original[last:start]):
            return end
    return None


def _has_references(quoted: str, text: str) -> bool:
    return set(_REFERENCE.findall(quoted)) <= set(_REFERENCE.findall(text))


def _without_last_marks(text: str) -> str:
    """Cut off reference numbers and marks at the end."""
    *_, last = (None, *_MARKS.finditer(text))
    return text[: last.start()] if last is not None and last.end() == len(text) else text


def _common(marks: str, text: str) -> int:
    """Return the length of the common beginning; all quote marks are equal, and so are all dashes."""
    pairs = zip(marks.translate(_ALIKE), text.translate(_ALIKE), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
