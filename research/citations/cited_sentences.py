"""The sentences of a document with the markers in or right behind each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from research.document import MARKER, ReportDocument
from research.text import split_sentences

_MARKER = re.compile(rf"[ \t]*{MARKER}")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_QUOTED = re.compile(r"^\s*>\s?")
_DELIMITER = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_CELL = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^()\s]*\)")
_ADDRESS = re.compile(r"<?\bhttps?://[^\s<>|)]+>?|\bwww\.[^\s<>|)]+")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)|`")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence or a cell of a table without Markdown and markers."""

    text: str
    #: Key and claim of each marker.
    markers: tuple[tuple[str, str | None], ...]


def cited_sentences(document: ReportDocument) -> list[CitedSentence]:
    """All sentences of all sections; headings, code, head rows of tables and addresses left out.

    A block quotation is one sentence, and so is what stands in one pair of quote marks: its marker is at its end.
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
    """Rows of tables, and the text of paragraphs, list items and block quotations, each in one line."""
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
    """Lines put together, a new one at each list item."""
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
    """The plain text, and where in it which marker stood."""
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
    """Spans, those within one pair of quote marks put together."""
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
