"""Every count equals a recount of the rows: one in Python, and the recomputation."""

from __future__ import annotations

from sqlalchemy import delete, update

from core.models import OrchestratorCount, OrchestratorLog
from services.context import Context
from services.stats.counts import recompute_counts, wrong_counts
from services.stats.occurrences import Kind
from tests.support.stats.brute_force import brute_force, counted
from tests.support.stats.made_runs import MadeRuns

RUNS = 150


def test_counted_event_by_event(context: Context) -> None:
    with context.database.session() as session:
        MadeRuns(session, seed=14).add(RUNS)
        expected = brute_force(session)
        assert counted(session) == expected
    assert {kind for _, _, _, kind, *_ in expected} == {kind.value for kind in Kind}
    assert wrong_counts(context.database) == 0


def test_what_is_wrong_is_found_and_corrected(context: Context) -> None:
    with context.database.session() as session:
        MadeRuns(session, seed=3).add(12)
        expected = counted(session)
        session.execute(update(OrchestratorCount).where(OrchestratorCount.kind == "tool").values(total=7))
        session.execute(delete(OrchestratorCount).where(OrchestratorCount.kind == "by_person"))
    wrong = sum(kind in ("tool", "by_person") for _, _, _, kind, *_ in expected)
    assert wrong_counts(context.database) == wrong
    assert recompute_counts(context.database) == wrong
    with context.database.session() as session:
        assert counted(session) == expected


def test_counts_of_pruned_steps_stay(context: Context) -> None:
    with context.database.session() as session:
        MadeRuns(session, seed=5).add(12)
        expected = counted(session)
        middle = sorted(day for scope, _, day, kind, *_ in expected if (scope, kind) == ("day", "node"))[10]
        session.execute(delete(OrchestratorLog).where(OrchestratorLog.timestamp < middle))
    assert recompute_counts(context.database) == 0
    with context.database.session() as session:
        assert counted(session) == expected
        session.execute(delete(OrchestratorLog))
    assert recompute_counts(context.database) == 0
