"""Linear models over sets of features, as `lab/questions/fitting.py` trains and stores them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, inf, sqrt
from pathlib import Path
from typing import Any

#: What a token is: the first of a span, or one that goes on with it; 0 stands for neither.
_BEGINS, _GOES_ON = 1, 2


@dataclass(frozen=True)
class LinearModel:
    """A logistic regression over features of equal length: their sum is divided by the root of their number."""

    weights: Mapping[str, float]
    bias: float
    #: Least probability of a yes.
    threshold: float

    def probability(self, features: Iterable[str]) -> float:
        """Return the probability of a yes, from 0 to 1; a feature that is not known counts nothing."""
        known = [weight for feature in features if (weight := self.weights.get(feature)) is not None]
        score = self.bias + fsum(known) / sqrt(len(known) or 1)
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


@dataclass(frozen=True)
class SpanModel:
    """Finds spans of tokens: each token is outside of one, begins one, or goes on with one (0, 1, 2).

    A perceptron that was trained on whole texts: what a token is counts for what the next one can be.
    """

    #: Of each feature, its weight for each of the three.
    weights: Mapping[str, Sequence[float]]
    #: The weight of each of the three after each of them.
    steps: Sequence[Sequence[float]]

    def spans(self, tokens: Sequence[Iterable[str]]) -> list[tuple[int, int]]:
        """Return the most likely spans, first and last token, for the features of each token of a text."""
        best: list[float] = [0.0, 0.0, -inf]
        back: list[list[int]] = []
        for nth, features in enumerate(tokens):
            known = [weights for feature in features if (weights := self.weights.get(feature)) is not None]
            own = [fsum(weights[label] for weights in known) for label in range(3)]
            came = [self._best_before(best, label) if nth else 0 for label in range(3)]
            best = [
                own[label] + (best[came[label]] + self.steps[came[label]][label] if nth else best[label])
                for label in range(3)
            ]
            back.append(came)
        return _spans_of(back, best)

    def _best_before(self, best: Sequence[float], label: int) -> int:
        """Return what the token before one is; nothing goes on with a span that did not begin."""
        before = (1, 2) if label == _GOES_ON else (0, 1, 2)
        return max(before, key=lambda one: best[one] + self.steps[one][label])


def _spans_of(back: Sequence[Sequence[int]], best: Sequence[float]) -> list[tuple[int, int]]:
    label = max(range(3), key=lambda one: best[one])
    spans: list[tuple[int, int]] = []
    last = -1
    for at in range(len(back) - 1, -1, -1):
        last = at if label and last < 0 else last
        if label == _BEGINS:
            spans.append((at, last))
        last = last if label == _GOES_ON else -1
        label = back[at][label]
    return spans[::-1]


def stored_models(file: Path) -> Mapping[str, dict[str, Any]]:
    """Return what a file holds of each model, by name."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        found: dict[str, dict[str, Any]] = json.load(stream)
    return found


def amount(number: float) -> str:
    """Return a number as part of a feature: exact while it is small."""
    return str(round(number)) if number < 5 else "5 to 7" if number < 8 else "8 or more"
