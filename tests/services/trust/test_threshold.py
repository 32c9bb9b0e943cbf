from __future__ import annotations

import math

import pytest

from lab.simulation.judged import by_audits, by_reviewers, recorded
from lab.simulation.plan import REQUIRED, Plan
from lab.simulation.season import Season
from lab.simulation.simulate import simulate
from services.trust.precision import GRID, Judged, Recorded, forecast, threshold_for


@pytest.fixture(scope="module")
def season() -> Season:
    return simulate(Plan(seed=5, entries=4_000, audit_share=0.2, decided=1.0))


@pytest.mark.parametrize("threshold", [0.85, 0.9, 0.93, 0.9701, 1.0])
def test_against_brute_force(season: Season, threshold: float) -> None:
    entries = season.entries
    found = forecast(recorded(season), [*by_audits(season), *by_reviewers(season)], threshold, 0.9)
    passing = [entry for entry in entries if entry.ready and entry.confidence >= threshold]
    now = [entry for entry in entries if entry.outcome == "completed"]
    assert found.passing == len(passing)
    assert found.unseen == pytest.approx(len(passing) / len(entries))
    assert found.more_a_week == pytest.approx((len(now) - len(passing)) / 12)
    known = [entry for entry in passing if entry.audited or (entry.confidence < 0.9 and entry.decided)]
    weights = [1 / entry.drawn if entry.drawn else 1.0 for entry in known]
    right = math.fsum(w for w, entry in zip(weights, known, strict=True) if entry.right(REQUIRED))
    assert found.precision.value == pytest.approx(right / math.fsum(weights))
    assert found.precision.judged == len(known)


def test_the_threshold_for_a_precision_is_the_lowest_that_reaches_it(season: Season) -> None:
    judged, known = [*by_audits(season), *by_reviewers(season)], recorded(season)
    found = threshold_for(known, judged, 0.99)
    assert found is not None
    assert (forecast(known, judged, found, 0.9).precision.value or 0) >= 0.99
    below = forecast(known, judged, GRID[GRID.index(found) - 1], 0.9)
    assert (below.precision.value or 0) < 0.99
    assert season.precision(found) == pytest.approx(0.99, abs=0.006)


def test_too_few_judged_for_a_threshold() -> None:
    known = Recorded({0.95: 500}, 600, 4)
    assert threshold_for(known, [Judged(0.95, True)] * 99, 0.9) is None
    assert threshold_for(known, [Judged(0.95, True)] * 100, 0.9) == GRID[0]
    assert threshold_for(known, [Judged(0.95, False)] * 100, 0.9) is None


def test_nothing_recorded() -> None:
    found = forecast(Recorded({}, 0, 0), [], 0.9, 0.9)
    assert (found.passing, found.unseen, found.more_a_week, found.precision.value) == (0, None, None, None)
