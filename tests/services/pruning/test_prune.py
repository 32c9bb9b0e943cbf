"""Log rows go by age, by whole days; counts stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import func, select, text

from core.clock import utcnow
from core.models import ModelCallRow, OrchestratorLog, Run
from services.context import Context
from services.erasure.purge import prunable, prune_records
from services.reconcile import once_a_day
from services.stats.counts import recompute_counts, wrong_counts
from tests.support import factories
from tests.support.stats.brute_force import counted


def left(context: Context) -> tuple[int, int]:
    with context.database.session() as session:
        steps, calls = (
            session.scalars(select(func.count(model.id))).one() for model in (OrchestratorLog, ModelCallRow)
        )
    return steps, calls


def test_by_age(context: Context) -> None:
    days = 30
    context = replace(context, settings=context.settings.model_copy(update={"log_retention_days": days}))
    midnight = utcnow().replace(hour=0, minute=0, second=0, microsecond=0)
    with context.database.session() as session:
        run = factories.make_run(session, outcome="completed")
        factories.make_fact(session, run, steps=4)
        ages = [timedelta(days=days + 9), timedelta(days=days, seconds=1), timedelta(days=days), timedelta(0)]
        for step, age in enumerate(ages, start=1):
            factories.make_log(session, run, step=step, timestamp=midnight - age, duration_ms=10 * step)
            factories.make_model_call(session, run, created_at=midnight - age)
    recompute_counts(context.database)
    with context.database.session() as session:
        before = counted(session)
    assert (prunable(context).steps, prunable(context).calls) == (2, 2)
    done = prune_records(context)
    assert (done.steps, done.calls, left(context)) == (2, 2, (2, 2))
    assert wrong_counts(context.database) == 0 and recompute_counts(context.database) == 0
    with context.database.session() as session:
        assert counted(session) == before


def test_checkpoints_of_settled_runs(context: Context) -> None:
    with context.database.session() as session:
        runs = [factories.make_run(session, status=status) for status in ("settled", "interrupted")]
        session.execute(text("create schema if not exists langgraph"))
    assert prune_records(context).checkpoints == 1
    pruned = context.database.scalars(select(Run.run_id).where(Run.pruned_at.is_not(None)))
    assert pruned == [runs[0].run_id]
    assert prune_records(context).checkpoints == 0


def test_once_a_day(context: Context) -> None:
    assert [once_a_day(context, "pruned", prune_records) for _ in range(2)] == [True, False]
