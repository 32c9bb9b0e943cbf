"""Verify quotations: find whether each occurs in the source that it is attributed to, in another or in none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from research.citations import boundaries
from research.citations.alignment import says_the_same
from research.citations.folding import DASHES, QUOTE_MARKS, Folded, folded_source
from research.citations.quotation import Part, parts_of, whole

Status = Literal["verified", "misattributed", "fabricated"]
Span = tuple[int, int]

#: A quotation of fewer words could match by chance: it must occur in the claimed source, with the same case, and
#: not consist of stop words alone.
MIN_WORDS = 3
#: Characters of the source that one ellipsis may replace; fewer if it joins a single word to the rest.
MAX_OMITTED = 500
MAX_OMITTED_BY_A_WORD = 120


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """The result of a verification; `text[start:end]` of source `source_id` is the quotation."""

    status: Status
    source_id: str | None = None
    start: int | None = None
    end: int | None = None


def verify_quote(quote: str, claimed_source_id: str | None, sources: Mapping[str, str]) -> QuoteVerdict:
    """Search for a quotation in the whole text of the claimed source, then in all others in order of their ids.

    Unicode forms (NFKC), white space, hyphenation, quote marks, dashes, footnote numbers and invisible characters
    are ignored. The case of the first letter may differ, unless that hides a sentence's opening ("In rural areas
    …"), and so may that of a letter in brackets ("[T]he"). An ellipsis may join passages in order, each at most
    `MAX_OMITTED` characters after the one before. With any other difference the quotation counts as fabricated,
    also if it begins or ends within a word or number.
    """
    claimed = sources.get(claimed_source_id) if claimed_source_id is not None else None
    if whole(quote).words < MIN_WORDS:
        span = _short(quote, claimed) if claimed else None
        return QuoteVerdict("verified", claimed_source_id, *span) if span else QuoteVerdict("fabricated")
    ways = [[whole(quote)], parts_of(quote)]
    if claimed and (span := _place(ways, claimed)):
        return QuoteVerdict("verified", claimed_source_id, *span)
    for source_id in sorted(sources):
        if source_id != claimed_source_id and (span := _place(ways, sources[source_id])):
            return QuoteVerdict("misattributed", source_id, *span)
    return QuoteVerdict("fabricated")


def _short(quote: str, text: str) -> Span | None:
    part = whole(quote, strict_case=True)
    return _place([[part]], text) if part.says_something() else None


def _place(ways: Sequence[Sequence[Part]], text: str) -> Span | None:
    """Return the span of the quotation by the first way of splitting it that matches, or None."""
    source = folded_source(text)
    return next((span for parts in ways for span in _chains(parts, source)), None)


def _chains(parts: Sequence[Part], source: Folded) -> Iterator[Span]:
    """Yield the spans in which all parts occur in order."""
    for first in _occurrences(parts[0], source) if parts else ():
        if _loses_its_opening(parts[0], source, first[0]):
            continue
        last: Span | None = first
        for before, part in pairwise(parts):
            last = _next(before, part, source, last) if last else None
        if last and not boundaries.ends_otherwise(
            parts[-1].tail, source.original[last[1] : last[1] + boundaries.REACH]
        ):
            yield _with_marks(parts, source.original, first[0], last[1])


def _next(before: Part, part: Part, source: Folded, last: Span) -> Span | None:
    bound = MAX_OMITTED if min(before.words, part.words) > 1 else MAX_OMITTED_BY_A_WORD
    for span in _occurrences(part, source, last[1], last[1] + bound):
        if not boundaries.hides_negation(source.original[last[1] : span[0]]):
            return span
    return None


def _occurrences(part: Part, source: Folded, after: int = 0, until: int | None = None) -> Iterator[Span]:
    """Yield the spans of the source's original that match the part and begin from `after` to `until`."""
    letters = part.folded.letters
    stop = len(source.letters) if until is None else source.index_at(until + 1) + len(letters) - 1
    begin = source.letters.find(letters, source.index_at(after), stop) if letters else -1
    while begin >= 0:
        start, end = source.at[begin], source.end_of(begin + len(letters) - 1)
        if (
            says_the_same(part.folded, source, begin, part.free_case)
            and boundaries.is_whole(source.original, start, end, part.tail)
            and boundaries.has_sign_before(source.original, start)
            == boundaries.has_sign_before(part.text, part.start)
        ):
            yield start, end
        begin = source.letters.find(letters, begin + 1, stop)


def _loses_its_opening(part: Part, source: Folded, start: int) -> bool:
    """Return whether the quotation drops words right before it that deny, doubt or limit it in the source.

    A capital in brackets shows that something was left out, which permits a dropped limit but not a dropped "not".
    """
    raised = part.core[:1].isupper() and source.original[start].islower()
    if boundaries.loses_its_negation(source.original, start, begins_sentence=raised):
        return True
    return raised and "[" not in part.head and boundaries.loses_its_limit(source.original, start)


def _with_marks(parts: Sequence[Part], text: str, start: int, end: int) -> Span:
    """Extend the span by the surrounding marks that the quotation has too."""
    for mark in reversed(parts[0].head):
        if not (start and _alike(mark, text[start - 1])):
            break
        start -= 1
    for mark in parts[-1].tail:
        if not (end < len(text) and _alike(mark, text[end])):
            break
        end += 1
    return start, end


def _alike(mark: str, other: str) -> bool:
    kinds = (_QUOTES, _DASHES)
    return mark == other or any(mark in kind and other in kind for kind in kinds)


_QUOTES = frozenset(QUOTE_MARKS)
_DASHES = frozenset(DASHES)
