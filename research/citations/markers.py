"""Number the cited references of a document, and split it into sentences with their citation markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from markdown_it.token import Token

from research.document import MARKER, Reference, ReportDocument
from research.markdown_text.parsing import blocks_of
from research.text import split_sentences

_MARKER = re.compile(MARKER)
#: Markers that follow each other, and the mark behind them.
_MARKERS = re.compile(rf"(?>(?:(?>(?:(?<![ \t])[ \t]++)?){MARKER})+)(?P<stop>[.,;:!?…]*+)")
#: What is left out of sentences: addresses, and what looks like a marker but was escaped.
_LEFT_OUT = re.compile(r"\bhttps?://[^\s<>|)]+|\bwww\.[^\s<>|)]+|\[@")
_BESIDE_MARKERS = re.compile(rf"(?:(?<![ \t])[ \t]++)?{MARKER}")
_HEADING = re.compile(r"#{1,6}\s")


class CitedSentence(NamedTuple):
    """A sentence or a table cell, without Markdown and markers."""

    text: str
    #: Key and claim of each marker in it or directly after it.
    markers: tuple[tuple[str, str | None], ...]


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


def cited_sentences(document: ReportDocument) -> list[CitedSentence]:
    """Return the sentences of all sections, without headings, code, header rows of tables and URLs.

    A block quotation counts as one sentence, and so does text in one pair of quote marks.
    A cell of a table is cited by the markers in it, else by those of the next cell of its row that has any.
    """
    return [sentence for section in document.sections for sentence in _of_body(section.body, document.language)]


def _of_body(body: str, language: str) -> Iterator[CitedSentence]:
    """Read the block tokens; those of a table's header and of a heading written in the body are left out."""
    row: list[CitedSentence] | None = None
    depth, is_header = 0, False
    for token in blocks_of(body):
        if token.type in {"blockquote_open", "blockquote_close"}:
            depth += token.nesting
        elif token.type in {"thead_open", "thead_close"}:
            is_header = token.nesting > 0
        elif token.type in {"tr_open", "tr_close"}:
            yield from _of_row(row or [])
            row = [] if token.nesting > 0 else None
        elif token.type == "inline" and not is_header and not _HEADING.match(token.content):
            text = _written(token.children or ())
            if row is None:
                found = map(_cited, sentences_of(text, language, whole=depth > 0))
                yield from (sentence for sentence in found if sentence.text)
            else:
                row.append(_cited(text))


def _of_row(row: Sequence[CitedSentence]) -> Iterator[CitedSentence]:
    for number, cell in enumerate(row):
        if cell.text:
            yield cell._replace(markers=next((one.markers for one in row[number:] if one.markers), ()))


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


def _written(tokens: Iterable[Token]) -> str:
    """Return the text of inline tokens with their markers, without Markdown and addresses."""
    written = ""
    for token in tokens:
        if token.type == "marker":
            written += token.content
        elif token.type in {"text", "code_inline"}:
            written += _LEFT_OUT.sub("", token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            written += " "
    return written


def _cited(text: str) -> CitedSentence:
    markers = tuple((found["key"], found["claim"]) for found in _MARKER.finditer(text))
    return CitedSentence(_BESIDE_MARKERS.sub("", text).strip(), markers)
