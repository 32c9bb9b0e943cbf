from __future__ import annotations

import pytest

from lab.bench.stats.coverage import forecast_error, interval_coverage
from lab.simulation.course import course_of
from lab.simulation.plan import REQUIRED, Plan, Worse
from lab.simulation.season import Season
from lab.simulation.simulate import simulate
from tests.support.long import examples


@pytest.fixture(scope="module")
def season() -> Season:
    return simulate(Plan(seed=2, entries=3_000, precision=0.97))


def test_a_seed_gives_the_same_season(season: Season) -> None:
    again = simulate(Plan(seed=2, entries=3_000, precision=0.97))
    assert again.entries == season.entries
    assert simulate(Plan(seed=3, entries=3_000)).entries != season.entries


def test_its_truth_is_that_of_the_plan(season: Season) -> None:
    unseen = [entry for entry in season.entries if entry.unseen]
    assert season.precision() == pytest.approx(0.97, abs=1e-6)
    assert sum(entry.right(REQUIRED) for entry in unseen) / len(unseen) == pytest.approx(0.97, abs=0.01)
    assert season.precision(0.97) > season.precision(0.9) > season.precision(0.85)


def test_only_what_is_ready_and_sure_passes_unseen(season: Season) -> None:
    for entry in season.entries:
        assert entry.ready == (not entry.missing and not entry.weak and not entry.codes)
        assert entry.unseen == (entry.ready and entry.confidence >= 0.9)
        assert entry.unseen or entry.drawn is None


def test_something_becomes_worse() -> None:
    season = simulate(Plan(seed=4, entries=4_000, worse=(Worse(6, 8.0, form="ifi_2025"),)))
    middle = season.plan.begins + (season.entries[-1].at - season.plan.begins) / 2
    later = [entry for entry in season.entries if entry.unseen and entry.at > middle]
    blamed = [entry.chance for entry in later if entry.form == "ifi_2025"]
    others = [entry.chance for entry in later if entry.form == "ifi_2026"]
    assert sum(blamed) / len(blamed) < sum(others) / len(others) - 0.03


def test_a_course_is_one_of_the_graph(season: Season) -> None:
    for entry in season.entries[:300]:
        course = course_of(season.plan, entry)
        actions = [step.action for step in course.steps]
        assert actions[0] == "run_pipeline"
        assert (actions[-1] == "save_complete") == entry.unseen
        assert (course.decided_at is not None) == entry.decided
        assert course_of(season.plan, entry) == course


def test_precision_must_be_one() -> None:
    with pytest.raises(ValueError, match="no precision"):
        simulate(Plan(precision=0))


@pytest.mark.long
def test_intervals_hold_the_truth() -> None:
    seasons = examples(60, 1000)
    covered, audits = interval_coverage(seasons)
    # Of few seasons the share itself varies.
    assert 0.95 - 0.02 - 2.5 * (0.05 * 0.95 / seasons) ** 0.5 <= covered <= 1
    assert covered <= 0.97 or seasons < 1000
    assert 100 <= audits <= 400


@pytest.mark.long
def test_forecasts_are_near_the_truth() -> None:
    assert forecast_error(examples(12, 1000)) <= 0.01
