"""Kinds of work in the queue, what failed, and the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, Text, and_, cast, delete, func, literal, null, select, union_all
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.messages import Message
from core.models import JobFailure, QueueSample, ReconcilerPass
from core.queue import job_ids, workers
from core.tracing.log import get_logger
from core.work import FailedRows, JobKind, Work
from services.context import Context
from services.recovery.kinds import ALL

# The depth of the queue, minute by minute, and the reconciler's findings; the reconciler writes both.


#: How long samples and passes are kept.
SAMPLES_KEPT = timedelta(days=7)
PASSES_KEPT = timedelta(days=30)


@dataclass(frozen=True)
class ReconcileResult:
    """What one pass of the reconciler found and did."""

    #: Rows put on the queue again, by kind of work.
    requeued: Mapping[str, int]
    #: Rows whose checkpoints were removed, by kind of work.
    pruned: Mapping[str, int]
    #: Essays written to the library or taken from it.
    essays: int = 0
    #: Accounts that were updated at Supabase Auth.
    accounts: int = 0

    @property
    def total(self) -> int:
        """The number of rows handled."""
        return sum(self.requeued.values()) + sum(self.pruned.values()) + self.essays + self.accounts


@dataclass(frozen=True)
class Pass:
    at: datetime
    found: ReconcileResult


@dataclass(frozen=True)
class Sample:
    """The queue in one minute."""

    at: datetime
    queued: int
    running: int
    scheduled: int
    failed: int
    workers: int


def record_pass(context: Context, found: ReconcileResult) -> None:
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

    Returns whether this process recorded them. Raises RedisError if the queue does not answer.
    """
    minute = utcnow().replace(second=0, microsecond=0)
    with context.database.reading() as session:
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
    with context.database.reading() as session:
        return [Sample(**row._asdict()) for row in session.execute(query)]


def last_passes(context: Context, limit: int = 20) -> list[Pass]:
    """Return the last passes that found something, newest first."""
    query = select(ReconcilerPass).order_by(ReconcilerPass.created_at.desc()).limit(limit)
    with context.database.reading() as session:
        rows = session.scalars(query).all()
        return [
            Pass(row.created_at, ReconcileResult(row.requeued, row.pruned, row.essays, row.accounts))
            for row in rows
        ]


def _some(numbers: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in numbers.items() if number}


_NO_PARAMS = cast(null(), JSONB)
#: Limit of failed work that is listed.
LISTED = 50


@dataclass(frozen=True)
class FailedWork:
    kind: JobKind
    #: The key of the row as its jobs have it.
    key: str
    #: Id of what its page shows: a file's upload, an entry, a document, a report.
    place: str
    failed_at: datetime
    #: What went wrong, for people; None if the row does not have it.
    error: Message | None
    #: See `core.tracing.log.masked`; empty if nothing was recorded.
    traceback: Sequence[Mapping[str, Any]]


#: What can fail for good, and how its rows are found.
_FAILED = [(work, work.failed) for work in ALL if work.failed is not None]
#: Kinds whose rows can fail for good.
MAY_FAIL = frozenset(work.kind for work, _ in _FAILED)


def failed_numbers(context: Context) -> dict[JobKind, int]:
    """Return how many rows of each kind have failed and wait for a person."""
    counts = union_all(
        *(
            select(literal(work.name), func.count()).where(failed.where).select_from(_table(work, failed))
            for work, failed in _FAILED
        )
    )
    with context.database.reading() as session:
        return {JobKind(kind): number for kind, number in session.execute(counts)}


def failed_work(context: Context, kind: JobKind | None = None, limit: int = LISTED) -> list[FailedWork]:
    """Return the latest failed work, of one kind or of all."""
    found_of = [_newest(work, failed, limit) for work, failed in _FAILED if kind in (None, work.kind)]
    rows = union_all(*found_of).subquery()
    query = (
        select(rows, JobFailure.errors)
        .outerjoin(JobFailure, and_(JobFailure.kind == rows.c.kind, JobFailure.key == rows.c.key))
        .order_by(rows.c.failed_at.desc(), rows.c.key)
        .limit(limit)
    )
    with context.database.reading() as session:
        found = session.execute(query).all()
    return [
        FailedWork(
            JobKind(row.kind),
            row.key,
            row.place,
            row.failed_at,
            Message(row.code, row.params or {}) if row.code else None,
            row.errors or (),
        )
        for row in found
    ]


def _table(work: Work[Any], failed: FailedRows) -> Any:
    """Return the model of the rows that fail."""
    return failed.table or work.key.class_


def _newest(work: Work[Any], failed: FailedRows, limit: int) -> Select[Any]:
    table = _table(work, failed)
    key = cast(work.key if failed.key is None else failed.key, Text)
    newest = (
        select(
            literal(work.name, Text).label("kind"),
            key.label("key"),
            (key if failed.place is None else cast(failed.place, Text)).label("place"),
            failed.at.label("failed_at"),
            table.error_code.label("code"),
            getattr(table, "error_params", _NO_PARAMS).label("params"),
        )
        .where(failed.where)
        .order_by(failed.at.desc())
        .limit(limit)
        .subquery()
    )
    return select(newest)


log = get_logger(__name__)
#: How long the last failure of a piece of work is kept.
KEPT = timedelta(days=30)
_LONGEST_KEY = 200


def note_failure(context: Context, kind: JobKind, key: str, errors: Sequence[dict[str, Any]]) -> None:
    """Record a failure in place of an earlier one of the same work; `errors`: see `core.tracing.log`.

    Ignores a database that does not answer, which may be why the job failed, and a key that is no text.
    """
    values = {"failed_at": func.now(), "errors": list(errors)}
    # The rest of a run counts as the run.
    of_kind = JobKind.RUN if kind is JobKind.REST else kind
    row = insert(JobFailure).values(kind=of_kind.value, key=key[:_LONGEST_KEY], **values)
    again = row.on_conflict_do_update(
        index_elements=[JobFailure.kind, JobFailure.key], set_={**values, "times": JobFailure.times + 1}
    )
    try:
        context.database.execute(again)
    except (SQLAlchemyError, ValueError) as failed:
        log.warning("failure_not_recorded", kind=type(failed).__name__)


def forget_old_failures(session: Session) -> None:
    """Remove failures that are older than KEPT."""
    session.execute(delete(JobFailure).where(JobFailure.failed_at < func.now() - KEPT))
