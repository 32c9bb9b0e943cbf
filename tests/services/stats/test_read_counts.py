"""Periods, months, and the figures of a period against those of all rows, counted in Python."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from core.models import Season
from services.context import Context
from services.stats.counts import read_counts, read_days
from services.stats.figures import MACHINE_OUTCOMES
from services.stats.occurrences import PERIODS, Period, StatsFilter
from tests.support.long import examples
from tests.support.stats.brute_force import brute_force
from tests.support.stats.made_runs import FIRST, MadeRuns


@pytest.mark.parametrize(
    ("first", "last", "months"),
    [
        ((2026, 1, 1), (2026, 3, 31), ((2026, 1, 1), (2026, 3, 1))),
        ((2026, 1, 2), (2026, 3, 30), ((2026, 2, 1), (2026, 2, 1))),
        ((2026, 1, 2), (2026, 2, 27), None),
        ((2025, 12, 31), (2026, 1, 31), ((2026, 1, 1), (2026, 1, 1))),
    ],
)
def test_whole_months(first: tuple[int, int, int], last: tuple[int, int, int], months: object) -> None:
    found = Period(date(*first), date(*last)).months()
    shown = found and ((found.first.timetuple()[:3]), (found.last.timetuple()[:3]))
    assert shown == months


def test_the_period_before_ends_the_day_before() -> None:
    before = Period(date(2026, 3, 1), date(2026, 3, 7)).before()
    assert (before.first, before.last) == (date(2026, 2, 22), date(2026, 2, 28))


def test_every_period_and_filter_by_brute_force(context: Context) -> None:
    with context.database.session() as session:
        made = MadeRuns(session, seed=21)
        made.add(60)
        rows = brute_force(session)
        batch = next(scope_id for scope, scope_id, *_ in rows if scope == "batch")
        school = next(scope_id for scope, scope_id, *_ in rows if scope == "school")
        season_id = session.query(Season).one().id
        ends = [FIRST.date() + timedelta(days=offset) for offset in (0, 12, 45, 71, 200, 330)]
        filters = [
            {},
            {"profile": "ifi_2026"},
            {"language": "", "ocr_provider": "rapidocr"},
            {"batch_id": batch},
            {"school_id": school},
        ]
        for today in ends[: examples(len(ends), len(ends))]:
            for days in PERIODS:
                for chosen in filters:
                    wanted = StatsFilter(days, **chosen)  # type: ignore[arg-type]
                    now, before = read_counts(session, season_id, wanted, today)
                    period = wanted.period(today)
                    assert numbers(now) == expected(rows, wanted, period)
                    assert numbers(before) == expected(rows, wanted, period.before())
                    by_day = read_days(session, season_id, wanted, today, MACHINE_OUTCOMES)
                    runs = sum(number for (kind, _), number in numbers(now).items() if kind == "run")
                    assert sum(day.total for day in by_day) == runs
                    assert by_day[0].day == period.first and by_day[-1].last == period.last


def numbers(counts: object) -> dict[tuple[str, tuple[str, ...]], int]:
    return {(str(kind), keys): sums.number for (kind, keys), sums in counts.items()}  # type: ignore[attr-defined]


def expected(rows: dict, wanted: StatsFilter, period: Period) -> dict[tuple[str, tuple[str, ...]], int]:  # type: ignore[type-arg]
    scope, scope_id = "day", ""
    if wanted.batch_id:
        scope, scope_id = "batch", str(wanted.batch_id)
    elif wanted.school_id:
        scope, scope_id = "school", str(wanted.school_id)
    found: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for (its_scope, its_id, day, kind, keys, profile, language, provider), sums in rows.items():
        fits = all(
            want is None or want == value
            for want, value in (
                (wanted.profile, profile),
                (wanted.language, language),
                (wanted.ocr_provider, provider),
            )
        )
        if (its_scope, its_id) == (scope, scope_id) and fits and period.first <= day <= period.last:
            found[kind, keys] += sums[0]
    return dict(found)
