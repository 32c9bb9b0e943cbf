"""Present a long document to a model: each section once, the relevant ones in full."""

from __future__ import annotations

import re
from collections.abc import Collection

from research.document import MARKER, ReportDocument, Section
from research.readers.model.passages import plain as as_data
from research.supervision.plain_text import plain
from research.text import count_tokens, rank_sentences

_MARKER = re.compile(MARKER)
#: Most tokens of the sections in full, and of all headings with the first words of the others.
BODY_TOKENS, OUTLINE_TOKENS = 4000, 4000
#: Most characters of a heading, and words of the beginning of a section.
_HEADING, _BEGINNING = 160, 25


def outline(document: ReportDocument, question: str, first: Collection[str] = ()) -> str:
    """Return the sections in order: key, heading, numbers of words and sources, and text.

    The sections of the keys `first`, then those nearest to the question, stand in full up to `BODY_TOKENS`; of the
    others the first words, which go first if the outline becomes too long, then the deepest levels.
    """
    whole = _whole(document, question, first)
    for begins in (True, False):
        shown = [_shown(section, section.key in whole, begins) for section in document.sections]
        if count_tokens("\n".join(shown)) <= OUTLINE_TOKENS + BODY_TOKENS:
            return "\n".join(shown)
    for level in range(max(section.level for section in document.sections) - 1, 0, -1):
        shown = [_shown(one, one.key in whole, False) for one in document.sections if one.level <= level]
        if count_tokens("\n".join(shown)) <= OUTLINE_TOKENS + BODY_TOKENS:
            break
    return cut("\n".join(shown), OUTLINE_TOKENS + BODY_TOKENS)


def cut(text: str, tokens: int) -> str:
    """Return the beginning of a text, cut at white space, that fits into `tokens`."""
    if count_tokens(text) <= tokens:
        return text
    kept = text.encode()[: 3 * tokens].decode("utf-8", "ignore")
    return f"{kept[: max(kept.rfind(' '), kept.rfind(chr(10)))]} …"


def _whole(document: ReportDocument, question: str, first: Collection[str]) -> set[str]:
    bodies = [section for section in document.sections if section.body.strip()]
    scores = rank_sentences(question, [f"{one.heading} {plain(one.body)}" for one in bodies], document.language)
    ranked = sorted(range(len(bodies)), key=lambda at: (bodies[at].key not in first, -scores[at], at))
    chosen, left = set[str](), BODY_TOKENS
    for at in ranked:
        cost = count_tokens(bodies[at].body)
        if cost <= left:
            chosen.add(bodies[at].key)
            left -= cost
    return chosen


def _shown(section: Section, in_full: bool, begins: bool) -> str:
    body = plain(section.body)
    words = body.split()
    sources = len({found["key"] for found in _MARKER.finditer(section.body)})
    text = body.strip() if in_full else f"{' '.join(words[:_BEGINNING])} …" if begins and words else ""
    head = f"[{section.key}] {section.heading[:_HEADING]} ({len(words)} words, {sources} sources)"
    return as_data(f"{head}\n{text}".rstrip())
