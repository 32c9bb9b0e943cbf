"""Vectors of questions and texts, and vectors without what their language adds.

Texts of one language are nearer to each other than to texts of the same meaning in another one. The mean vector of
a language is therefore subtracted before vectors are compared.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.embeddings import Vectors

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
