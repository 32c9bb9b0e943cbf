"""Every figure of a simulated season, against a count of all its rows in Python."""

from __future__ import annotations

import psycopg
import pytest

from lab.simulation.plan import Plan
from lab.simulation.simulate import simulate
from lab.simulation.write import write
from services.context import Context
from services.stats.counts import recompute_counts, wrong_counts
from tests.support.long import examples
from tests.support.stats.brute_force import brute_force, counted


@pytest.mark.long
def test_a_season_by_brute_force(context: Context) -> None:
    season = simulate(Plan(seed=5, entries=examples(150, 5000)))
    with psycopg.connect(context.database.dsn) as connection:
        write(connection, season)
    recompute_counts(context.database)
    assert wrong_counts(context.database) == 0
    with context.database.session() as session:
        expected = brute_force(session)
        assert counted(session) == expected
    runs = sum(sums[0] for (scope, _, _, kind, *_), sums in expected.items() if (scope, kind) == ("day", "run"))
    assert runs == len(season.entries)
