from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.trust.precision import Judged, bins, calibration_error
from tests.support.long import examples

JUDGED = st.lists(st.builds(Judged, st.floats(0, 1), st.booleans(), st.floats(0.5, 40)), min_size=1, max_size=80)


@given(JUDGED)
@settings(max_examples=examples(50, 1000), deadline=None)
def test_against_brute_force(judged: list[Judged]) -> None:
    found = bins(judged)
    total = sum(one.weight for one in judged)
    error = 0.0
    for place in range(10):
        low, high = place / 10, (place + 1) / 10
        own = [one for one in judged if low <= one.confidence < high or (place == 9 and one.confidence == 1)]
        if not own:
            assert all(one.low != low for one in found)
            continue
        weight = sum(one.weight for one in own)
        mean = sum(one.weight * one.confidence for one in own) / weight
        right = sum(one.weight for one in own if one.right) / weight
        [of_bin] = [one for one in found if one.low == low]
        assert of_bin.confidence == pytest.approx(mean)
        assert of_bin.right.value == pytest.approx(right)
        assert of_bin.right.judged == len(own)
        error += weight / total * abs(mean - right)
    assert calibration_error(found) == pytest.approx(error)


def test_nothing_judged() -> None:
    assert bins([]) == []
    assert calibration_error([]) is None


def test_a_weight_counts_as_so_many() -> None:
    weighted = [Judged(0.95, True, 3.0), Judged(0.95, False, 1.0)]
    repeated = [Judged(0.95, True)] * 3 + [Judged(0.95, False)]
    counted = [Judged(0.95, True, count=3), Judged(0.95, False)]
    assert calibration_error(bins(weighted)) == pytest.approx(calibration_error(bins(repeated)))
    assert bins(counted) == bins(repeated)
