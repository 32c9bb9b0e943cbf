"""Fit and store the models of `research.text.linear_model`."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from research.text.linear_model import LinearModel, SpanModel

T = TypeVar("T")
#: Weights below this one are left out of a stored model of spans.
_LEAST = 0.3


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


def fitted_spans(
    known: Sequence[tuple[Sequence[Sequence[str]], Sequence[int]]], *, rounds: int, least_often: int = 3
) -> SpanModel:
    """Return the perceptron of texts whose tokens have features and labels, averaged over all its steps."""
    often = Counter(feature for tokens, _ in known for features in tokens for feature in features)
    ids = {
        feature: nth
        for nth, feature in enumerate(sorted(one for one, count in often.items() if count >= least_often))
    }
    texts = [
        ([np.array([ids[one] for one in features if one in ids], dtype=np.int64) for features in tokens], labels)
        for tokens, labels in known
    ]
    weights, steps = np.zeros((len(ids), 3)), np.zeros((3, 3))
    sums, sums_of_steps = np.zeros_like(weights), np.zeros_like(steps)
    drawn, nth = random.Random(0), 0
    for _ in range(rounds):
        drawn.shuffle(texts)
        for tokens, labels in texts:
            nth += 1
            found = _decoded([weights[features].sum(axis=0) for features in tokens], steps)
            for at, (said, right) in enumerate(zip(found, labels, strict=True)):
                if said != right:
                    for label, change in ((right, 1.0), (said, -1.0)):
                        weights[tokens[at], label] += change
                        sums[tokens[at], label] += change * nth
                pair, wanted = (found[at - 1], said), (labels[at - 1], right)
                if at and pair != wanted:
                    for place, change in ((wanted, 1.0), (pair, -1.0)):
                        steps[place] += change
                        sums_of_steps[place] += change * nth
    averaged, averaged_steps = weights - sums / (nth + 1), steps - sums_of_steps / (nth + 1)
    kept = {feature: [round(float(one), 1) for one in averaged[at]] for feature, at in ids.items()}
    told = {feature: weight for feature, weight in kept.items() if max(map(abs, weight)) >= _LEAST}
    return SpanModel(told, [[round(float(one), 2) for one in line] for line in averaged_steps])


def _decoded(own: Sequence[np.ndarray], steps: np.ndarray) -> list[int]:
    """Return the best labels; the training sees the same choices as `SpanModel`."""
    best, back = np.array([own[0][0], own[0][1], -np.inf]), []
    for scores in own[1:]:
        table = best[:, None] + steps
        table[0, 2] = -np.inf
        came = table.argmax(axis=0)
        back.append(came)
        best = table[came, range(3)] + scores
    found = [int(best.argmax())]
    for came in reversed(back):
        found.append(int(came[found[-1]]))
    return found[::-1]


def folds(known: Sequence[T], count: int) -> Iterator[tuple[list[T], list[T]]]:
    """Yield the examples in two parts, `count` times: those to learn from and those kept aside."""
    mixed = list(known)
    random.Random(0).shuffle(mixed)
    for nth in range(count):
        yield [example for at, example in enumerate(mixed) if at % count != nth], mixed[nth::count]


def store(models: Mapping[str, LinearModel | SpanModel], file: Path) -> None:
    """Write models as `stored_models` reads them; the same bytes for the same models."""
    told = {name: vars(model) for name, model in models.items()}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
