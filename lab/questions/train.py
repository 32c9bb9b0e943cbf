"""Train the models that read what a request asks for: `make questions` (a minute).

Writes `research/questions/models.json.gz`. With `--check` it writes nothing and prints how much of the strangers'
requests is right when each fifth is read by models that have not seen it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lab.questions.examples import Example, composed, examples
from lab.questions.fitting import fitted, fitted_spans, folds, store
from research.questions.features import kind_features, number_features
from research.questions.reading import FILE, Models, counts_in, fields_in, read_with
from research.text.linear_model import LinearModel, SpanModel

#: Parts of the requests for a check, and for what the model of the kind sees of the two others.
_FOLDS, _HALVES = 5, 2
#: Inverse strength of the regularisation, and least probability of a yes.
_SETTINGS = {"kind": (2.0, 0.5), "count": (6.0, 0.2)}
#: Composed requests beside the known ones, and rounds over all, for the fields.
_COMPOSED, _ROUNDS = 3000, 8


def main() -> None:
    """Train and write the models, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    known = examples()
    if parser.parse_args().check:
        _check(known)
        return
    store(vars(trained(known)), FILE)
    print(f"{len(known)} requests, {FILE.stat().st_size // 1024} KB")


def trained(known: Sequence[Example]) -> Models:
    """Return the models of these examples.

    The model of the kind sees what the two others find in requests that these have not seen.
    """
    features, labels, weights = [], [], []
    for learned, held in folds(known, _HALVES):
        count, field = _count(learned), _field(learned, 0)
        for example in held:
            features.append(_kind(example, count, field))
            labels.append(example.is_catalog)
            weights.append(example.weight)
    return Models(_fitted("kind", features, labels, weights), _count(known), _field(known, _COMPOSED))


def _count(known: Sequence[Example]) -> LinearModel:
    numbers = [(example, at) for example in known for at in range(len(example.numbers))]
    return _fitted(
        "count",
        [number_features(example.wording, at) for example, at in numbers],
        [example.numbers[at] for example, at in numbers],
        [example.weight for example, _ in numbers],
    )


def _field(known: Sequence[Example], more: int) -> SpanModel:
    """Return the model of the fields; `more`: how many composed requests it learns from besides."""
    told = [example for example in known if example.fields is not None]
    texts = [*told, *composed(told, more)]
    features = [(example.features, example.labels[: len(example.features)]) for example in texts]
    return fitted_spans([one for one in features if one[0]], rounds=_ROUNDS)


def _kind(example: Example, count: LinearModel, field: SpanModel) -> set[str]:
    counts = counts_in(count, example.wording)
    return kind_features(example.wording, max(counts, default=0.0), len(fields_in(field, example.wording)))


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
