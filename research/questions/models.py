"""Linear models over the features of a request, trained by `scripts/questions/train.py`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, fsum
from pathlib import Path

FILE = Path(__file__).with_name("models.json.gz")


@dataclass(frozen=True)
class LinearModel:
    """A logistic regression."""

    weights: Mapping[str, float]
    bias: float
    #: Least probability of a yes.
    threshold: float

    def probability(self, features: Iterable[str]) -> float:
        """Return the probability of a yes, from 0 to 1; a feature that is not known counts nothing."""
        score = fsum([self.bias, *(self.weights.get(feature, 0.0) for feature in features)])
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


@cache
def models() -> Mapping[str, LinearModel]:
    """Return the models "kind", "count" and "field"."""
    with gzip.open(FILE, "rt", encoding="utf-8") as file:
        return {name: LinearModel(**stored) for name, stored in json.load(file).items()}
