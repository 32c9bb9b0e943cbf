"""Rank texts for a question by their words and, where there is an embedder, by their meaning."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from research.meaning.meaning import Languages, Meaning, means_of
from research.text import detect_language, rank_sentences

T = TypeVar("T", bound=Hashable)

#: Weight of the words beside the meaning.
WORDS = 0.2
#: A text that is less near than this has nothing to do with the question.
UNRELATED = 0.1
#: The usual constant of reciprocal rank fusion.
_RANK_OFFSET = 60


@dataclass(frozen=True, slots=True)
class Text:
    """A text to rank, in its language."""

    text: str
    language: str


def rank_texts(question: str, texts: Sequence[Text], meaning: Meaning) -> list[float]:
    """Return a score per text, 0 for one that has nothing to do with the question; higher is better."""
    words = by_words(question, texts)
    near = nearness([question], texts, meaning)
    if near is None:
        return words
    return [max(0.0, value - UNRELATED) + WORDS * word for value, word in zip(near[0], words, strict=True)]


def by_words(question: str, texts: Sequence[Text]) -> list[float]:
    """Return the share of the question's words in each text, weighted: 0 to 1."""
    scores = [0.0] * len(texts)
    for language in sorted({text.language for text in texts}):
        places = [place for place, text in enumerate(texts) if text.language == language]
        found = rank_sentences(question, [texts[place].text for place in places], language)
        for place, score in zip(places, found, strict=True):
            scores[place] = score
    return scores


def nearness(questions: Sequence[str], texts: Sequence[Text], meaning: Meaning) -> list[list[float]] | None:
    """Return how near each text is to each question, -1 to 1; None without an embedder.

    Unrelated texts are around 0. What the languages add is subtracted, so that a text of the other language is as
    near as one of the question's.
    """
    if not texts:
        return [[] for _ in questions]
    asked, vectors, languages = meaning.of_questions(questions), meaning.of_texts([t.text for t in texts]), None
    if asked is not None and vectors is not None:
        languages = Languages.by(meaning)
    if asked is None or vectors is None or languages is None:
        return None
    spoken = [text.language for text in texts]
    languages = languages.among(means_of(vectors, spoken))
    told = languages.without(vectors, spoken)
    return [
        (told @ languages.question(vector, detect_language(question))).tolist()
        for question, vector in zip(questions, asked, strict=True)
    ]


def fused(rankings: Iterable[Sequence[T]]) -> list[T]:
    """Merge lists by reciprocal rank fusion (Cormack, Clarke & Büttcher 2009), best first; equal ones as given."""
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (_RANK_OFFSET + rank)
    return sorted(scores, key=lambda one: -scores[one])
