"""Locate the words that a reader quotes, in the source that it names or in another that it read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from research.citations import verify_quote
from research.material import SourceText
from research.text import split_sentences

#: Most words of a quotation that is extended to whole sentences.
_LONGEST = 90
#: Characters before a quotation that tell of whom it speaks.
_BEFORE = 200


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation as it stands: `source text[start:end]`."""

    source_key: str
    start: int
    end: int
    quote: str
    page_no: int | None


def located(words: str, key: str, sources: Mapping[str, SourceText]) -> Quoted | None:
    """Return where the words stand, in source `key` before any other; None if they stand in none."""
    verdict = verify_quote(words, key, {name: source.text for name, source in sources.items()})
    if verdict.source_id is None or verdict.start is None or verdict.end is None:
        return None
    return _at(verdict.source_id, verdict.start, verdict.end, sources)


def in_whole_sentences(found: Quoted, sources: Mapping[str, SourceText]) -> Quoted:
    """Return the quotation with the rest of its first and last sentence, unless it becomes too long."""
    source = sources[found.source_key]
    begin = source.text.rfind("\n\n", 0, found.start)
    begin = 0 if begin < 0 else begin
    stop = source.text.find("\n\n", found.end)
    stop = len(source.text) if stop < 0 else stop
    spans = [
        (begin + start, begin + end)
        for start, end in split_sentences(source.text[begin:stop], source.language)
        if begin + start < found.end and found.start < begin + end
    ]
    if not spans:
        return found
    start, end = min(spans[0][0], found.start), max(spans[-1][1], found.end)
    if len(source.text[start:end].split()) > _LONGEST:
        return found
    return _at(found.source_key, start, end, sources)


def standing_before(quote: str, source: SourceText) -> str:
    """Return what stands right before a quotation in its source; empty where it begins the text."""
    at = max(source.text.find(quote), 0)
    return source.text[max(0, at - _BEFORE) : at]


def _at(key: str, start: int, end: int, sources: Mapping[str, SourceText]) -> Quoted:
    source = sources[key]
    return Quoted(key, start, end, source.text[start:end], source.page_at(start))
