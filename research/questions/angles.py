"""Find the angles of a question: the aspects that it asks about, and things, people and places that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.questions.aspects import ASPECTS, Aspect
from research.questions.catalog_fields import without_fields
from research.text import content_stems
from research.text.stems import fold_accents, stop_words
from research.words import words_of

MAX_ANGLES = 6
_MAX_ASPECTS = 4
_MIN_ANGLES = 3
_MAX_PHRASE = 4
#: Aspects added to a topic that names none.
_OF_ANY_TOPIC = ("definition", "effects", "evidence")
_PIECE = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")


def angles_of(query: str, language: str) -> list[str]:
    """Return three to six angles, aspects first; fewer if the question names nothing."""
    code = _code(language)
    aspects = [aspect.label[code] for aspect in ASPECTS if aspect.asked.search(query)]
    phrases = phrases_of(without_fields(query), language)
    found = [*aspects[:_MAX_ASPECTS], *phrases][:MAX_ANGLES]
    if not phrases or len(found) >= _MIN_ANGLES:
        return found
    others = [aspect.label[code] for aspect in ASPECTS if aspect.label["en"] in _OF_ANY_TOPIC]
    return [*found, *(label for label in others if label not in found)][:_MIN_ANGLES]


def phrases_of(query: str, language: str) -> list[str]:
    """Return the phrases of a question in order: runs of words between stop words, verbs and punctuation."""
    kept: dict[tuple[str, ...], str] = {}
    for words in _runs(query, language):
        phrase = " ".join(words[-_MAX_PHRASE:])
        stems = tuple(content_stems(phrase, language))
        if stems and not any(set(stems) <= set(known) for known in kept):
            kept[stems] = phrase
    return list(kept.values())


def subject_of(query: str, language: str) -> str:
    """Return the subject of a question in a few words for a search."""
    return " ".join(phrases_of(without_fields(query), language)[:3]) or " ".join(query.split())[:120]


def aspect_of(angle: str) -> Aspect | None:
    """Return the aspect with this label or with a word that asks for it; None for other angles."""
    plain = _plain(angle)
    for aspect in ASPECTS:
        if _folded(plain) in {_folded(label) for label in aspect.label.values()}:
            return aspect
    return next((aspect for aspect in ASPECTS if aspect.asked.fullmatch(plain)), None)


def _runs(query: str, language: str) -> Iterator[list[str]]:
    run: list[str] = []
    for piece in _PIECE.findall(query):
        word = piece.casefold()
        if (
            piece[0].isalnum()
            and not piece.isdigit()
            and word not in stop_words(language)
            and word not in words_of("question")
        ):
            run.append(piece)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _plain(angle: str) -> str:
    return " ".join(angle.replace("_", " ").split())


def _folded(text: str) -> str:
    return fold_accents(_plain(text).casefold())


def _code(language: str) -> str:
    return "es" if language.casefold().startswith("es") else "en"
