"""A kind of recoverable work, and what is done with any kind: put it on the queue, take it, keep it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import ColumnElement, func, update
from sqlalchemy.orm import InstrumentedAttribute

from core.lease import Lease, Leases, kept, process_name
from core.queue import enqueue as put
from services.context import Context

Row = TypeVar("Row")


@dataclass(frozen=True)
class Work(Generic[Row]):
    """Rows of one table that workers bring to their end, whatever crashes on the way."""

    #: Begins the ids of its jobs.
    name: str
    #: Dotted name of what a worker runs with the row's key.
    function: str
    key: InstrumentedAttribute[Any]
    #: Rows for which a worker has something to do.
    due: ColumnElement[bool]
    #: Those of them that were begun: where their lease has expired, a job that still runs has lost its worker.
    begun: ColumnElement[bool]
    #: The lease it is done under; None where `due` depends on the lease of another row.
    leases: Leases[Row] | None
    #: When a row was last put on the queue; None where that is not noted.
    enqueued_at: InstrumentedAttribute[Any] | None = None
    #: What is set when a worker takes a row.
    on_take: Mapping[str, Any] = field(default_factory=dict)
    #: The setting with the seconds that a job may take.
    limit: Literal["job_timeout_seconds", "report_timeout_seconds"] = "job_timeout_seconds"
    #: Rows whose checkpoints nobody needs any more, their thread being named by the key; None: it has no graph.
    over: ColumnElement[bool] | None = None
    #: When the checkpoints were removed.
    pruned_at: InstrumentedAttribute[Any] | None = None


def enqueue(context: Context, work: Work[Any], key: object, replace: bool = False) -> None:
    """Put a row on the queue once, and note when; a crash in between is mended by the reconciler.

    `replace` a job of this row that is being run, because its worker is gone.
    """
    job_id = f"{work.name}-{str(key).replace(':', '-')}"
    put(context.redis, work.function, str(key), job_id, getattr(context.settings, work.limit), replace)
    if work.enqueued_at is not None:
        with context.database.session() as session:
            session.execute(update(work.key.class_).where(work.key == key).values({work.enqueued_at: func.now()}))


def take(context: Context, work: Work[Row], key: object) -> Lease[Row] | None:
    """Take a row that is due, counting the attempt; None where it is not, or another worker holds it."""
    assert work.leases is not None
    with context.database.session() as session:
        return work.leases.take(session, key, process_name(), lasting(context), work.due, **work.on_take)


def keeping(context: Context, lease: Lease[Any]) -> AbstractContextManager[None]:
    """Prolong a worker's lease for as long as the block runs, then release it."""
    return kept(context.database, lease, lasting(context))


def lasting(context: Context) -> timedelta:
    """How long a worker's lease lasts unless it is prolonged."""
    return timedelta(seconds=context.settings.lease_seconds)
