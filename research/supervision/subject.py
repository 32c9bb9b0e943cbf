"""Select the texts that are on the subject of a document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import median

from research.text import content_stems

#: Least similarity of a text, as a share of the median similarity of cited sources; lower for the best answers,
#: because a theory uses other words than the programmes that rest on it.
_NEAR, _NEAR_BEST = 0.5, 0.35
_BEST = 3

Vector = Mapping[str, float]


def on_subject(document: str, language: str, cited: Iterable[str], found: Mapping[str, str]) -> set[str]:
    """Return the keys of the texts that are on the document's subject.

    `found`: texts by key, best answers to the document's questions first. Similarity is the cosine of vectors
    weighted by inverse document frequency. Without cited texts, it is compared with that of the most similar text.
    """
    bags = {key: _bag(text, language) for key, text in found.items()}
    cited_bags = [_bag(text, language) for text in cited]
    holding = Counter(stem for bag in (*bags.values(), *cited_bags) for stem in bag)
    total = len(bags) + len(cited_bags)
    subject = _vector(_bag(document, language), holding, total)
    near = {key: _cosine(subject, _vector(bag, holding, total)) for key, bag in bags.items()}
    usual = [_cosine(subject, _vector(bag, holding, total)) for bag in cited_bags]
    whole = median(usual) if usual else max(near.values(), default=0.0)
    return {
        key
        for place, (key, value) in enumerate(near.items())
        if value >= (_NEAR_BEST if place < _BEST else _NEAR) * whole
    }


def _bag(text: str, language: str) -> Counter[str]:
    return Counter(content_stems(text, language))


def _vector(bag: Counter[str], holding: Counter[str], total: int) -> Vector:
    weights = {
        stem: (1 + math.log(count)) * math.log((1 + total) / (0.5 + holding[stem])) for stem, count in bag.items()
    }
    length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {stem: weight / length for stem, weight in weights.items()}


def _cosine(one: Vector, other: Vector) -> float:
    return sum(weight * other.get(stem, 0.0) for stem, weight in one.items())
