"""Train the models that read what a request asks for: `make questions` (a minute).

Writes `research/questions/models.json.gz`. With `--check` it writes nothing and prints how much of the strangers'
requests is right when each fifth is read by models that have not seen it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from research.questions.features import kind_features, number_features, part_features
from research.questions.reading import FILE, LinearModel, chances, read_with
from scripts.questions.examples import Example, examples

_FOLDS = 5
#: Inverse strength of the regularisation, and least probability of a yes.
_SETTINGS = {"kind": (2.0, 0.5), "count": (6.0, 0.2), "field": (6.0, 0.5)}
#: Fewest requests, numbers or parts that a feature is learned from.
_LEAST_OFTEN = 3


def main() -> None:
    """Train and write the models, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    known = examples()
    if parser.parse_args().check:
        _check(known)
        return
    stored = {name: vars(model) for name, model in trained(known).items()}
    text = json.dumps(stored, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(known)} requests, {FILE.stat().st_size // 1024} KB")


def trained(known: Sequence[Example]) -> Mapping[str, LinearModel]:
    """Return the models of these examples.

    The model of the kind sees probabilities of the two others as on requests that these have not seen.
    """
    features, labels, weights = [], [], []
    for learned, held in _folds(known):
        lower = _lower(learned)
        for example in held:
            features.append(_kind(example, lower))
            labels.append(example.is_catalog)
            weights.append(example.weight)
    return {**_lower(known), "kind": _fitted("kind", features, labels, weights)}


def _lower(known: Sequence[Example]) -> dict[str, LinearModel]:
    numbers = [(example, at) for example in known for at in range(len(example.numbers))]
    parts = [(example, at) for example in known if example.fields is not None for at in range(len(example.parts))]
    return {
        "count": _fitted(
            "count",
            [number_features(example.wording, at) for example, at in numbers],
            [example.numbers[at] for example, at in numbers],
            [example.weight for example, _ in numbers],
        ),
        "field": _fitted(
            "field",
            [part_features(example.wording, at) for example, at in parts],
            [example.parts[at] for example, at in parts],
            [1 for _ in parts],
        ),
    }


def _kind(example: Example, lower: Mapping[str, LinearModel]) -> set[str]:
    counts = chances(lower["count"], example.wording, "count")
    fields = chances(lower["field"], example.wording, "field")
    return kind_features(example.wording, max(counts, default=0.0), fields)


def _fitted(
    name: str, features: Sequence[Iterable[str]], labels: Sequence[bool], weights: Sequence[int]
) -> LinearModel:
    strength, threshold = _SETTINGS[name]
    vectorizer = DictVectorizer()
    rows = vectorizer.fit_transform([dict.fromkeys(found, 1) for found in features])
    often = np.asarray(rows.sum(axis=0)).ravel()
    kept = np.flatnonzero(often >= _LEAST_OFTEN)
    rarity = np.log(rows.shape[0] / often[kept])
    rows = rows[:, kept]
    length = np.sqrt(np.maximum(rows.sum(axis=1), 1))
    model = LogisticRegression(C=strength, max_iter=400, solver="liblinear", random_state=0)
    model.fit(csr_matrix((rows @ diags(rarity)) / length), labels, sample_weight=weights)
    named = zip(vectorizer.get_feature_names_out()[kept], model.coef_[0] * rarity, strict=True)
    weighted = {str(feature): round(float(weight), 2) for feature, weight in named}
    return LinearModel(weighted, round(float(model.intercept_[0]), 3), threshold)


def _folds(known: Sequence[Example]) -> Iterable[tuple[list[Example], list[Example]]]:
    mixed = list(known)
    random.Random(0).shuffle(mixed)
    for nth in range(_FOLDS):
        yield [example for at, example in enumerate(mixed) if at % _FOLDS != nth], mixed[nth::_FOLDS]


def _check(known: Sequence[Example]) -> None:
    right: dict[tuple[str, str], list[bool]] = {}
    for learned, held in _folds(known):
        models = trained(learned)
        for example in held:
            found = read_with(models, example.wording)
            right.setdefault((example.source, "kind"), []).append(found.wants_items == example.is_catalog)
            right.setdefault((example.source, "count"), []).append(found.count == example.count)
    for (source, what), answers in sorted(right.items()):
        print(f"{source:10} {what:6} {sum(answers) / len(answers):.3f} of {len(answers)}")


if __name__ == "__main__":
    main()
