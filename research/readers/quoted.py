"""Locate the words that a reader quotes, in the source that it names or in another that it read."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from research.citations import verify_quote
from research.material import SourceText
from research.memo.worker_result import Finding
from research.text import split_sentences

#: Most words of a quotation that is extended to whole sentences.
_LONGEST = 90
#: Most words and characters before a quotation that tell of whom it speaks.
_BEFORE, _FARTHEST = 35, 400
#: Most characters between two stretches that become one.
_APART = 60
#: Most characters of a heading.
_HEADING = 80


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a source that hold quotations, after the heading or the head of the table that they stand below."""

    text: str
    #: The places of the quotations in what was asked for, in the order of the text.
    holds: tuple[int, ...]


def located(words: str, key: str, sources: Mapping[str, SourceText]) -> Finding | None:
    """Return where the words stand, in source `key` before any other; None if they stand in none."""
    verdict = verify_quote(words, key, {name: source.text for name, source in sources.items()})
    if verdict.source_id is None or verdict.start is None or verdict.end is None:
        return None
    return _at(verdict.source_id, verdict.start, verdict.end, sources)


def in_whole_sentences(found: Finding, sources: Mapping[str, SourceText]) -> Finding:
    """Return the quotation with the rest of its first and last sentence, unless it becomes too long."""
    source = sources[found.source_key]
    begin = max(0, source.text.rfind("\n\n", 0, found.start_char))
    stop = source.text.find("\n\n", found.end_char)
    paragraphs = source.text[begin:stop] if stop >= 0 else source.text[begin:]
    spans = [
        (begin + start, begin + end)
        for start, end in split_sentences(paragraphs, source.language)
        if begin + start < found.end_char and found.start_char < begin + end
    ]
    if not spans:
        return found
    start, end = min(spans[0][0], found.start_char), max(spans[-1][1], found.end_char)
    if len(source.text[start:end].split()) > _LONGEST:
        return found
    return _at(found.source_key, start, end, sources)


def stretches_of(quotes: Sequence[tuple[str, str]], source: SourceText) -> list[Stretch]:
    """Return the stretches of a source that hold the quotations of items, given as item and quotation.

    Each begins some words before its first quotation, so that it tells of whom that speaks. Of words that stand in
    the source more than once, those nearest after a mention of the item are meant.
    """
    text = source.text
    spans: list[tuple[int, int, list[int]]] = []
    for at, number in sorted((_place_of(*one, text), number) for number, one in enumerate(quotes)):
        start, end = _start_before(at, text), at + len(quotes[number][1])
        if spans and start <= spans[-1][1] + _APART:
            begin, stop, held = spans.pop()
            spans.append((begin, max(stop, end), [*held, number]))
        else:
            spans.append((start, end, [number]))
    return [Stretch(" … ".join([*_head(start, text), text[start:end]]), tuple(held)) for start, end, held in spans]


def _place_of(item: str, quote: str, text: str) -> int:
    name = item.casefold()
    mentions = [found.start() for found in re.finditer(f"(?={re.escape(name)})", text.casefold())]

    def after_mention(place: int) -> int:
        before = bisect_right(mentions, place + len(quote) - len(name))
        return abs(place - mentions[before - 1]) if before else len(text)

    return min((found.start() for found in re.finditer(re.escape(quote), text)), key=after_mention, default=0)


def _start_before(at: int, text: str) -> int:
    """Return where the row of a table begins, elsewhere some words before the place."""
    line = text.rfind("\n", 0, at) + 1
    if text.startswith("|", line):
        return line
    words = list(re.finditer(r"\S+", text[max(0, at - _FARTHEST) : at]))[-_BEFORE:]
    return max(0, at - _FARTHEST) + words[0].start() if words else at


def _head(start: int, text: str) -> list[str]:
    """Return the head of the table in which a stretch begins, elsewhere the heading above it; none without one."""
    above = text[:start].splitlines()
    if text.startswith("|", start):
        return list(takewhile(lambda line: line.startswith("|"), reversed(above)))[-1:]
    return [line for line in above if _is_heading(line)][-1:]


def _is_heading(line: str) -> bool:
    bare = line.strip()
    strong = bare.startswith("**") and bare.rstrip(":").endswith("**")
    return len(bare) <= _HEADING and (bare.startswith("#") or strong or (bare.isupper() and bare[0] != "|"))


def _at(key: str, start: int, end: int, sources: Mapping[str, SourceText]) -> Finding:
    source = sources[key]
    return Finding(key, source.text[start:end], start, end, source.page_at(start))
