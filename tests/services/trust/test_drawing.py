from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.trust.audit_sample import BANDS, band_of, draw
from tests.support.long import examples


def drawn(share: float, start: float, number: int) -> list[float | None]:
    total, found = None, []
    for _ in range(number):
        one = draw(total, share, start)
        total = one.total
        found.append(one.probability)
    return found


@given(st.floats(0.001, 1), st.floats(0, 1, exclude_max=True), st.integers(1, 300))
@settings(max_examples=examples(100, 2000), deadline=None)
def test_every_stratum_gets_at_least_its_share(share: float, start: float, number: int) -> None:
    made = sum(probability is not None for probability in drawn(share, start, number))
    assert made >= max(1, int(share * (number - 1) + 1e-9))
    assert made <= share * number + 2


def test_an_entry_is_drawn_with_the_probability_that_is_recorded() -> None:
    random, share, seasons, place = Random(3), 0.2, 4_000, 17
    hits = [drawn(share, random.random(), place + 1)[place] for _ in range(seasons)]
    assert {hit for hit in hits if hit is not None} == {share}
    assert sum(hit is not None for hit in hits) / seasons == pytest.approx(share, abs=0.02)


def test_the_first_of_a_stratum_is_certain() -> None:
    assert draw(None, 0.05, 0.4).probability == 1.0


def test_without_a_share_none() -> None:
    assert drawn(0.0, 0.9, 50) == [None] * 50


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_no_share(share: float) -> None:
    with pytest.raises(ValueError, match="no share"):
        draw(None, share, 0.5)


def test_bands() -> None:
    assert [band_of(bound / 100) for bound in BANDS] == list(BANDS)
    assert (band_of(0.9299), band_of(1.0), band_of(-0.1)) == (90, 99, 0)
