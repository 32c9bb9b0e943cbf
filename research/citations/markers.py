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
_ADDRESS = re.compile(r"\bhttps?://[^\s<>|)]+|\bwww\.[^\s<>|)]+")
_HEADING = re.compile(r"#{1,6}\s")

Marker = tuple[str, str | None]
#: The plain text of a block, and the position in it of each marker.
_Run = tuple[str, list[tuple[int, Marker]]]


class CitedSentence(NamedTuple):
    """A sentence or a table cell, without Markdown and markers."""

    text: str
    #: Key and claim of each marker in it or directly after it.
    markers: tuple[Marker, ...]


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
    row: list[_Run] | None = None
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
            run = _run(token.children or ())
            if row is None:
                yield from _of_block(run, language, whole=depth > 0)
            else:
                row.append(run)


def _of_row(row: Sequence[_Run]) -> Iterator[CitedSentence]:
    for number, (text, _) in enumerate(row):
        markers = next((markers for _, markers in row[number:] if markers), [])
        if text.strip():
            yield CitedSentence(text.strip(), tuple(marker for _, marker in markers))


def _of_block(run: _Run, language: str, *, whole: bool) -> Iterator[CitedSentence]:
    text, markers = run
    spans = whole_sentences(text, language, whole=whole)
    # The markers before a paragraph's first sentence are its own too.
    begins = [-1, *(start for start, _ in spans[1:]), len(text)]
    for (start, end), (since, until) in zip(spans, pairwise(begins), strict=False):
        yield CitedSentence(text[start:end], tuple(one for at, one in markers if since < at <= until))


def whole_sentences(text: str, language: str, *, whole: bool = False) -> list[tuple[int, int]]:
    """Return the spans of sentences; text in one pair of quote marks is one, and so is a `whole` text."""
    spans: list[tuple[int, int]] = []
    for start, end in split_sentences(text, language):
        if spans and (whole or _is_open(text[slice(*spans[-1])])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _is_open(text: str) -> bool:
    """Return whether a quotation begins in the text and does not end in it."""
    return any(text.count(mark[0]) > text.count(mark[1]) for mark in ("“”", "«»")) or text.count('"') % 2 == 1


def _run(tokens: Iterable[Token]) -> _Run:
    text, markers = "", list[tuple[int, Marker]]()
    for token in tokens:
        if token.type == "marker":
            text = text.rstrip(" \t")
            markers.append((len(text), (token.meta["key"], token.meta["claim"])))
        elif token.type in {"text", "code_inline"}:
            text += _ADDRESS.sub("", token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            text += " "
    return text, markers
