"""How many sentences that need a citation have one, and how many cited numbers stand in their sources."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token

from research.citations.claims import Quantity, claims_something, quantities_in, sentences_of, without_enumeration
from research.document import MARKER, CheckedClaim, ReportDocument
from research.text.markdown import markdown_blocks

_MARKER = re.compile(MARKER)
#: What is left out of sentences: addresses, and what looks like a marker but was escaped.
_LEFT_OUT = re.compile(r"\bhttps?://[^\s<>|)]+|\bwww\.[^\s<>|)]+|\[@")
_BESIDE_MARKERS = re.compile(rf"(?:(?<![ \t])[ \t]++)?{MARKER}")
_HEADING = re.compile(r"#{1,6}\s")


@dataclass(frozen=True, slots=True)
class Share:
    """`covered` out of `wanted` items."""

    covered: int
    wanted: int


def claim_coverage(document: ReportDocument) -> Share:
    """Return the share of sentences with a number, date or proper name that have a marker in or right after them.

    Headings, questions and header rows of tables are not counted.
    """
    sentences = cited_sentences(document)
    wanted = [one for one in sentences if claims_something(one.text, document.language)]
    return Share(sum(bool(sentence.markers) for sentence in wanted), len(wanted))


def numeric_support(
    document: ReportDocument, claims: Sequence[CheckedClaim], sources: Mapping[str, str] | None = None
) -> Share:
    """Return the share of numbers in cited sentences that occur in the cited passage.

    The passage is the quotation of the marker's claim. A marker without a claim cites all quotations from its
    source and, if `sources` has it, the source's whole text. The year and title of the reference count too.
    """
    passages = _Passages(document, claims, sources or {})
    covered = wanted = 0
    for sentence in cited_sentences(document):
        if not sentence.markers:
            continue
        known = [quantity for key, claim in sentence.markers for quantity in passages.of(key, claim)]
        numbers = quantities_in(without_enumeration(sentence.text), (document.language,))
        wanted += len(numbers)
        covered += sum(number.is_in(known) for number in numbers)
    return Share(covered, wanted)


class _Passages:
    """Look up the numbers in the passages that markers cite."""

    def __init__(
        self, document: ReportDocument, claims: Sequence[CheckedClaim], sources: Mapping[str, str]
    ) -> None:
        self._sources = sources
        self._references = {reference.key: reference for reference in document.references}
        self._claims = {claim.claim_id: claim for claim in claims}
        self._by_source: dict[str, list[CheckedClaim]] = defaultdict(list)
        for claim in claims:
            if claim.source_key:
                self._by_source[claim.source_key].append(claim)

    def of(self, key: str, claim_id: str | None) -> Iterator[Quantity]:
        """Yield the numbers in the passages and the reference that a marker cites."""
        for text in (*self._quotes(key, claim_id), *self._reference(key)):
            yield from quantities_in(text)

    def _quotes(self, key: str, claim_id: str | None) -> Iterator[str]:
        if claim_id is None:
            yield from (claim.quote for claim in self._by_source[key])
            yield self._sources.get(key, "")
        elif (claim := self._claims.get(claim_id)) and claim.source_key == key:
            yield claim.quote
            yield self._sources.get(key, "")[claim.start_char or 0 : claim.end_char or 0]

    def _reference(self, key: str) -> Iterator[str]:
        if reference := self._references.get(key):
            yield f"{reference.title} {reference.year or ''}"


class CitedSentence(NamedTuple):
    """A sentence or a table cell, without Markdown and markers."""

    text: str
    #: Key and claim of each marker in it or directly after it.
    markers: tuple[tuple[str, str | None], ...]


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
    for token in markdown_blocks(body):
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
