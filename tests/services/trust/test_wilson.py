from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.trust.audit_sample import Interval, Z, effective_size, weighted_share, wilson
from tests.support.long import examples


@pytest.mark.parametrize(
    ("right", "number", "low", "high"),
    # Newcombe 1998, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals(right: int, number: int, low: float, high: float) -> None:
    found = wilson(right / number, number)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@settings(max_examples=examples(50, 1000), deadline=None)
@given(st.integers(1, 5000), st.data())
def test_its_bounds_are_where_the_score_test_turns(number: int, data: st.DataObject) -> None:
    share = data.draw(st.integers(0, number)) / number
    found = wilson(share, number)
    assert 0 <= found.low <= share <= found.high <= 1
    for bound in (found.low, found.high):
        if 0 < bound < 1:
            assert abs(share - bound) / math.sqrt(bound * (1 - bound) / number) == pytest.approx(Z, abs=1e-6)


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0.5, 0) == Interval(0.0, 1.0)
    assert weighted_share([]).value is None
    assert effective_size([]) == 0.0


@pytest.mark.parametrize(("share", "number"), [(-0.1, 5), (1.1, 5), (0.5, -1)])
def test_no_share(share: float, number: float) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(share, number)


def test_a_weight_is_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        effective_size([1.0, 0.0])


@given(st.lists(st.tuples(st.booleans(), st.floats(0.1, 100)), min_size=1, max_size=60))
@settings(max_examples=examples(50, 1000), deadline=None)
def test_a_weighted_share(judged: list[tuple[bool, float]]) -> None:
    found = weighted_share(judged)
    weights = [weight for _, weight in judged]
    assert found.value == pytest.approx(math.fsum(w for right, w in judged if right) / math.fsum(weights))
    assert found.effective == pytest.approx(math.fsum(weights) ** 2 / math.fsum(w * w for w in weights))
    assert found.effective <= len(judged) + 1e-6
    assert found.interval == wilson(found.value or 0.0, found.effective)


def test_equal_weights_count_as_many_as_they_are() -> None:
    assert weighted_share([(True, 20.0)] * 30).effective == pytest.approx(30)
