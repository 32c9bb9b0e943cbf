"""Show a document as plain text, and to a model as an outline in which the relevant sections stand in full."""

from __future__ import annotations

import re
from collections.abc import Collection
from statistics import median

from rapidfuzz import fuzz

from research.document import MARKER, ReportDocument, Section
from research.readers.model.passages import plain as as_data
from research.text import count_tokens, rank_sentences

_MARKER = re.compile(MARKER)
_MARKER_AND_SPACE = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")
_MARKDOWN = re.compile(r"^[>#\s|*-]+|[*_`|]+", re.MULTILINE)
#: `rapidfuzz.fuzz.partial_ratio` from which a text already has a sentence.
_SAID = 90
#: Most tokens of the sections in full, and of headings and first words of the others.
BODY_TOKENS, OUTLINE_TOKENS = 4000, 4000
#: A section with fewer words than this share of the median is thin; one with so many words is never too short.
_THIN, LEAST_WORDS = 0.3, 40
#: Least number of sections to determine what is usual.
_LEAST_SECTIONS = 3
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


def is_too_short(document: ReportDocument) -> bool:
    """Return whether no section has enough words to be examined."""
    return not any(len(plain(section.body).split()) >= LEAST_WORDS for section in document.sections)


def thin_sections(document: ReportDocument) -> list[str]:
    """Return the keys of the sections that say or cite too little, shortest first; empty ones are ignored."""
    measured = [
        (len(plain(section.body).split()), len(cited_in(section.body)), section.key)
        for section in document.sections
        if section.required and section.body.strip()
    ]
    if len(measured) < _LEAST_SECTIONS:
        return []
    usual, cited = median(words for words, _, _ in measured), median(keys for _, keys, _ in measured)
    return [
        key
        for words, keys, key in sorted(measured, key=lambda one: one[0])
        if (keys == 0 and cited >= 2 and words >= LEAST_WORDS) or words < min(_THIN * usual, LEAST_WORDS)
    ]


def outline(document: ReportDocument, question: str, first: Collection[str] = ()) -> str:
    """Return the sections in order: key, heading, numbers of words and sources, and text.

    The sections of the keys `first`, then those nearest to the question, stand in full up to `BODY_TOKENS`. Of the
    others the headings and then the first words, higher levels first, up to `OUTLINE_TOKENS`.
    """
    sections, bodies = document.sections, [plain(section.body).strip() for section in document.sections]
    written = [at for at, body in enumerate(bodies) if body]
    texts = [f"{sections[at].heading} {bodies[at]}" for at in written]
    near = dict(zip(written, rank_sentences(question, texts, document.language), strict=True))
    whole, left = dict[int, str](), BODY_TOKENS
    for at in sorted(near, key=lambda at: (sections[at].key not in first, -near[at], at)):
        if (cost := count_tokens(sections[at].body)) <= left:
            whole[at], left = _shown(sections[at], bodies[at]), left - cost
    others, left = dict[int, str](), OUTLINE_TOKENS
    for words in (0, _BEGINNING):
        for at in sorted({*range(len(sections))} - whole.keys(), key=lambda at: (sections[at].level, at)):
            beginning = " ".join(bodies[at].split()[:words])
            text = _shown(sections[at], f"{beginning} …" if beginning else "")
            if (cost := count_tokens(text) - count_tokens(others.get(at, ""))) <= left:
                others[at], left = text, left - cost
    return "\n".join(text for _, text in sorted({**whole, **others}.items()))


def _shown(section: Section, text: str) -> str:
    words, sources = len(plain(section.body).split()), len(cited_in(section.body))
    head = f"[{section.key}] {section.heading[:_HEADING]} ({words} words, {sources} sources)"
    return as_data(f"{head}\n{text}".rstrip())
