"""Compare texts by meaning, or by their words where there is no embedder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

from research.meaning.meaning import Languages, Meaning, means_of
from research.meaning.ranking import Text, nearness, rank_texts
from research.text import content_stems

#: Least product of the vectors of two texts that say nearly the same, and least share of their stems.
_SAME_VECTOR, _SAME_STEMS = 0.96, 0.8
#: How near texts of one subject are that are about different things.
_OF_ONE_SUBJECT = 0.3
#: Least share of the stems of an aspect that one text has.
_COVERED_STEMS = 0.6
#: Least nearness of an aspect to a text that is about it; the second if its question is known.
_COVERED_NEARNESS, _COVERED_WITHIN = 0.25, 0.375


def order_by_nearness(question: str, texts: Sequence[Text], meaning: Meaning) -> list[int]:
    """Return the places of the texts, nearest to the question first; equal ones as given."""
    scores = rank_texts(question, texts, meaning)
    return sorted(range(len(texts)), key=lambda place: -scores[place])


def near_duplicates(texts: Sequence[Text], meaning: Meaning) -> list[tuple[int, int]]:
    """Return the places of each two texts that say nearly the same, the earlier one first."""
    stems = [frozenset(content_stems(text.text, text.language)) for text in texts]
    vectors = meaning.of_texts([text.text for text in texts])
    near = None if vectors is None else vectors @ vectors.T
    return [
        (one, other)
        for one, other in combinations(range(len(texts)), 2)
        if _shared(stems[one], stems[other]) >= _SAME_STEMS
        or (near is not None and near[one, other] >= _SAME_VECTOR)
    ]


def likeness(texts: Sequence[Text], meaning: Meaning) -> list[list[float]]:
    """Return how alike each two texts are, 0 to about 1: by their words, rare ones most, and by their vectors."""
    stems = [frozenset(content_stems(text.text, text.language)) for text in texts]
    used = Counter(stem for one in stems for stem in one)
    worth = {stem: log(len(texts) / count) for stem, count in used.items()}
    whole = [sqrt(sum(worth[stem] for stem in one)) or 1.0 for one in stems]
    vectors = meaning.of_texts([text.text for text in texts])
    languages = None if vectors is None else Languages.by(meaning)
    between = None
    if vectors is not None and languages is not None:
        spoken = [text.language for text in texts]
        near = languages.among(means_of(vectors, spoken)).without(vectors, spoken)
        between = near @ near.T - _OF_ONE_SUBJECT
    return [
        [
            sum(worth[stem] for stem in mine & others) / (whole[one] * whole[other])
            + (0.0 if between is None else max(0.0, float(between[one, other])))
            for other, others in enumerate(stems)
        ]
        for one, mine in enumerate(stems)
    ]


def coverage(aspects: Sequence[str], texts: Sequence[Text], meaning: Meaning) -> list[bool]:
    """Return for each aspect of a question whether one of the texts is about it."""
    return [bool(places) for places in covering(aspects, texts, meaning)]


def covering(
    aspects: Sequence[str], texts: Sequence[Text], meaning: Meaning, question: str = ""
) -> list[list[int]]:
    """Return for each aspect of a question the places of the texts that are about it.

    With the question, a text must be nearer: to the aspect by itself, or on average of it and of it within the
    question.
    """
    by_word = [[place for place, text in enumerate(texts) if _has_words_of(aspect, text)] for aspect in aspects]
    within = [f"{aspect}: {question}" if question else aspect for aspect in aspects]
    near, near_within = nearness(aspects, texts, meaning), nearness(within, texts, meaning)
    if near is None or near_within is None:
        return by_word
    least = _COVERED_WITHIN if question else _COVERED_NEARNESS
    nearest = [
        [max(alone, (alone + inside) / 2) for alone, inside in zip(*rows, strict=True)]
        for rows in zip(near, near_within, strict=True)
    ]
    return [
        sorted({*places, *(place for place, value in enumerate(row) if value >= least)})
        for places, row in zip(by_word, nearest, strict=True)
    ]


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _has_words_of(aspect: str, text: Text) -> bool:
    wanted = frozenset(content_stems(aspect, text.language))
    held = wanted.intersection(content_stems(text.text, text.language))
    return bool(wanted) and len(held) >= _COVERED_STEMS * len(wanted)
