"""Logistic regressions over sets of features."""

from __future__ import annotations

import gzip
import json
from math import exp, sqrt
from pathlib import Path

import pytest

from research.text.language import LinearModel, amount, stored_models

MODEL = LinearModel({"list": 2.0, "row": 1.0, "person": -3.0}, -1.0, 0.5)


def test_the_sum_of_weights_is_divided_by_the_root_of_the_number_of_known_features() -> None:
    expected = 1 / (1 + exp(-(-1 + (2 + 1) / sqrt(2))))
    assert MODEL.probability({"list", "row"}) == pytest.approx(expected)
    assert MODEL.probability({"list", "row", "never seen"}) == pytest.approx(expected)


def test_without_a_known_feature_the_bias_decides() -> None:
    assert MODEL.probability(()) == MODEL.probability({"never seen"}) == pytest.approx(1 / (1 + exp(1)))


def test_no_weight_overflows() -> None:
    heavy = LinearModel({"yes": 1e9, "no": -1e9}, 0.0, 0.5)
    assert heavy.probability({"yes"}) == pytest.approx(1)
    assert heavy.probability({"no"}) == pytest.approx(0)


def test_models_are_read_by_name(tmp_path: Path) -> None:
    file = tmp_path / "models.json.gz"
    told = {"kind": {"weights": {"list": 2.0}, "bias": -1.0, "threshold": 0.4}}
    file.write_bytes(gzip.compress(json.dumps(told).encode()))
    assert stored_models(file) == {"kind": LinearModel({"list": 2.0}, -1.0, 0.4)}


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0"), (4.4, "4"), (5, "5 to 7"), (7.9, "5 to 7"), (8, "8 or more")]
)
def test_large_amounts_are_classes(number: float, said: str) -> None:
    assert amount(number) == said
