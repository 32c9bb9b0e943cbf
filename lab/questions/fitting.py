"""Fit and store the logistic regressions of `research.text.language`."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from research.text.language import LinearModel

T = TypeVar("T")


def fitted(
    features: Sequence[Iterable[str]],
    labels: Sequence[bool],
    weights: Sequence[float],
    *,
    strength: float,
    threshold: float,
    least_often: int = 3,
    by_rarity: bool = True,
) -> LinearModel:
    """Return the model of these examples.

    `strength`: inverse of the regularisation. `least_often`: fewest examples that a feature is learned from.
    `by_rarity`: whether a rare feature counts for more before it is learned.
    """
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform([dict.fromkeys(sorted(found), 1) for found in features])
    often = np.asarray(rows.sum(axis=0)).ravel()
    kept = np.flatnonzero(often >= least_often)
    rarity = np.log(rows.shape[0] / often[kept]) if by_rarity else np.ones(len(kept))
    rows = rows[:, kept]
    length = np.sqrt(np.maximum(rows.sum(axis=1), 1))
    model = LogisticRegression(C=strength, max_iter=400, solver="liblinear", random_state=0)
    model.fit(csr_matrix((rows @ diags(rarity)) / length), labels, sample_weight=weights)
    named = zip(vectorizer.get_feature_names_out()[kept], model.coef_[0] * rarity, strict=True)
    weighted = {str(feature): round(float(weight), 2) for feature, weight in named}
    return LinearModel(weighted, round(float(model.intercept_[0]), 3), threshold)


def folds(known: Sequence[T], count: int) -> Iterator[tuple[list[T], list[T]]]:
    """Yield the examples in two parts, `count` times: those to learn from and those kept aside."""
    mixed = list(known)
    random.Random(0).shuffle(mixed)
    for nth in range(count):
        yield [example for at, example in enumerate(mixed) if at % count != nth], mixed[nth::count]


def store(models: Mapping[str, LinearModel], file: Path) -> None:
    """Write models as `stored_models` reads them; the same bytes for the same models."""
    told = {name: vars(model) for name, model in models.items()}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
