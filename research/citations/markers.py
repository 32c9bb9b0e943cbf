"""Number the cited references of a document, and split its paragraphs into sentences with their markers."""

from __future__ import annotations

import re
from itertools import pairwise

from research.document import MARKER, Reference, ReportDocument
from research.text import split_sentences

_MARKER = re.compile(MARKER)
#: Markers that follow each other, and the mark behind them.
_MARKERS = re.compile(rf"(?>(?:(?>(?:(?<![ \t])[ \t]++)?){MARKER})+)(?P<stop>[.,;:!?…]*+)")


def numbers_of(document: ReportDocument) -> dict[str, int]:
    """Return the number of each cited reference, by key, in order of first citation; omit uncited ones."""
    known = {reference.key for reference in document.references}
    bodies = [text for section in document.sections for text in (section.heading, section.body)]
    keys = dict.fromkeys(match["key"] for body in (*bodies, *document.limits) for match in _MARKER.finditer(body))
    return {key: number for number, key in enumerate((key for key in keys if key in known), 1)}


def listed(document: ReportDocument) -> list[tuple[int, Reference]]:
    """Return the cited references with their numbers, in order."""
    by_key = {reference.key: reference for reference in document.references}
    return [(number, by_key[key]) for key, number in numbers_of(document).items()]


def sentences_of(text: str, language: str, *, whole: bool = False) -> list[str]:
    """Split a paragraph with its markers, each of which belongs to the sentence before it.

    Text in one pair of quote marks is one sentence, and so is a `whole` text.
    """
    # The text as long as before, with the full stop behind markers before the spaces in their place.
    plain = _MARKERS.sub(lambda found: found["stop"].ljust(len(found[0])), text)
    spans: list[tuple[int, int]] = []
    for start, end in split_sentences(plain, language):
        if spans and (whole or _is_open(plain[slice(*spans[-1])])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    # A sentence that begins with the mark behind a marker begins behind both.
    marked = {place: found.end() for found in _MARKERS.finditer(text) for place in range(*found.span())}
    begins = [0, *(marked.get(start, start) for start, _ in spans[1:]), len(text)]
    return [text[start:end] for start, end in pairwise(begins) if start < end]


def _is_open(text: str) -> bool:
    """Return whether a quotation begins in the text and does not end in it."""
    return any(text.count(mark[0]) > text.count(mark[1]) for mark in ("“”", "«»")) or text.count('"') % 2 == 1
