"""Verify quotations: find whether each occurs in the source that it is attributed to, in another or in none."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Literal

from research.citations import boundaries
from research.citations.typography import DASHES, DROPPED, QUOTE_MARKS, Plain, pattern_of, plain
from research.text.stems import stop_words

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
_REFERENCE = re.compile(boundaries.REFERENCE)
_HEAD = re.compile(rf"^(?:(?!\.\d|[{DASHES}]\d)[{DROPPED}.,;:!?()\u2026])+")
_MARKS = re.compile(rf"(?:{boundaries.REFERENCE}|[{DROPPED}.,;:!?()\u2026])+")
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
        self.plain = plain(self.core)
        #: Places in the core where the case of a letter may differ.
        self.free_case = {0, *(match.end() - len(self.head) for match in _EDITORIAL_LETTER.finditer(text))}

    def spans_in(self, source: Plain, first: int, last: int) -> Iterator[Span]:
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
            if start <= last and has_references and boundaries.is_whole(text, start, end, self.tail):
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
    source, first, tail = plain(text), parts[0], parts[-1].tail
    if not all(part.plain.letters in source.letters for part in parts):
        return None
    for start, end in first.spans_in(source, 0, len(text)):
        is_raised = first.core[:1].isupper() and text[start].islower()
        if boundaries.loses_its_opening(text, start, is_raised=is_raised, is_marked="[" in first.head):
            continue
        last: int | None = end
        for before, part in pairwise(parts):
            last = _end_of_next(before, part, source, last) if last else None
        if last and not boundaries.ends_otherwise(tail, text[last : last + boundaries.REACH]):
            return (
                start - _common(first.head[::-1], text[max(0, start - boundaries.REACH) : start][::-1]),
                last + _common(tail, text[last : last + boundaries.REACH]),
            )
    return None


def _end_of_next(before: _Part, part: _Part, source: Plain, last: int) -> int | None:
    bound = MAX_OMITTED if min(len(before.words), len(part.words)) > 1 else MAX_OMITTED_BY_A_WORD
    for start, end in part.spans_in(source, last, last + bound):
        if not boundaries.hides_negation(source.original[last:start]):
            return end
    return None


def _has_references(quoted: str, text: str) -> bool:
    return set(_REFERENCE.findall(quoted)) <= set(_REFERENCE.findall(text))


def _without_last_marks(text: str) -> str:
    """Cut off reference numbers and marks at the end."""
    *_, last = (None, *_MARKS.finditer(text))
    return text[: last.start()] if last is not None and last.end() == len(text) else text


def _common(marks: str, text: str) -> int:
    """Return how many characters both begin with; quote marks of any form are alike, and so are dashes."""
    pairs = zip(marks.translate(_ALIKE), text.translate(_ALIKE), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
