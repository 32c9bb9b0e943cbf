"""Logistic regressions over sets of features, as `lab/questions/fitting.py` trains and stores them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, fsum, sqrt
from pathlib import Path


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


def stored_models(file: Path) -> Mapping[str, LinearModel]:
    """Return the models of a file by name."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        return {name: LinearModel(**stored) for name, stored in json.load(stream).items()}


def amount(number: float) -> str:
    """Return a number as part of a feature: exact while it is small."""
    return str(round(number)) if number < 5 else "5 to 7" if number < 8 else "8 or more"
