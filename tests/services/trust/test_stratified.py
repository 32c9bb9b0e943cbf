"""The interval of the precision over all strata holds the truth as often as it says."""

from __future__ import annotations

import random

import pytest

from services.trust.audit_sample import Stratum, weighted_share, wilson
from services.trust.precision import Audited, stratified_share

FORMS = ("a", "b", "c", "d")


def stratum(form: str, band: int = 99) -> Stratum:
    return Stratum(form, "en", "text", band)


def test_of_one_stratum_it_is_wilsons_with_the_finite_correction() -> None:
    judged = [(True, 10.0)] * 45 + [(False, 10.0)] * 5
    found = stratified_share([Audited(stratum("a"), 100, judged)])
    assert found.value == pytest.approx(0.9) and found.effective == pytest.approx(100)
    assert found.interval == wilson(found.value or 0, found.effective)
    assert found.interval.width < weighted_share(judged).interval.width


def test_a_stratum_counts_by_its_entries() -> None:
    large = Audited(stratum("a"), 900, [(True, 90.0)] * 10)
    small = Audited(stratum("b"), 100, [(False, 10.0)] * 10)
    assert stratified_share([large, small]).value == pytest.approx(0.9)


def test_what_nobody_audited_counts_with_what_is_most_like_it() -> None:
    right = Audited(stratum("a"), 100, [(True, 10.0)] * 10)
    wrong = Audited(stratum("b"), 100, [(False, 10.0)] * 10)
    assert stratified_share([right, wrong, Audited(stratum("b", 90), 200)]).value == pytest.approx(0.25)


def test_what_was_audited_in_whole_is_known() -> None:
    found = stratified_share([Audited(stratum("a"), 3, [(True, 1.0), (True, 1.0), (False, 1.0)])])
    assert found.interval.width == 0 and found.value == pytest.approx(2 / 3)
    assert stratified_share([Audited(stratum("a"), 3)]).value is None


@pytest.mark.parametrize(
    ("rates", "sizes", "share"),
    [
        ((0.98, 0.98, 0.98, 0.98), (400, 300, 200, 100), 0.1),
        ((0.99, 0.97, 0.9, 0.8), (500, 300, 150, 50), 0.15),
        ((0.95, 0.9, 0.9, 0.6), (100, 100, 60, 20), 0.3),
        ((0.995, 0.995, 0.95, 0.9), (800, 800, 300, 100), 0.08),
    ],
)
def test_it_holds_the_truth_as_often_as_it_says(
    rates: tuple[float, ...], sizes: tuple[int, ...], share: float
) -> None:
    """Drawn seasons with uneven strata, the first of each drawn always, the draw falling to a third half-way."""
    chance, held, times = random.Random(7), 0, 600
    for _ in range(times):
        strata, right = [], 0
        for form, rate, size in zip(FORMS, rates, sizes, strict=True):
            truths = [chance.random() < rate for _ in range(size)]
            right += sum(truths)
            judged = []
            for place, truth in enumerate(truths):
                drawn = 1.0 if not place else share if place < size / 2 else share / 3
                if chance.random() < drawn:
                    judged.append((truth, 1 / drawn))
            strata.append(Audited(stratum(form), size, judged))
        interval = stratified_share(strata).interval
        held += interval.low <= right / sum(sizes) <= interval.high
    assert held / times >= 0.93, held / times
