"""The phrases of a question: its subject, and the aspects that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.questions.asking import asking_parts, heading_of, without_ends
from research.questions.catalog_fields import without_fields
from research.questions.wording import parts_of, tokens_of
from research.text import content_stems
from research.text.stems import stop_words
from research.words import words_of

_MAX_ASPECTS = 6
_MAX_PHRASE = 4
_MAX_SUBJECT = 3
_PIECE = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")


def aspects_of(query: str, language: str) -> list[str]:
    """Return what a question names that a report should say something about, at most six.

    Of a request with several questions one of each, without what stands around them. Of one question each part
    between marks and conjunctions: whole if it is short or has only single words between its stop words
    ("programas para llenar las bibliotecas"), else its phrases.
    """
    if asking := asking_parts(query):
        headings = (heading_of(part, language) for part in asking)
        return list(dict.fromkeys(filter(None, headings)))[:_MAX_ASPECTS]
    plain = without_fields(query)
    left_out = stop_words(language)
    tokens = tokens_of(plain)
    found: list[str] = []
    for part in parts_of(tokens):
        words = without_ends([token.text for token in tokens[part.start : part.end]], left_out)
        whole = " ".join(words)
        if not content_stems(whole, language) or any(char.isdigit() for char in whole):
            continue
        phrases = [phrase for phrase in phrases_of(whole, language) if " " in phrase]
        found += phrases if phrases and len(words) > _MAX_PHRASE else [whole]
    return list(dict.fromkeys(found))[:_MAX_ASPECTS]


def subject_of(query: str, language: str) -> str:
    """Return the subject of a question in a few words for a search."""
    return " ".join(phrases_of(without_fields(query), language)[:_MAX_SUBJECT]) or " ".join(query.split())[:120]


def phrases_of(query: str, language: str) -> list[str]:
    """Return the phrases of a question in order: runs of words between stop words, verbs and punctuation."""
    kept: dict[tuple[str, ...], str] = {}
    for words in _runs(query, language):
        phrase = " ".join(words[-_MAX_PHRASE:])
        stems = tuple(content_stems(phrase, language))
        if stems and not any(set(stems) <= set(known) for known in kept):
            kept[stems] = phrase
    return list(kept.values())


def _runs(query: str, language: str) -> Iterator[list[str]]:
    left_out = stop_words(language) | words_of("question")
    run: list[str] = []
    for piece in _PIECE.findall(query):
        if piece[0].isalnum() and not piece.isdigit() and piece.casefold() not in left_out:
            run.append(piece)
        elif run:
            yield run
            run = []
    if run:
        yield run
