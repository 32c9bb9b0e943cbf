"""Rank sentences by how well they answer a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from research.text.stems import content_stems

#: The usual values of Okapi BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework").
K1 = 1.2
B = 0.75


def rank_sentences(question: str, sentences: Sequence[str], language: str) -> list[float]:
    """Return each sentence's BM25 score over stems, scaled to 0–1.

    A sentence of average length that contains every word of the question once scores 1, so scores of different
    sets of sentences are comparable, and those of an off-topic set stay well below 1.
    """
    asked = sorted(set(content_stems(question, language)))
    bags = [Counter(content_stems(sentence, language)) for sentence in sentences]
    average = sum(bag.total() for bag in bags) / len(bags) if bags else 0.0
    if not asked or not average:
        return [0.0] * len(bags)
    weights = {stem: _weight(sum(stem in bag for bag in bags), len(bags)) for stem in asked}
    ideal = sum(weights.values())
    return [min(1.0, _score(bag, weights, average) / ideal) for bag in bags]


def _weight(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _score(bag: Counter[str], weights: dict[str, float], average: float) -> float:
    damping = K1 * (1 - B + B * bag.total() / average)
    return sum(weight * bag[stem] * (K1 + 1) / (bag[stem] + damping) for stem, weight in weights.items())
