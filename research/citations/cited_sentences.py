"""Split a document into sentences, each with the citation markers in it or directly after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from research.document import ReportDocument
from research.markdown_text.parsing import blocks_of
from research.text import split_sentences

_ADDRESS = re.compile(r"\bhttps?://[^\s<>|)]+|\bwww\.[^\s<>|)]+")
_HEADING = re.compile(r"#{1,6}\s")

Marker = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence or a table cell, without Markdown and markers."""

    text: str
    #: Key and claim of each marker.
    markers: tuple[Marker, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """The plain text of a block, and the position in it of each marker."""

    text: str
    markers: list[tuple[int, Marker]]


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
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            yield from _of_row(row or [])
            row = None
        elif token.type == "inline" and not is_header and not _HEADING.match(token.content):
            if row is None:
                yield from _of_block(_run(token.children or ()), language, whole=depth > 0)
            else:
                row.append(_run(token.children or ()))


def _of_row(row: Sequence[_Run]) -> Iterator[CitedSentence]:
    behind: tuple[Marker, ...] = ()
    found = []
    for cell in reversed(row):
        behind = tuple(marker for _, marker in cell.markers) or behind
        found.append(CitedSentence(cell.text.strip(), behind))
    yield from (sentence for sentence in reversed(found) if sentence.text)


def _of_block(run: _Run, language: str, *, whole: bool) -> Iterator[CitedSentence]:
    spans = _unquoted(run.text, split_sentences(run.text, language))
    spans = [(spans[0][0], spans[-1][1])] if whole and spans else spans
    for number, (start, end) in enumerate(spans):
        until = spans[number + 1][0] if number + 1 < len(spans) else len(run.text)
        since = start if number else -1
        yield CitedSentence(run.text[start:end], tuple(one for at, one in run.markers if since < at <= until))


def _run(tokens: Iterable[Token]) -> _Run:
    run = ""
    markers: list[tuple[int, Marker]] = []
    for token in tokens:
        if token.type == "marker":
            run = run.rstrip(" \t")
            markers.append((len(run), (token.meta["key"], token.meta["claim"])))
        elif token.type in {"text", "code_inline"}:
            run += _ADDRESS.sub("", token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            run += " "
    return _Run(run, markers)


def _unquoted(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans, merging those within one pair of quote marks."""
    found: list[tuple[int, int]] = []
    for span in spans:
        if found and _is_open(text[found[-1][0] : found[-1][1]]):
            found[-1] = (found[-1][0], span[1])
        else:
            found.append(span)
    return found


def _is_open(text: str) -> bool:
    pairs = (("\u201c", "\u201d"), ("\u00ab", "\u00bb"))
    return any(text.count(a) > text.count(b) for a, b in pairs) or text.count('"') % 2 == 1
