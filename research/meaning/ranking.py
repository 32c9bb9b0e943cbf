"""Rank texts for a question by their words and, where there is an embedder, by their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.meaning.meaning import Meaning
from research.text import rank_sentences

#: The usual constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009).
RANK_OFFSET = 60


@dataclass(frozen=True, slots=True)
class Text:
    """A text to rank, in its language."""

    text: str
    language: str


def rank_texts(question: str, texts: Sequence[Text], meaning: Meaning) -> list[float]:
    """Return a score per text, 0 for one that has nothing to do with the question; higher is better.

    Lists by words and by meaning, one per language, are fused by reciprocal ranks.
    """
    scores = [0.0] * len(texts)
    for ranking in [*_by_words(question, texts), *_by_meaning(question, texts, meaning)]:
        for rank, place in enumerate(ranking):
            scores[place] += 1 / (RANK_OFFSET + rank)
    return scores


def _by_words(question: str, texts: Sequence[Text]) -> list[list[int]]:
    found = []
    for language in sorted({text.language for text in texts}):
        places = [place for place, text in enumerate(texts) if text.language == language]
        by_place = dict(
            zip(places, rank_sentences(question, [texts[p].text for p in places], language), strict=True)
        )
        found.append(sorted((p for p in places if by_place[p] > 0), key=lambda p: (-by_place[p], p)))
    return found


def _by_meaning(question: str, texts: Sequence[Text], meaning: Meaning) -> list[list[int]]:
    asked, vectors = meaning.of_questions([question]), meaning.of_texts([text.text for text in texts])
    if asked is None or vectors is None:
        return []
    near = vectors @ asked[0]
    found = []
    for language in sorted({text.language for text in texts}):
        places = [place for place, text in enumerate(texts) if text.language == language]
        found.append(sorted(places, key=lambda p: (-near[p], p)))
    return found
