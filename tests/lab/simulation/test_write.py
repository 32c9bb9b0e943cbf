from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from lab.simulation.plan import REQUIRED, Plan
from lab.simulation.season import Season
from lab.simulation.simulate import simulate
from lab.simulation.write import season_named, write

Written = tuple[psycopg.Connection[tuple[object, ...]], Season, Counter[str]]


@pytest.fixture(scope="module")
def written(database_url: str) -> Iterator[Written]:
    """A season of 400 entries in a transaction that is taken back."""
    season = simulate(Plan(seed=71, entries=400))
    with psycopg.connect(database_url) as connection:
        counts = write(connection, season)
        yield connection, season, counts
        connection.rollback()


def rows(written: Written, query: str) -> list[tuple[object, ...]]:
    name = f"Invented season {written[1].plan.seed}"
    season_id = season_named(written[0], name)
    return written[0].execute(query.encode(), {"season": season_id}).fetchall()


def test_entries_are_as_drawn(written: Written) -> None:
    found = Counter(rows(written, "select outcome, confidence::numeric from runs where season_id = %(season)s"))
    assert sum(found.values()) == 400
    query = "select count(*) from submissions where season_id = %(season)s and status = 'completed'"
    assert rows(written, query) == [(sum(entry.unseen for entry in written[1].entries),)]


def test_a_log_row_a_step(written: Written) -> None:
    query = """select action_taken, count(*) from orchestrator_logs where season_id = %(season)s group by 1"""
    counts = dict(rows(written, query))
    assert counts["run_pipeline"] == 400
    assert counts["save_complete"] == sum(entry.unseen for entry in written[1].entries)
    assert sum(map(int, map(str, counts.values()))) == written[2]["orchestrator_logs"]


def test_each_run_has_what_it_is_counted_under(written: Written) -> None:
    query = """
        select count(*), count(*) filter (where f.outcome = 'completed' and f.steps = r.steps and f.reason <> '')
        from run_facts f
        join (select run_id, count(*) as steps from orchestrator_logs group by 1) r on r.run_id = f.run_id
        where f.season_id = %(season)s
    """
    assert rows(written, query) == [(400, sum(entry.unseen for entry in written[1].entries))]


def test_what_a_person_decided_is_right(written: Written) -> None:
    query = """
        select count(*) filter (where f.current_value is distinct from f.final_value)
        from review_suggestion_fields f join review_suggestions s on s.id = f.suggestion_id
        where s.season_id = %(season)s and f.decision = 'kept'
    """
    assert rows(written, query) == [(0,)]
    decided = sum(entry.decided for entry in written[1].entries)
    assert rows(written, "select count(*) from review_decisions where season_id = %(season)s") == [(decided,)]
    wrong = sum(bool(entry.wrong & {*REQUIRED}) for entry in written[1].entries if not entry.decided)
    assert wrong > 0


def test_the_same_twice_does_not_fit(written: Written) -> None:
    connection, season, _ = written
    with pytest.raises(psycopg.errors.UniqueViolation):
        write(connection, season)
