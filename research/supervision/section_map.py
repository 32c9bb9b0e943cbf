"""What a model sees of a long document: a map of all sections, and some of them whole."""

from __future__ import annotations

import re
from collections.abc import Collection

from research.document import MARKER, ReportDocument, Section
from research.supervision.plain_text import plain
from research.text import count_tokens, rank_sentences

_MARKER = re.compile(MARKER)
#: Of the bodies shown whole.
BODY_TOKENS = 6000


def section_map(document: ReportDocument) -> str:
    """A line a section: key, heading, words, sources, and how it begins."""
    return "\n".join(_line(section) for section in document.sections)


def relevant_sections(
    document: ReportDocument, question: str, first: Collection[str] = (), tokens: int = BODY_TOKENS
) -> list[Section]:
    """Sections to be read whole, in the document's order: those named `first`, then those nearest the question."""
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


def shown(sections: Collection[Section]) -> str:
    """Sections whole, each under its key and heading."""
    return "\n\n".join(f"[{section.key}] {section.heading}\n{section.body}" for section in sections)


def _line(section: Section) -> str:
    text = plain(section.body).split()
    sources = len({found["key"] for found in _MARKER.finditer(section.body)})
    indent = "  " * (section.level - 1)
    return (
        f"{indent}[{section.key}] {section.heading}: {len(text)} words, {sources} sources. {' '.join(text[:14])}"
    ).rstrip()
