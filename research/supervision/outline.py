"""Show a document as plain text, and to a model as an outline in which the relevant sections stand in full."""

from __future__ import annotations

import re
from collections.abc import Collection

from rapidfuzz import fuzz

from research.document import MARKER, ReportDocument, Section
from research.readers.model.passages import plain as as_data
from research.text import count_tokens, rank_sentences

_MARKER = re.compile(MARKER)
_MARKER_AND_SPACE = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")
_MARKDOWN = re.compile(r"^[>#\s|*-]+|[*_`|]+", re.MULTILINE)
#: `rapidfuzz.fuzz.partial_ratio` from which a text already has a sentence.
_SAID = 90
#: Most tokens of the sections in full, and of all headings with the first words of the others.
BODY_TOKENS, OUTLINE_TOKENS = 4000, 4000
#: Most characters of a heading, and words of the beginning of a section.
_HEADING, _BEGINNING = 160, 25


def plain_of(document: ReportDocument) -> str:
    """Return headings and bodies, with a blank line between sections."""
    return "\n\n".join(f"{section.heading}\n\n{plain(section.body)}" for section in document.sections)


def plain(body: str) -> str:
    """Return a body without markers and Markdown."""
    return _MARKDOWN.sub(" ", _MARKER_AND_SPACE.sub("", body))


def is_said(sentence: str, text: str) -> bool:
    """Return whether a text has a sentence nearly word for word."""
    return fuzz.partial_ratio(sentence, text) >= _SAID


def cited_in(text: str) -> set[str]:
    """Return the citation keys of the markers in a text."""
    return {found["key"] for found in _MARKER.finditer(text)}


def outline(document: ReportDocument, question: str, first: Collection[str] = ()) -> str:
    """Return the sections in order: key, heading, numbers of words and sources, and text.

    The sections of the keys `first`, then those nearest to the question, stand in full up to `BODY_TOKENS`; of the
    others the first words. If the outline becomes too long these go, then the deepest of the other sections, level
    by level; what is then too long is cut at the end.
    """
    whole = _whole(document, question, first)
    deepest = max((section.level for section in document.sections), default=1)
    for begins, level in [(True, deepest), *((False, level) for level in range(deepest, 0, -1))]:
        chosen = (one for one in document.sections if one.level <= level or one.key in whole)
        shown = "\n".join(_shown(one, one.key in whole, begins) for one in chosen)
        if count_tokens(shown) <= OUTLINE_TOKENS + BODY_TOKENS:
            return shown
    kept = shown.encode()[: 3 * (OUTLINE_TOKENS + BODY_TOKENS)].decode("utf-8", "ignore")
    return f"{kept[: max(kept.rfind(' '), kept.rfind(chr(10)))]} …"


def _whole(document: ReportDocument, question: str, first: Collection[str]) -> set[str]:
    bodies = [section for section in document.sections if section.body.strip()]
    scores = rank_sentences(question, [f"{one.heading} {plain(one.body)}" for one in bodies], document.language)
    chosen, left = set[str](), BODY_TOKENS
    for at in sorted(range(len(bodies)), key=lambda at: (bodies[at].key not in first, -scores[at], at)):
        cost = count_tokens(bodies[at].body)
        if cost <= left:
            chosen.add(bodies[at].key)
            left -= cost
    return chosen


def _shown(section: Section, in_full: bool, begins: bool) -> str:
    body = plain(section.body)
    words = body.split()
    sources = len(cited_in(section.body))
    text = body.strip() if in_full else f"{' '.join(words[:_BEGINNING])} …" if begins and words else ""
    head = f"[{section.key}] {section.heading[:_HEADING]} ({len(words)} words, {sources} sources)"
    return as_data(f"{head}\n{text}".rstrip())
