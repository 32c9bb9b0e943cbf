"""Present a long document to a model: a map of all sections, and some in full."""

from __future__ import annotations

import re
from collections.abc import Collection

from research.document import MARKER, ReportDocument, Section
from research.supervision.plain_text import plain
from research.text import count_tokens, rank_sentences

_MARKER = re.compile(MARKER)
#: Most tokens of sections shown in full.
BODY_TOKENS = 6000
#: Most tokens of the map.
MAP_TOKENS = 6000
#: Most characters of a heading in the map.
_HEADING = 160


def section_map(document: ReportDocument) -> str:
    """Return a line per section: key, heading, number of words and sources, first words.

    If it exceeds `MAP_TOKENS`, the first words are omitted, then the deepest levels.
    """
    full = "\n".join(_line(section) for section in document.sections)
    if count_tokens(full) <= MAP_TOKENS:
        return full
    for level in range(max(section.level for section in document.sections), 0, -1):
        kept = [section for section in document.sections if section.level <= level]
        lines = "\n".join(_line(section, begins=False) for section in kept)
        if count_tokens(lines) <= MAP_TOKENS:
            return lines
    return _first_lines(lines, MAP_TOKENS)


def relevant_sections(
    document: ReportDocument, question: str, first: Collection[str] = (), tokens: int = BODY_TOKENS
) -> list[Section]:
    """Choose sections to show in full, up to `tokens`: those in `first`, then those most relevant.

    They are returned in the document's order.
    """
    bodies = [section for section in document.sections if section.body.strip()]
    if not bodies:
        return []
    scores = rank_sentences(question, [f"{one.heading} {plain(one.body)}" for one in bodies], document.language)
    ranked = sorted(range(len(bodies)), key=lambda at: (bodies[at].key not in first, -scores[at], at))
    chosen, left = set[int](), tokens
    for at in ranked:
        cost = count_tokens(bodies[at].body)
        if cost <= left:
            chosen.add(at)
            left -= cost
    return [section for at, section in enumerate(bodies) if at in chosen]


def beginnings(document: ReportDocument, question: str, first: Collection[str] = ()) -> list[Section]:
    """Return the relevant sections in full; if each is too long, the beginning of the longest."""
    whole = relevant_sections(document, question, first)
    if whole or not any(section.body.strip() for section in document.sections):
        return whole
    longest = max(document.sections, key=lambda one: (one.key in first, len(one.body)))
    return [longest.model_copy(update={"body": _first_lines(longest.body, BODY_TOKENS)})]


def shown(sections: Collection[Section]) -> str:
    """Return the sections in full, each after its key and heading."""
    return "\n\n".join(f"[{section.key}] {section.heading}\n{section.body}" for section in sections)


def _line(section: Section, *, begins: bool = True) -> str:
    text = plain(section.body).split()
    sources = len({found["key"] for found in _MARKER.finditer(section.body)})
    indent = "  " * (section.level - 1)
    beginning = " ".join(text[:14]) if begins else ""
    heading = section.heading[:_HEADING]
    return f"{indent}[{section.key}] {heading}: {len(text)} words, {sources} sources. {beginning}".rstrip()


def _first_lines(text: str, tokens: int) -> str:
    """Return the beginning of a text, cut at white space, that fits into `tokens`."""
    if count_tokens(text) <= tokens:
        return text
    cut = text.encode()[: 3 * tokens].decode("utf-8", "ignore")
    return f"{cut[: max(cut.rfind(' '), cut.rfind(chr(10)))]} …"
