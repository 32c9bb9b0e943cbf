"""Work that must be completed: put on the queue, leased, and released by dead processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, TypeVar

from redis.exceptions import RedisError
from sqlalchemy import ColumnElement, func, update
from sqlalchemy.exc import OperationalError

from core.errors import AppError
from core.lease import Lease, kept, process_name
from core.models.base import error_columns
from core.queue import RUNNER, enqueue_job
from core.tracing.log import get_logger
from core.work import JobKind, Work, function_of
from services.context import Context
from services.recovery.kinds import ALL, WORK

Row = TypeVar("Row")
log = get_logger(__name__)


def queue_rows(context: Context, work: Work[Any], *keys: object, replace: bool = False) -> None:
    """Queue rows that were committed. If the queue or the database does not answer, the reconciler does it later.

    With `replace`, a job of a row that counts as running is replaced, because its worker is gone.
    """
    try:
        for key in keys:
            put_on_queue(context, work, key, replace)
    except RedisError as error:
        # The first failure ends the loop: each further attempt would keep a person waiting.
        log.warning("queue_unreachable", work=work.name, kind=type(error).__name__)
    except OperationalError as error:
        log.warning("queueing_not_recorded", work=work.name, kind=type(error).__name__)


def put_on_queue(context: Context, work: Work[Any], key: object, replace: bool) -> None:
    """Queue a row once and record the time. After a crash in between, the reconciler queues it again.

    No time is recorded while a worker runs a job of the row: work that is due since is queued when that ends.
    Raises RedisError if the queue does not answer.
    """
    limit = getattr(context.settings, work.limit)
    waits = enqueue_job(context.redis, RUNNER, str(key), work.job_id(key), limit, replace, work.queue_name)
    if waits and work.enqueued_at is not None:
        with context.database.session() as session:
            session.execute(update(work.key.class_).where(work.key == key).values({work.enqueued_at: func.now()}))


def take_lease(context: Context, work: Work[Row], key: object) -> Lease[Row] | None:
    """Lease a due row and count the attempt. Return None if it is not due or another worker has the lease."""
    assert work.leases is not None
    with context.database.session() as session:
        return work.leases.take(session, key, process_name(), lasting(context), work.due, **work.taken)


def keeping(context: Context, lease: Lease[Any]) -> AbstractContextManager[None]:
    """Return a context manager that prolongs a worker's lease while its block runs, then releases it."""
    return kept(context.database, lease, lasting(context))


def lasting(context: Context) -> timedelta:
    """Return the duration of a worker's lease."""
    return timedelta(seconds=context.settings.lease_seconds)


def fail_work(context: Context, work: Work[Any], key: object, error: AppError) -> None:
    """Record the final failure of a row as its kind declares; no effect for a kind that declares none."""
    if isinstance(work.fails, str):
        function_of(work.fails)(context, key, error)
    elif work.fails is not None:
        write_failure(context, work, key, {**work.fails, **error_columns(error.told)})


def write_failure(context: Context, work: Work[Any], key: object, values: Mapping[str, Any]) -> None:
    """Give the row these columns, unless there is no work to do for it any more or another worker has it."""
    assert work.leases is not None
    unowned = (work.key == key, work.due, work.leases.expired())
    with context.database.session() as session:
        session.execute(update(work.key.class_).where(*unowned).values(**values))


def job_kind_of(job_id: str) -> JobKind:
    """Return the kind of a job by its id; OTHER for one of another program."""
    prefix = job_id.partition("-")[0]
    return JobKind(prefix) if prefix in {kind.value for kind in WORK} else JobKind.OTHER


def numbers(ids: Iterable[str]) -> dict[JobKind, int]:
    """Return how many jobs there are of each kind; 0 for a kind without any."""
    counted = dict.fromkeys(WORK, 0)
    for job_id in ids:
        kind = job_kind_of(job_id)
        counted[kind] = counted.get(kind, 0) + 1
    return counted


def update_and_queue(
    context: Context,
    work: Work[Any],
    where: Collection[ColumnElement[bool]],
    values: Mapping[str, object],
    replace: bool = False,
) -> int:
    """Update the rows of this work that meet `where`, and queue those that are then due; return their number.

    With `replace`, a job of a row that counts as running is replaced, because its worker is gone.
    """
    table = work.key.class_
    begun = {"attempts": 0, "enqueued_at": None, **values}
    with context.database.session() as session:
        rows = session.execute(update(table).where(*where).values(begun).returning(work.key, work.due)).all()
    queue_rows(context, work, *(key for key, due in rows if due), replace=replace)
    return len(rows)


def run_step(
    context: Context, work: Work[Row], key: object, steps: Mapping[str, Callable[[Context, Lease[Row]], None]]
) -> bool:
    """Lease a row and run the step of its status; return False if there was nothing to do.

    Raises LeaseLostError, and what the step raises.
    """
    lease = take_lease(context, work, key)
    if lease is None:
        return False
    with keeping(context, lease):
        with context.database.session() as session:
            status: str = lease.hold(session).status  # type: ignore[attr-defined]
        if status in steps:
            steps[status](context, lease)
    return True


def release_dead(context: Context, pid: int) -> int:
    """End all leases of the process with this id on this machine and return their number.

    The caller must make sure that the process is dead.
    """
    names = process_name(pid).rpartition(":")[0]
    found = 0
    with context.database.session() as session:
        for leases in {work.leases for work in ALL if work.leases is not None}:
            ended = session.scalars(
                update(leases.row)
                .where(leases.owner.startswith(f"{names}:", autoescape=True))
                .values(**leases.ended)
                .returning(leases.key)
            )
            found += len(ended.all())
    return found
