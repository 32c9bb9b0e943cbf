"""Put right what a dead process left behind, and the work of each day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, ClassVar, Protocol

from sqlalchemy import ColumnElement, func, literal, or_, select, true, update

from core.database import remove_threads
from core.queue import open_queues
from core.tracing.log import get_logger
from core.work import Work
from services.accounts.at_auth import tell_all_due
from services.context import Context
from services.forms.in_use import load_forms
from services.library.essays.add_essays import refresh_essays
from services.mails.notices import tell_batches
from services.queue.failed_work import ReconcileResult, record_pass, sample_queue
from services.recovery.kinds import ALL
from services.recovery.work import bring_next_forward, job_ids_of, lasting, put_on_queue

#: Limit of rows of each kind that one call handles.
_BATCH = 500


def reconcile(context: Context) -> int:
    """Queue all work that is due and not under way, and remove checkpoints that are no longer needed.

    Informs Supabase Auth of changed accounts, and people of batches that have become quiet. Records its findings,
    and once a minute the depth of the queue, and folds the counts of entries. Returns the number of rows handled.
    Several processes may call it at the same time. Raises RedisError if the queue does not answer.
    """
    requeued = {work.name: requeue(context, work) for work in ALL}
    pruned = {work.name: prune_checkpoints(context, work) for work in ALL}
    # The forms decide what is taken out of essays.
    load_forms(context)
    essays = refresh_essays(context)
    tell_batches(context)
    found = ReconcileResult(requeued, pruned, essays.written + essays.removed, tell_all_due(context))
    record_pass(context, found)
    sample_queue(context)
    fold_counts(context)
    return found.total


def fold_counts(context: Context) -> None:
    """Make one row again of the changes of each count of entries, unless another does; see migration 025."""
    # An erasure holds the lock for as long as the store takes to remove its files.
    is_free = func.pg_try_advisory_xact_lock(func.hashtextextended("entry_counts", 0))
    context.database.execute(select(func.public.fold_entry_counts()).where(is_free))


def requeue(context: Context, work: Work[Any]) -> int:
    """Queue the rows of this kind that are due, not leased, not queued recently and without a job that waits.

    Of a share whose jobs all wait in the crowd, because the one before them was stopped, erased or lost, the next
    is brought forward. Returns the number of rows that were queued. Raises RedisError.
    """
    share = literal(None) if work.share is None else work.share.of_row
    with context.database.reading() as session:
        rows = session.execute(
            select(work.key.label("key"), work.begun.label("begun"), share.label("share")).where(
                work.due, _expired(work), _not_queued_lately(context, work)
            )
        ).all()
    if not rows:
        return 0
    waiting = {job_id: queue.name for queue in open_queues(context.redis) for job_id in queue.get_job_ids()}
    lost = []
    queues: dict[object, set[str]] = defaultdict(set)
    for row in rows:
        found = {waiting[job_id] for job_id in job_ids_of(work, row.key) if job_id in waiting}
        queues[row.share] |= found
        if not found:
            lost.append(row)
    lost = lost[:_BATCH]
    for begun in (True, False):
        put_on_queue(context, work, [row.key for row in lost if row.begun is begun], replace=begun)
    for of, found in queues.items():
        if work.queue_name not in found:
            bring_next_forward(context, work, of)
    return len(lost)


def prune_checkpoints(context: Context, work: Work[Any]) -> int:
    """Remove the checkpoints of finished rows of this kind; return the number of rows."""
    if work.over is None or work.pruned_at is None:
        return 0
    over = context.database.scalars(
        select(work.key).where(work.over, work.pruned_at.is_(None), _expired(work)).limit(_BATCH)
    )
    if over:
        with context.database.session() as session:
            remove_threads(session, [str(key) for key in over])
            session.execute(update(work.key.class_).where(work.key.in_(over)).values({work.pruned_at: func.now()}))
    return len(over)


def _expired(work: Work[Any]) -> ColumnElement[bool]:
    return true() if work.leases is None else work.leases.expired()


def _not_queued_lately(context: Context, work: Work[Any]) -> ColumnElement[bool]:
    if work.enqueued_at is None:
        return true()
    return or_(work.enqueued_at.is_(None), work.enqueued_at <= func.now() - lasting(context))


# Work that is done once a day, by whichever process comes first.


log = get_logger(__name__)
#: Less than a day, so that the hour stays about the same.
_SECONDS = 23 * 3600
#: Seconds until work that failed is tried again.
_TRYING = 3600


class Numbers(Protocol):
    """A dataclass of what was done."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def once_a_day(context: Context, name: str, do: Callable[[Context], Numbers]) -> bool:
    """Do the work unless it was done within a day; return whether it was done now.

    Raises RedisError, and what the work raises; after an error or a crash the work is tried again in an hour.
    `name` identifies the work, and is the log event that gets the numbers that it returns.
    """
    key = f"second-reader:{name}"
    if not context.redis.set(key, "1", nx=True, ex=_TRYING):
        return False
    done = do(context)
    context.redis.set(key, "1", ex=_SECONDS)
    log.info(name, **asdict(done))
    return True
