"""Compare texts by words and vectors: with a question, with each other, with aspects."""

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

T = TypeVar("T", bound=Hashable)

#: Weight of words relative to meaning.
_WORDS = 0.2
#: A text with less nearness is unrelated to the question.
_UNRELATED = 0.1
#: The usual constant of reciprocal rank fusion.
_RANK_OFFSET = 60
#: Least product of the vectors, and least share of common stems, of near duplicates.
_SAME_VECTOR, _SAME_STEMS = 0.96, 0.8
#: Usual nearness of texts on one subject that are about different things.
_OF_ONE_SUBJECT = 0.3
#: Least share of an aspect's stems in a text that covers it.
_COVERED_STEMS = 0.6
#: Least nearness of an aspect to a text that covers it; the second value if its question is known.
_COVERED_NEARNESS, _COVERED_WITHIN = 0.25, 0.375


@dataclass(frozen=True, slots=True)
class Text:
    """A text to compare, in its language."""

    text: str
    language: str


def rank_texts(question: str, texts: Sequence[Text], meaning: Meaning) -> list[float]:
    """Return a score per text, 0 for one that is unrelated to the question; higher is better."""
    words = rank_by_words(question, texts)
    near = _nearness([question], texts, meaning)
    if near is None:
        return words
    return [max(0.0, value - _UNRELATED) + _WORDS * word for value, word in zip(near[0], words, strict=True)]


def rank_by_words(question: str, texts: Sequence[Text]) -> list[float]:
    """Return the score of each text for the words of the question, compared with texts of its language."""
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
    """Return the indexes of each pair of texts that say nearly the same, the earlier one first."""
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
    """Return the similarity of each pair of texts, 0 to about 1, by words (rare ones most) and by vectors."""
    stems = [_stems(text.text, text.language) for text in texts]
    used = Counter(stem for one in stems for stem in one)
    worth = {stem: log(len(texts) / count) for stem, count in used.items()}
    whole = [sqrt(fsum(worth[stem] for stem in one)) or 1.0 for one in stems]
    compared = without_languages(texts, meaning)
    near = None if compared is None else compared[0] @ compared[0].T - _OF_ONE_SUBJECT
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
    """Return for each aspect of a question the indexes of the texts that are about it.

    With the question the threshold is higher, for the aspect by itself or for the average with the aspect in the
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
    """Return the nearness of each text to each question, -1 to 1; None without an embedder.

    Unrelated texts are around 0. The mean vectors of the languages are subtracted, so that a text in another
    language can be as near as one in the question's.
    """
    if not texts:
        return [[] for _ in questions]
    asked = meaning.of_questions(questions)
    compared = None if asked is None else without_languages(texts, meaning)
    if asked is None or compared is None:
        return None
    vectors, languages = compared
    return [
        (vectors @ languages.question(vector, detect_language(question))).tolist()
        for question, vector in zip(questions, asked, strict=True)
    ]


def without_languages(texts: Sequence[Text], meaning: Meaning) -> tuple[Vectors, Languages] | None:
    """Return the texts' vectors minus their languages' means, and the languages; None without an embedder."""
    vectors = meaning.of_texts([text.text for text in texts])
    languages = None if vectors is None else Languages.by(meaning)
    if vectors is None or languages is None:
        return None
    spoken = [text.language for text in texts]
    languages = languages.among(means_of(vectors, spoken))
    return languages.without(vectors, spoken), languages


def nearness_of(asked: Vector, whole: Vector, sentences: Vectors) -> float:
    """Return the nearness of a passage: as a whole, and of its nearest sentence and pair of sentences."""
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


# Vectors of questions and texts, and vectors minus the mean of their language.
#
# Texts of one language are nearer to each other than to texts of the same meaning in another one. The mean vector
# of a language is therefore subtracted before vectors are compared.


Vector = NDArray[np.float32]

#: Share of the questions' mean that is subtracted; the rest slightly prefers the question's language.
_OF_QUESTIONS = 0.7
#: Weight of the neutral sentences in the mean of a language, as a number of texts.
_COMMON = 60


@cache
def common_ground() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return neutral sentences and questions: {language: {"texts" or "questions": …}}."""
    with (Path(__file__).parent / "common_ground.toml").open("rb") as file:
        return tomllib.load(file)


def common_sentences(kind: str) -> list[str]:
    """Return the neutral "questions" or "texts" of all languages."""
    return [sentence for ground in common_ground().values() for sentence in ground[kind]]


def _by_language(kind: str, vectors: Vectors) -> dict[str, Vector]:
    """Return the mean of each language, of the vectors of these neutral sentences."""
    means, start = dict[str, Vector](), 0
    for language, ground in common_ground().items():
        end = start + len(ground[kind])
        means[language] = vectors[start:end].mean(axis=0)
        start = end
    return means


class Meaning(Protocol):
    """Vectors of texts from the embedder, including the share of their language."""

    def of_questions(self, questions: Sequence[str]) -> Vectors | None:
        """Return a vector per question, or None if there is no embedder or it fails."""
        return None

    def of_texts(self, texts: Sequence[str]) -> Vectors | None:
        """Return a vector per text, stored ones if possible; None if there is no embedder or it fails."""
        return None


@dataclass(frozen=True)
class NoMeaning(Meaning):
    """Without an embedder: only words are compared."""


@dataclass(frozen=True)
class Languages:
    """The mean vectors of each language's questions and texts, from one embedder."""

    questions: Mapping[str, Vector]
    texts: Mapping[str, Vector]

    @classmethod
    def by(cls, meaning: Meaning) -> Languages | None:
        """Return the means of the neutral sentences; None without an embedder."""
        asked = meaning.of_questions(common_sentences("questions"))
        statements = None if asked is None else meaning.of_texts(common_sentences("texts"))
        if asked is None or statements is None:
            return None
        return cls(_by_language("questions", asked), _by_language("texts", statements))

    def among(self, means: Mapping[str, tuple[int, Vector]]) -> Languages:
        """Return the means including these texts, given as {language: (number, mean)}."""
        mixed = {
            language: np.asarray(share * mean + (1 - share) * common, dtype=np.float32)
            for language, common in self.texts.items()
            for count, mean in [means.get(language, (0, common))]
            for share in [count / (count + _COMMON)]
        }
        return Languages(self.questions, mixed)

    def question(self, vector: Vector, language: str) -> Vector:
        """Return a question's vector minus its language's mean, normalised."""
        return _normalised(vector - _OF_QUESTIONS * self.questions[language])

    def without(self, vectors: Vectors, languages: Sequence[str]) -> Vectors:
        """Return the texts' vectors minus their languages' means, normalised."""
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
