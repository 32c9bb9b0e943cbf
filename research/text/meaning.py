"""Meaning besides words: vectors of texts, and which of them are near a question, near each other or nothing."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import fsum, log, sqrt
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.llm.embeddings import Vectors
from research.text.language import content_stems, detect_language, rank_sentences

# Compare texts with a question and with each other, by their words and, with an embedder, by meaning.


T = TypeVar("T", bound=Hashable)

#: Weight of the words beside the meaning.
_WORDS = 0.2
#: A text that is less near than this has nothing to do with the question.
_UNRELATED = 0.1
#: The usual constant of reciprocal rank fusion.
_RANK_OFFSET = 60
#: Least product of the vectors of two texts that say nearly the same, and least share of their stems.
_SAME_VECTOR, _SAME_STEMS = 0.96, 0.8
#: How near texts of one subject are that are about different things.
_OF_ONE_SUBJECT = 0.3
#: Least share of the stems of an aspect that one text has.
_COVERED_STEMS = 0.6
#: Least nearness of an aspect to a text that is about it; the second if its question is known.
_COVERED_NEARNESS, _COVERED_WITHIN = 0.25, 0.375


@dataclass(frozen=True, slots=True)
class Text:
    """A text to compare, in its language."""

    text: str
    language: str


def rank_texts(question: str, texts: Sequence[Text], meaning: Meaning) -> list[float]:
    """Return a score per text, 0 for one that has nothing to do with the question; higher is better."""
    words = rank_by_words(question, texts)
    near = _nearness([question], texts, meaning)
    if near is None:
        return words
    return [max(0.0, value - _UNRELATED) + _WORDS * word for value, word in zip(near[0], words, strict=True)]


def rank_by_words(question: str, texts: Sequence[Text]) -> list[float]:
    """Return the score of each text for the words of the question, among those of its language."""
    words = [0.0] * len(texts)
    for language in sorted({text.language for text in texts}):
        places = [place for place, text in enumerate(texts) if text.language == language]
        found = rank_sentences(question, [texts[place].text for place in places], language)
        for place, score in zip(places, found, strict=True):
            words[place] = score
    return words


def order_by_nearness(question: str, texts: Sequence[Text], meaning: Meaning) -> list[int]:
    """Return the places of the texts, nearest to the question first; equal ones as given."""
    scores = rank_texts(question, texts, meaning)
    return sorted(range(len(texts)), key=lambda place: -scores[place])


def fused(rankings: Iterable[Sequence[T]]) -> list[T]:
    """Merge lists by reciprocal rank fusion (Cormack, Clarke & Büttcher 2009), best first; equal ones as given."""
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking):
            scores[one] = scores.get(one, 0.0) + 1 / (_RANK_OFFSET + rank)
    return sorted(scores, key=lambda one: -scores[one])


def near_duplicates(texts: Sequence[Text], meaning: Meaning) -> list[tuple[int, int]]:
    """Return the places of each two texts that say nearly the same, the earlier one first."""
    stems = [_stems(text.text, text.language) for text in texts]
    vectors = meaning.of_texts([text.text for text in texts])
    near = None if vectors is None else vectors @ vectors.T
    return [
        (one, other)
        for one, other in combinations(range(len(texts)), 2)
        if len(stems[one] & stems[other]) >= _SAME_STEMS * len(stems[one] | stems[other]) > 0
        or (near is not None and near[one, other] >= _SAME_VECTOR)
    ]


def text_likeness(texts: Sequence[Text], meaning: Meaning) -> list[list[float]]:
    """Return how alike each two texts are, 0 to about 1: by their words, rare ones most, and by their vectors."""
    stems = [_stems(text.text, text.language) for text in texts]
    used = Counter(stem for one in stems for stem in one)
    worth = {stem: log(len(texts) / count) for stem, count in used.items()}
    whole = [sqrt(fsum(worth[stem] for stem in one)) or 1.0 for one in stems]
    told = without_languages(texts, meaning)
    near = None if told is None else told[0] @ told[0].T - _OF_ONE_SUBJECT
    return [
        [
            fsum(worth[stem] for stem in mine & others) / (whole[one] * whole[other])
            + (0.0 if near is None else max(0.0, float(near[one, other])))
            for other, others in enumerate(stems)
        ]
        for one, mine in enumerate(stems)
    ]


def covering(
    aspects: Sequence[str], texts: Sequence[Text], meaning: Meaning, question: str = ""
) -> list[list[int]]:
    """Return for each aspect of a question the places of the texts that are about it.

    With the question, a text must be nearer: to the aspect by itself, or on average of it and of it within the
    question.
    """
    by_word = [[place for place, text in enumerate(texts) if _has_words_of(aspect, text)] for aspect in aspects]
    near = _nearness(aspects, texts, meaning)
    within = _nearness([f"{aspect}: {question}" for aspect in aspects], texts, meaning) if question else near
    if near is None or within is None:
        return by_word
    least = _COVERED_WITHIN if question else _COVERED_NEARNESS
    return [
        [
            place
            for place, (alone, inside) in enumerate(zip(*rows, strict=True))
            if place in places or max(alone, (alone + inside) / 2) >= least
        ]
        for places, *rows in zip(by_word, near, within, strict=True)
    ]


def _nearness(questions: Sequence[str], texts: Sequence[Text], meaning: Meaning) -> list[list[float]] | None:
    """Return how near each text is to each question, -1 to 1; None without an embedder.

    Unrelated texts are around 0. What the languages add is subtracted, so that a text of the other language is as
    near as one of the question's.
    """
    if not texts:
        return [[] for _ in questions]
    asked = meaning.of_questions(questions)
    told = None if asked is None else without_languages(texts, meaning)
    if asked is None or told is None:
        return None
    vectors, languages = told
    return [
        (vectors @ languages.question(vector, detect_language(question))).tolist()
        for question, vector in zip(questions, asked, strict=True)
    ]


def without_languages(texts: Sequence[Text], meaning: Meaning) -> tuple[Vectors, Languages] | None:
    """Return the texts' vectors without what their languages add, and the languages; None without an embedder."""
    vectors = meaning.of_texts([text.text for text in texts])
    languages = None if vectors is None else Languages.by(meaning)
    if vectors is None or languages is None:
        return None
    spoken = [text.language for text in texts]
    languages = languages.among(means_of(vectors, spoken))
    return languages.without(vectors, spoken), languages


