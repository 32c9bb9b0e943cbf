"""Percentiles from counts in buckets."""

from __future__ import annotations

import random

import pytest

from services.stats.occurrences import BOUNDS, bucket_of, quantile


@pytest.mark.parametrize(
    ("value", "low"), [(0, 0), (0.5, 0), (1, 1), (5, 4), (6, 6), (7.9, 6), (8, 8), (10**12, BOUNDS[-1])]
)
def test_buckets(value: float, low: int) -> None:
    assert bucket_of(value) == low


def test_percentiles_are_within_a_bucket_of_the_truth() -> None:
    draw = random.Random(1)
    values = sorted(draw.lognormvariate(5, 2) for _ in range(2000))
    counts: dict[int, int] = {}
    for value in values:
        counts[bucket_of(value)] = counts.get(bucket_of(value), 0) + 1
    for share in (0.01, 0.5, 0.95, 1.0):
        found, true = quantile(counts, share), values[max(int(share * len(values)) - 1, 0)]
        assert found is not None and true / 1.5 - 1 <= found <= true * 1.5 + 1


def test_of_nothing() -> None:
    assert quantile({}, 0.5) is None and quantile({4: 0}, 0.5) is None
