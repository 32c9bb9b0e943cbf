"""How deep the queue was, minute by minute, and what the reconciler found; written by the reconciler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from core.clock import utcnow
from core.models import QueueSample, ReconcilerPass
from core.queue.watch import job_ids, workers
from services.context import Context
from services.queue.failed_work import failed_numbers
from services.queue.failures import forget_old_failures

#: How long samples and passes are kept.
SAMPLES_KEPT = timedelta(days=7)
PASSES_KEPT = timedelta(days=30)


@dataclass(frozen=True)
class Found:
    """What one pass of the reconciler found and did."""

    #: Rows put on the queue again, by kind of work.
    requeued: Mapping[str, int]
    #: Rows whose checkpoints were removed, by kind of work.
    pruned: Mapping[str, int]
    #: Essays written to the library or taken from it.
    essays: int = 0
    #: Accounts that Supabase Auth was told of.
    accounts: int = 0

    @property
    def total(self) -> int:
        """The number of rows handled."""
        return sum(self.requeued.values()) + sum(self.pruned.values()) + self.essays + self.accounts


@dataclass(frozen=True)
class Pass:
    """A recorded pass."""

    at: datetime
    found: Found


@dataclass(frozen=True)
class Sample:
    """The queue in one minute."""

    at: datetime
    queued: int
    running: int
    scheduled: int
    failed: int
    workers: int


def record_pass(context: Context, found: Found) -> None:
    """Record a pass that found something."""
    if found.total == 0:
        return
    with context.database.session() as session:
        session.add(
            ReconcilerPass(
                requeued=_some(found.requeued),
                pruned=_some(found.pruned),
                essays=found.essays,
                accounts=found.accounts,
            )
        )


def sample_queue(context: Context) -> bool:
    """Record the queue's numbers once a minute, and remove what is older than its term.

    Returns whether it was this process that recorded them. Raises RedisError where the queue does not answer.
    """
    minute = utcnow().replace(second=0, microsecond=0)
    with context.database.session() as session:
        if session.get(QueueSample, minute) is not None:
            return False
    ids = job_ids(context.redis)
    row = insert(QueueSample).values(
        sampled_at=minute,
        queued=len(ids.queued),
        running=len(ids.running),
        scheduled=len(ids.scheduled),
        failed=sum(failed_numbers(context).values()),
        workers=len(workers(context.redis)),
    )
    with context.database.session() as session:
        mine = session.scalar(row.on_conflict_do_nothing().returning(QueueSample.sampled_at))
        session.execute(delete(QueueSample).where(QueueSample.sampled_at < minute - SAMPLES_KEPT))
        session.execute(delete(ReconcilerPass).where(ReconcilerPass.created_at < func.now() - PASSES_KEPT))
        forget_old_failures(session)
    return mine is not None


def samples(context: Context, span: timedelta) -> list[Sample]:
    """Return the samples of the last `span`, oldest first."""
    query = (
        select(
            QueueSample.sampled_at.label("at"),
            QueueSample.queued,
            QueueSample.running,
            QueueSample.scheduled,
            QueueSample.failed,
            QueueSample.workers,
        )
        .where(QueueSample.sampled_at >= utcnow() - span)
        .order_by(QueueSample.sampled_at)
    )
    with context.database.session() as session:
        return [Sample(**row._asdict()) for row in session.execute(query)]


def last_passes(context: Context, limit: int = 20) -> list[Pass]:
    """Return the last passes that found something, newest first."""
    query = select(ReconcilerPass).order_by(ReconcilerPass.created_at.desc()).limit(limit)
    with context.database.session() as session:
        rows = session.scalars(query).all()
        return [Pass(row.created_at, Found(row.requeued, row.pruned, row.essays, row.accounts)) for row in rows]


def _some(numbers: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in numbers.items() if number}
