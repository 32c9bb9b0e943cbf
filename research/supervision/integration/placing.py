"""Put new text into a document without changing what stands there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise

from research.citations.markers import sentences_of
from research.document import ReportDocument, Section, section_key
from research.markdown_text.parsing import blocks_of
from research.supervision.guard import cited_keys
from research.supervision.types import Expansion
from research.writing.desk import ClaimBook


@dataclass(frozen=True)
class Piece:
    """A sentence of a paragraph with its markers, or a whole list, table or quotation."""

    #: As it stands in the body, with the white space that follows it.
    text: str
    is_sentence: bool


def pieces_of(body: str, language: str) -> list[Piece]:
    """Return the pieces of a section's Markdown; joined, their texts give it again."""
    # Not `splitlines`: a form feed ends no line of Markdown.
    lines = StringIO(body).readlines()
    blocks = [token for token in blocks_of(body) if token.level == 0 and token.map and token.nesting >= 0]
    if not blocks:
        return [Piece(body, False)] if body else []
    starts = [0, *(token.map[0] for token in blocks[1:] if token.map), len(lines)]
    found: list[Piece] = []
    for token, (start, end) in zip(blocks, pairwise(starts), strict=True):
        is_paragraph = token.type == "paragraph_open"
        text = "".join(lines[start:end])
        found += [Piece(one, is_paragraph) for one in (sentences_of(text, language) if is_paragraph else [text])]
    return found


def with_insertions(
    document: ReportDocument, key: str, pieces: Sequence[Piece], new: Mapping[int, str]
) -> ReportDocument:
    """Put texts behind the pieces of a section by their number, from 1; behind a list or table, as a paragraph."""
    # A section may be a heading alone.
    body = "" if pieces else " ".join(new.values())
    for number, piece in enumerate(pieces, start=1):
        stands = piece.text.rstrip()
        between, behind = (" ", piece.text[len(stands) :]) if piece.is_sentence else ("\n\n", "\n\n")
        body += f"{stands}{between}{new[number]}{behind}" if number in new else piece.text
    return _with_body(document, key, body.rstrip())


def with_section(document: ReportDocument, after: str, heading: str, body: str) -> ReportDocument:
    """Add a section after another one and at its level."""
    sections = list(document.sections)
    at = next(at for at, section in enumerate(sections) if section.key == after)
    key = section_key(heading, {section.key for section in sections})
    sections.insert(at + 1, Section(key=key, heading=heading, level=sections[at].level, body=body))
    return document.model_copy(update={"sections": tuple(sections)})


def claim_book(*made_of: object) -> ClaimBook:
    """Return a book whose ids no other revision has, unless it is made of the same findings and replies."""
    return ClaimBook(f"x{hashlib.sha256(repr(made_of).encode()).hexdigest()[:10]}-")


def with_references(document: ReportDocument, expansion: Expansion) -> ReportDocument:
    """List the sources of an expansion that are cited and not yet listed."""
    listed, cited = {reference.key for reference in document.references}, cited_keys(document)
    new = [one.reference for key, one in sorted(expansion.sources.items()) if key in cited and key not in listed]
    return document.model_copy(update={"references": (*document.references, *new)})


def _with_body(document: ReportDocument, key: str, body: str) -> ReportDocument:
    sections = (
        section.model_copy(update={"body": body}) if section.key == key else section
        for section in document.sections
    )
    return document.model_copy(update={"sections": tuple(sections)})
