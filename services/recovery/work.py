"""Work that must be completed: put on the queue, leased, and released by dead processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, TypeVar

from redis.exceptions import RedisError
from sqlalchemy import ColumnElement, Select, any_, func, literal, select, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import OperationalError

from core.errors import AppError
from core.lease import Lease, kept, process_name
from core.models.base import error_columns
from core.queue import CROWD_QUEUE_NAME, FRONT, RUNNER, bring_forward, enqueue_job
from core.tracing.log import get_logger
from core.work import JobKind, Work, function_of
from services.context import Context
from services.recovery.kinds import ALL, WORK

Row = TypeVar("Row")
log = get_logger(__name__)
#: Rows of a share among which the next job is looked for: workers may just have taken the jobs of the first.
_LOOKED_AT = 16


def queue_rows(context: Context, work: Work[Any], *keys: object, replace: bool = False) -> None:
    """Queue rows that were committed. If the queue or the database does not answer, the reconciler does it later.

    With `replace`, a job of a row that counts as running is replaced, because its worker is gone.
    """
    try:
        put_on_queue(context, work, keys, replace)
    except RedisError as error:
        log.warning("queue_unreachable", work=work.name, kind=type(error).__name__)
    except OperationalError as error:
        log.warning("queueing_not_recorded", work=work.name, kind=type(error).__name__)


def put_on_queue(context: Context, work: Work[Any], keys: Sequence[object], replace: bool) -> None:
    """Queue each row once and record the time. After a crash in between, the reconciler queues it again.

    The first rows of a share that has few on its queue go there, the others into the crowd. No time is recorded
    while a worker runs a job of the row: work that is due since is queued when that ends.
    Raises RedisError, at the first row, if the queue does not answer.
    """
    limit = getattr(context.settings, work.limit)
    crowd = _for_the_crowd(context, work, keys)
    for key in keys:
        name = CROWD_QUEUE_NAME if str(key) in crowd else work.queue_name
        waits = enqueue_job(context.redis, RUNNER, str(key), work.job_id(key), limit, replace, name)
        if waits and work.enqueued_at is not None:
            context.database.execute(
                update(work.key.class_).where(work.key == key).values({work.enqueued_at: func.now()})
            )


def _for_the_crowd(context: Context, work: Work[Any], keys: Sequence[object]) -> set[str]:
    """Return the keys, as text, whose share has FRONT other rows before them that wait or are worked on."""
    if work.share is None or work.enqueued_at is None or not keys:
        return set()
    found = literal([work.key_of(str(key)) for key in keys], ARRAY(work.key.type))
    with context.database.reading() as session:
        rows = session.execute(select(work.key, work.share.of_row).where(work.key == any_(found))).all()
        share_of = {str(key): share for key, share in rows}
        queued = work.enqueued_at.is_not(None)
        waiting = {
            share: len(session.scalars(_of_share(work, share).where(queued).limit(FRONT)).all())
            for share in set(share_of.values())
        }
    crowd = set()
    for key in map(str, keys):
        share = share_of.get(key)
        if waiting.get(share, 0) >= FRONT:
            crowd.add(key)
        else:
            waiting[share] = waiting.get(share, 0) + 1
    return crowd


def _of_share(work: Work[Any], share: object) -> Select[Any]:
    assert work.share is not None
    return select(work.key).where(work.share.is_of(share), work.due)


def job_ids_of(work: Work[Any], key: object) -> list[str]:
    """Return the ids that a job of this row may have: the work of some rows has two kinds of job."""
    return [kind.job_id(key) for kind in WORK.values() if kind.due is work.due]


def bring_next_forward(context: Context, work: Work[Any], share: object) -> None:
    """Bring forward the next job of a share, unless FRONT of them wait there: one has ended, or all are behind.

    If the queue or the database does not answer, the job stays in the crowd, which workers serve in its turn.
    """
    if work.share is None or work.leases is None or work.enqueued_at is None:
        return
    first = _of_share(work, share).where(work.enqueued_at.is_not(None), work.leases.expired())
    try:
        keys = context.database.scalars(first.order_by(work.enqueued_at.nulls_first()).limit(_LOOKED_AT))
        bring_forward(context.redis, [one for key in keys for one in job_ids_of(work, key)], work.queue_name)
    except (RedisError, OperationalError) as error:
        log.warning("not_brought_forward", work=work.name, kind=type(error).__name__)


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
    context.database.execute(update(work.key.class_).where(*unowned).values(**values))


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
