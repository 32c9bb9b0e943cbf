"""Train the models that read what a request asks for: `make questions` (a minute).

Writes `research/request_models.json.gz`. With `--check` it writes nothing and prints how much of the strangers'
requests is right when each fifth is read by models that have not seen it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lab.questions.examples import Example, examples
from lab.questions.fitting import fitted, folds, store
from research.report_type import FILE, chances, kind_features, number_features, part_features, read_with
from research.text.language import LinearModel

_FOLDS = 5
#: Inverse strength of the regularisation, and least probability of a yes.
_SETTINGS = {"kind": (2.0, 0.5), "count": (6.0, 0.2), "field": (6.0, 0.5)}


def main() -> None:
    """Train and write the models, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    known = examples()
    if parser.parse_args().check:
        _check(known)
        return
    store(trained(known), FILE)
    print(f"{len(known)} requests, {FILE.stat().st_size // 1024} KB")


def trained(known: Sequence[Example]) -> Mapping[str, LinearModel]:
    """Return the models of these examples.

    The model of the kind sees probabilities of the two others as on requests that these have not seen.
    """
    features, labels, weights = [], [], []
    for learned, held in folds(known, _FOLDS):
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
    return fitted(features, labels, weights, strength=strength, threshold=threshold)


def _check(known: Sequence[Example]) -> None:
    right: dict[tuple[str, str], list[bool]] = {}
    for learned, held in folds(known, _FOLDS):
        models = trained(learned)
        for example in held:
            found = read_with(models, example.wording)
            right.setdefault((example.source, "kind"), []).append(found.wants_items == example.is_catalog)
            right.setdefault((example.source, "count"), []).append(found.count == example.count)
    for (source, what), answers in sorted(right.items()):
        print(f"{source:10} {what:6} {sum(answers) / len(answers):.3f} of {len(answers)}")


if __name__ == "__main__":
    main()
