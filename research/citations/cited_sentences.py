"""Split a document into sentences, each with the citation markers in it or directly after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from research.document import MARKER, ReportDocument
from research.text import split_sentences

_MARKER = re.compile(rf"(?>(?:(?<![ \t])[ \t]++)?){MARKER}")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_QUOTED = re.compile(r"^\s*>\s?")
_DELIMITER = re.compile(r"^\s*+\|?\s*+:?-{2,}+:?\s*+(?>(?:\|\s*+:?-{2,}+:?\s*+)*)\|?\s*+$")
_CELL = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\]\n]{0,500})\]\([^()\s]*+\)")
_ADDRESS = re.compile(r"<?\bhttps?://[^\s<>|)]+>?|\bwww\.[^\s<>|)]+")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)|`")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence or a table cell, without Markdown and markers."""

    text: str
    #: Key and claim of each marker.
    markers: tuple[tuple[str, str | None], ...]


def cited_sentences(document: ReportDocument) -> list[CitedSentence]:
    """Return the sentences of all sections, without headings, code, header rows of tables and URLs.

    A block quotation counts as one sentence, and so does text in one pair of quote marks.
    A cell of a table is cited by the markers in it, else by those of the next cell of its row that has any.
    """
    return [sentence for section in document.sections for sentence in _of_body(section.body, document.language)]


def _of_body(body: str, language: str) -> Iterator[CitedSentence]:
    for kind, text in _blocks(_FENCE.sub("\n\n", body)):
        if kind == "row":
            yield from _of_row(text)
        else:
            yield from _of_block(text, language, whole=kind == "quoted")


def _blocks(body: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) of each table row, paragraph, list item and block quotation, its lines joined."""
    for kind, group in groupby(_kinds(body.split("\n")), key=lambda pair: pair[0]):
        lines = [line for _, line in group]
        if kind == "row":
            yield from (("row", line) for line in lines)
        elif kind == "text":
            yield from (("text", paragraph) for paragraph in _paragraphs(lines))
        elif kind == "quoted":
            yield "quoted", " ".join(_QUOTED.sub("", line).strip() for line in lines)


def _kinds(lines: list[str]) -> Iterator[tuple[str, str]]:
    in_table = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _DELIMITER.match(line) and "|" in line:
            in_table = True
            yield "left out", line
        elif _DELIMITER.match(following) and "|" in following and "|" in line:
            yield "left out", line
        elif in_table and "|" in line:
            yield "row", line
        else:
            in_table = False
            left_out = not line.strip() or bool(_HEADING.match(line))
            yield ("left out" if left_out else "quoted" if _QUOTED.match(line) else "text"), line


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Join lines into paragraphs; each list item begins a new one."""
    current: list[str] = []
    for line in lines:
        if _ITEM.match(line) and current:
            yield " ".join(current)
            current = []
        current.append(_ITEM.sub("", line).strip())
    yield " ".join(current)


def _of_row(row: str) -> Iterator[CitedSentence]:
    cells = [_without_markers(cell) for cell in _CELL.split(row.strip().strip("|"))]
    behind: tuple[tuple[str, str | None], ...] = ()
    found = []
    for text, markers in reversed(cells):
        behind = tuple((key, claim) for _, key, claim in markers) or behind
        found.append(CitedSentence(text.strip(), behind))
    yield from (sentence for sentence in reversed(found) if sentence.text)


def _of_block(block: str, language: str, *, whole: bool) -> Iterator[CitedSentence]:
    text, markers = _without_markers(block)
    spans = _unquoted(text, split_sentences(text, language))
    spans = [(spans[0][0], spans[-1][1])] if whole and spans else spans
    for number, (start, end) in enumerate(spans):
        until = spans[number + 1][0] if number + 1 < len(spans) else len(text)
        since = start if number else -1
        own = tuple((key, claim) for at, key, claim in markers if since < at <= until)
        yield CitedSentence(text[start:end], own)


def _without_markers(text: str) -> tuple[str, list[tuple[int, str, str | None]]]:
    """Return the plain text, and the position in it, key and claim of each marker removed."""
    plain, markers, at = "", [], 0
    for match in [*_MARKER.finditer(text), None]:
        plain += _plain(text[at : match.start()] if match else text[at:])
        if match:
            markers.append((len(plain), match["key"], match["claim"]))
            at = match.end()
    return plain, markers


def _plain(markdown: str) -> str:
    return _EMPHASIS.sub("", _ADDRESS.sub("", _LINK.sub(r"\1", markdown))).replace("\\|", "|")


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
