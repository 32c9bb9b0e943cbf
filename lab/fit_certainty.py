"""Fit the weights of `pipeline/validation/certainty` to recognised values of drawn development entries.

    .venv/bin/python lab/fit_certainty.py [--entries N] [--copies N]

Writes pipeline/validation/certainty.json, the same for the same readings. Entries that were read before are not
read again; remove build/certainty to read everything anew. The held-out part is never drawn here: `make
bench-reading` judges by it.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.bench.reading.certainty import ReadValue, values_of
from lab.samples.corpus import draw_recognised, write_corpus
from lab.samples.part import DEVELOPMENT
from pipeline.validation.certainty import SIGNALS
from scripts.regression.scoring.reliability import Judged, calibration_error, ranking

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "certainty"
OUT = ROOT / "pipeline" / "validation" / "certainty.json"
SEED = 7301
#: Signals that speak against a value, and those that may do either; the others speak for it.
AGAINST, EITHER = ("disputed", "unaccounted"), ("length",)
#: Weight of the penalty on squared weights, of signals scaled to a standard deviation of 1.
PENALTY = 6.0
#: Parts that the values are divided into, by entry, to tell how the fit does on entries that it has not seen.
PARTS = 8
_STEPS = 50

Matrix = NDArray[np.float64]


def main(arguments: list[str] | None = None) -> int:
    """Draw what is not drawn yet, read what is not read yet, fit, write and print how well it does."""
    options = _parser().parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / "labels.json").exists():
        write_corpus(FOLDER, draw_recognised(DEVELOPMENT, SEED, options.entries, options.copies), DEVELOPMENT)
    values = values_of(FOLDER)
    intercept, weights = fitted(values)
    found = {
        "seed": SEED,
        "values": len(values),
        "wrong": sum(not value.right for value in values),
        "weights": {"intercept": intercept, **weights},
    }
    OUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    unseen = cross_validated(values)
    print(f"{found['values']} values, {found['wrong']} wrong, {len(SIGNALS)} signals")
    print(f"on entries left out: AUROC {ranking(unseen):.3f}, calibration error {calibration_error(unseen):.3f}")
    return 0


def fitted(values: Sequence[ReadValue]) -> tuple[float, dict[str, float]]:
    """Return the intercept and a weight for each signal: a logistic regression with a penalty on large weights.

    A signal that speaks for a value never counts against it, nor the other way round: one whose weight would, by
    the chance of a few values, has none.
    """
    kept = list(SIGNALS)
    while True:
        intercept, weights = _regression(values, kept)
        wrong = [name for name in kept if _is_wrong(name, weights[name])]
        if not wrong:
            return intercept, {name: weights.get(name, 0.0) for name in SIGNALS}
        kept = [name for name in kept if name not in wrong]


def _is_wrong(name: str, weight: float) -> bool:
    return name not in EITHER and (weight > 0 if name in AGAINST else weight < 0)


def _regression(values: Sequence[ReadValue], names: Sequence[str]) -> tuple[float, dict[str, float]]:
    found = np.array([[value.signals[name] for name in names] for value in values])
    right = np.array([float(value.right) for value in values])
    scale = found.std(axis=0)
    scale[scale == 0] = 1.0
    weights = _newton(np.column_stack([np.ones(len(values)), found / scale]), right)
    return round(float(weights[0]), 4), {
        name: round(float(weight), 4) for name, weight in zip(names, weights[1:] / scale, strict=True)
    }


def cross_validated(values: Sequence[ReadValue]) -> list[Judged]:
    """Return every value with the probability by a fit to the entries of the other parts."""
    found = []
    for part in range(PARTS):
        intercept, weights = fitted([value for value in values if _part_of(value) != part])
        for value in values:
            if _part_of(value) == part:
                odds = intercept + sum(weight * value.signals[name] for name, weight in weights.items())
                found.append(Judged(value.field, float(1 / (1 + np.exp(-odds))), value.right))
    return found


def _newton(found: Matrix, right: Matrix) -> Matrix:
    weights = np.zeros(found.shape[1])
    penalty = np.full(found.shape[1], PENALTY)
    penalty[0] = 0.0
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-found @ weights))
        slope = found.T @ (chances - right) + penalty * weights
        curve = (found * (chances * (1 - chances))[:, None]).T @ found + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(weights)


def _part_of(value: ReadValue) -> int:
    return zlib.crc32(value.file.encode()) % PARTS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Fit the estimate of how probably a recognised value is right.")
    parser.add_argument("--entries", type=int, default=8, help="about how many entries of one page are drawn")
    parser.add_argument("--copies", type=int, default=45, help="how many poor copies are drawn")
    return parser


if __name__ == "__main__":
    sys.exit(main())
