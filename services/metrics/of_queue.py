"""Metrics of jobs, workers and failures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlalchemy import func, select

from core.clock import utcnow
from core.models import QueueSample, ReconcilerPass
from core.queue.watch import job_facts, job_ids, workers
from services.context import Context
from services.metrics import names
from services.metrics.values import Value
from services.queue.failed_work import failed_numbers
from services.recovery.work import numbers

_HOUR = timedelta(hours=1)


def of_redis(context: Context) -> Iterator[Value]:
    """Yield the jobs and workers. Raises RedisError where the queue does not answer."""
    ids, living = job_ids(context.redis), workers(context.redis)
    of_states = {"queued": ids.queued, "running": ids.running, "scheduled": ids.scheduled}
    for state, of_state in of_states.items():
        for kind, number in numbers(of_state).items():
            yield Value(names.JOBS, number, (kind.value, state))
    in_hand = [worker.job_id for worker in living if worker.job_id]
    facts = job_facts(context.redis, [*ids.queued[:1], *in_hand])
    waiting = [facts[name].queued_at for name in ids.queued[:1] if name in facts]
    began = [facts[name].started_at for name in in_hand if name in facts]
    yield Value(names.WORKERS, len(living))
    yield Value(names.OLDEST_QUEUED_SECONDS, _oldest(waiting))
    yield Value(names.OLDEST_JOB_SECONDS, _oldest(began))


def of_failures(context: Context) -> Iterator[Value]:
    """Yield how many rows have failed, by kind."""
    for kind, number in failed_numbers(context).items():
        yield Value(names.FAILED, number, (kind.value,))


def of_reconciler(context: Context) -> Iterator[Value]:
    """Yield when a reconciler last counted the queue, and what reconcilers queued in the last hour."""
    with context.database.session() as session:
        last = session.scalar(select(func.max(QueueSample.sampled_at)))
        passes = session.scalars(
            select(ReconcilerPass.requeued).where(ReconcilerPass.created_at > func.now() - _HOUR)
        ).all()
    if last is not None:
        yield Value(names.SAMPLE_SECONDS, _oldest([last]))
    queued: dict[str, int] = {}
    for one in passes:
        for kind, number in one.items():
            queued[kind] = queued.get(kind, 0) + number
    for kind, number in sorted(queued.items()):
        yield Value(names.REQUEUED, number, (kind,))


def _oldest(moments: list[datetime | None]) -> float:
    """Return the seconds since the first of these; 0 without one."""
    ages = [(utcnow() - at).total_seconds() for at in moments if at is not None]
    return max(0.0, *ages) if ages else 0.0
