"""The description of a kind of recoverable work, and functions to queue it, lease it and keep the lease."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, Literal, TypeVar

from redis.exceptions import RedisError
from sqlalchemy import ColumnElement, func, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from core.lease import Lease, Leases, kept, process_name
from core.log import get_logger
from core.queue import QUEUE_NAME
from core.queue import enqueue as put
from services.context import Context

Row = TypeVar("Row")
log = get_logger(__name__)


@dataclass(frozen=True)
class Work(Generic[Row]):
    """Rows of one table that workers must complete, in spite of crashes."""

    #: Prefix of the ids of its jobs.
    name: str
    #: Dotted name of the job's function, which takes the row's key.
    function: str
    key: InstrumentedAttribute[Any]
    #: Condition: there is work to do for the row.
    due: ColumnElement[bool]
    #: Condition: the work was begun. If the row's lease has then expired, a running job has lost its worker.
    begun: ColumnElement[bool]
    #: The leases of the rows; None if `due` depends on the lease of another row.
    leases: Leases[Row] | None
    #: Column with the time when the row was last queued; None if it is not recorded.
    enqueued_at: InstrumentedAttribute[Any] | None = None
    #: Columns set when a worker takes a row.
    on_take: Mapping[str, Any] = field(default_factory=dict)
    #: Name of the setting with the time limit of a job in seconds.
    limit: Literal["job_timeout_seconds", "report_timeout_seconds"] = "job_timeout_seconds"
    #: Name of the queue that its jobs wait on.
    queue_name: str = QUEUE_NAME
    #: Condition: the row's checkpoints, whose thread id is the key, are no longer needed. None: there is no graph.
    over: ColumnElement[bool] | None = None
    #: Column with the time when the checkpoints were removed.
    pruned_at: InstrumentedAttribute[Any] | None = None

    def job_id(self, key: object) -> str:
        """Return the id of the job of a row."""
        return f"{self.name}-{str(key).replace(':', '-')}"


def enqueue(context: Context, work: Work[Any], *keys: object, replace: bool = False) -> None:
    """Queue rows that were committed. A queue or a database that does not answer is no error: the rows are there,
    and the reconciler queues them later.

    With `replace`, a job of a row that counts as running is replaced, because its worker is gone.
    """
    try:
        for key in keys:
            put_on_queue(context, work, key, replace)
    except RedisError as error:
        # The first failure ends it: each further attempt would keep a person waiting.
        log.warning("queue_unreachable", work=work.name, kind=type(error).__name__)
    except OperationalError as error:
        log.warning("queueing_not_recorded", work=work.name, kind=type(error).__name__)


def put_on_queue(context: Context, work: Work[Any], key: object, replace: bool) -> None:
    """Queue a row once and record the time. After a crash in between, the reconciler queues it again.

    Raises RedisError where the queue does not answer.
    """
    limit = getattr(context.settings, work.limit)
    put(context.redis, work.function, str(key), work.job_id(key), limit, replace, work.queue_name)
    if work.enqueued_at is not None:
        with context.database.session() as session:
            session.execute(update(work.key.class_).where(work.key == key).values({work.enqueued_at: func.now()}))


def take(context: Context, work: Work[Row], key: object) -> Lease[Row] | None:
    """Lease a due row and count the attempt. Return None if it is not due or another worker has the lease."""
    assert work.leases is not None
    with context.database.session() as session:
        return work.leases.take(session, key, process_name(), lasting(context), work.due, **work.on_take)


def keeping(context: Context, lease: Lease[Any]) -> AbstractContextManager[None]:
    """Return a context manager that prolongs a worker's lease while its block runs, then releases it."""
    return kept(context.database, lease, lasting(context))


def lasting(context: Context) -> timedelta:
    """Return the duration of a worker's lease."""
    return timedelta(seconds=context.settings.lease_seconds)