def nearness_of(asked: Vector, whole: Vector, sentences: Vectors) -> float:
    """Return the nearness of a passage: of the whole, and of its nearest sentence and two sentences together."""
    if not len(sentences):
        return 2 * float(whole @ asked)
    single = sentences @ asked
    pairs = sentences[:-1] + sentences[1:]
    lengths = np.linalg.norm(pairs, axis=1)
    together = (single[:-1] + single[1:]) / np.where(lengths == 0, 1, lengths) if len(pairs) else single
    return float(whole @ asked + (single.max() + together.max()) / 2)


def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(content_stems(text, language))


def _has_words_of(aspect: str, text: Text) -> bool:
    wanted = _stems(aspect, text.language)
    return len(wanted & _stems(text.text, text.language)) >= _COVERED_STEMS * len(wanted) > 0


# Vectors of questions and texts, and vectors without what their language adds.
#
# Texts of one language are nearer to each other than to texts of the same meaning in another one. The mean vector
# of a language is therefore subtracted before vectors are compared.


Vector = NDArray[np.float32]

#: Share of the mean of questions that is subtracted: the rest is a slight preference for the question's language.
_OF_QUESTIONS = 0.7
#: How many texts the sentences of no subject count as in the mean of a language.
_COMMON = 60


@cache
def common_ground() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return sentences and questions of no subject in particular: {language: {"texts" or "questions": …}}."""
    with (Path(__file__).parent / "common_ground.toml").open("rb") as file:
        return tomllib.load(file)


class Meaning(Protocol):
    """Vectors of texts as the embedder gives them, with what their language adds."""

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """Return a vector per question, or None if there is no embedder or it fails."""
        return None

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """Return a vector per text, stored ones where there are; None if there is no embedder or it fails."""
        return None


@dataclass(frozen=True)
class NoMeaning(Meaning):
    """Without an embedder: words alone decide."""


@dataclass(frozen=True)
class Languages:
    """The means of each language's questions and texts, by one embedder."""

    questions: Mapping[str, Vector]
    texts: Mapping[str, Vector]

    @classmethod
    def by(cls, meaning: Meaning) -> Languages | None:
        """Return the means of the sentences of no subject; None without an embedder."""
        questions, texts = {}, {}
        for language, ground in common_ground().items():
            asked, told = meaning.of_questions(ground["questions"]), meaning.of_texts(ground["texts"])
            if asked is None or told is None:
                return None
            questions[language], texts[language] = asked.mean(axis=0), told.mean(axis=0)
        return cls(questions, texts)

    def among(self, means: Mapping[str, tuple[int, Vector]]) -> Languages:
        """Return the means where there are these texts, too: {language: (their number, their mean)}."""
        mixed = {
            language: np.asarray(share * mean + (1 - share) * common, dtype=np.float32)
            for language, common in self.texts.items()
            for count, mean in [means.get(language, (0, common))]
            for share in [count / (count + _COMMON)]
        }
        return Languages(self.questions, mixed)

    def question(self, vector: Vector, language: str) -> Vector:
        """Return a question's vector without its language, normalised."""
        return _normalised(vector - _OF_QUESTIONS * self.questions[language])

    def without(self, vectors: Vectors, languages: Sequence[str]) -> Vectors:
        """Return the texts' vectors without their languages, normalised."""
        if not len(vectors):
            return vectors
        return _normalised(vectors - np.array([self.texts[language] for language in languages]))


def means_of(vectors: Vectors, languages: Sequence[str]) -> dict[str, tuple[int, Vector]]:
    """Return {language: (number, mean)} of the vectors."""
    given = np.array(languages)
    return {
        str(one): (int((given == one).sum()), vectors[given == one].mean(axis=0)) for one in sorted(set(languages))
    }


def _normalised(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)
