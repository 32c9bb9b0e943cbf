"""The jobs of the queue: seen, cancelled, retried."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from redis.exceptions import RedisError
from sqlalchemy import Uuid, select
from sqlalchemy.exc import NoResultFound

from core.error_codes import ErrorCode
from core.errors import AppError, ConflictError, NotFailedError, NotFoundError
from core.messages import MessageCode
from core.models import SecurityEventKind
from core.queue import JobFacts, JobIds, WorkerFacts, forget_jobs, job_facts, job_ids, workers
from core.work import JobKind, Work, function_of
from services.audit import record_event
from services.context import Context
from services.messages.entries import Conflict
from services.queue.failed_work import MAY_FAIL, FailedWork, Sample, failed_numbers, failed_work
from services.recovery.kinds import WORK
from services.recovery.work import fail_work, job_kind_of, numbers, put_on_queue

# Jobs that the queue gave up although their rows still need work; the reconciler queues these again too.


#: Limit of abandoned jobs that are looked at, the last ones.
_LOOKED_AT = 200


@dataclass(frozen=True)
class LostJob:
    """A job that ended before its work did."""

    kind: JobKind
    key: str
    queued_at: datetime | None
    #: Its masked traceback, as `core.tracing.log.traceback_text` gives it.
    error: str


def lost_jobs(context: Context) -> list[LostJob]:
    """Return the jobs that the queue gave up and whose work is due. Raises RedisError."""
    facts = job_facts(context.redis, job_ids(context.redis).failed[-_LOOKED_AT:])
    found = [LostJob(job_kind_of(job.id), job.key, job.queued_at, job.error) for job in facts.values()]
    return [job for job in found if job.kind in WORK and is_due(context, job.kind, job.key)]


def is_due(context: Context, kind: JobKind, key: str) -> bool:
    """Whether the row of a job has work to do."""
    work = WORK[kind]
    try:
        of_row = uuid.UUID(key) if isinstance(work.key.type, Uuid) else key
    except ValueError:
        # The job was not queued by this product.
        return False
    return context.database.scalar(select(work.key).where(work.key == of_row, work.due)) is not None


#: Limit of waiting jobs that are listed.
LISTED = 50


@dataclass(frozen=True)
class KindNumbers:
    """Jobs of one kind by state."""

    kind: JobKind
    queued: int
    running: int
    scheduled: int
    #: Rows that have failed for good; None for a kind whose rows never do.
    failed: int | None


@dataclass(frozen=True)
class WaitingJob:
    """A job that waits for a worker, or for its next attempt."""

    kind: JobKind
    key: str
    queued_at: datetime | None
    scheduled: bool
    cancellable: bool


@dataclass(frozen=True)
class Worker:
    """A living worker and its current job."""

    facts: WorkerFacts
    kind: JobKind | None
    key: str | None
    #: Since when it works on the job.
    since: datetime | None


@dataclass(frozen=True)
class QueueView:
    #: Whether the queue's server answers; without it only failures are known.
    answers: bool
    kinds: list[KindNumbers]
    waiting: list[WaitingJob]
    workers: list[Worker]
    failed: list[FailedWork]
    lost: list[LostJob]


def queue_view(context: Context, kind: JobKind | None = None) -> QueueView:
    """Return the queue; failures of one kind only, if one is given."""
    failed = failed_numbers(context)
    try:
        ids, living = job_ids(context.redis), workers(context.redis)
        facts = job_facts(context.redis, _looked_at(ids, living))
        lost = lost_jobs(context)
    except RedisError:
        ids, living, facts, lost, answers = JobIds([], [], [], []), [], {}, [], False
    else:
        answers = True
    queued, running, scheduled = numbers(ids.queued), numbers(ids.running), numbers(ids.scheduled)
    return QueueView(
        answers,
        [
            KindNumbers(one, queued[one], running[one], scheduled[one], failed[one] if one in MAY_FAIL else None)
            for one in WORK
        ],
        _waiting(ids, facts),
        [_worker(worker, facts) for worker in living],
        failed_work(context, kind),
        [job for job in lost if kind in (None, job.kind)],
    )


def _looked_at(ids: JobIds, living: list[WorkerFacts]) -> list[str]:
    return [*ids.queued[:LISTED], *ids.scheduled[:LISTED], *(one.job_id for one in living if one.job_id)]


def _waiting(ids: JobIds, facts: dict[str, JobFacts]) -> list[WaitingJob]:
    scheduled = set(ids.scheduled[:LISTED])
    found = [facts[name] for name in (*ids.queued[:LISTED], *ids.scheduled[:LISTED]) if name in facts]
    return [
        WaitingJob(job_kind_of(job.id), job.key, job.queued_at, job.id in scheduled, _stoppable(job.id))
        for job in found[:LISTED]
    ]


def _stoppable(job_id: str) -> bool:
    work = WORK.get(job_kind_of(job_id))
    return work is not None and work.stoppable


def _worker(worker: WorkerFacts, facts: dict[str, JobFacts]) -> Worker:
    job = facts.get(worker.job_id or "")
    if job is None:
        return Worker(worker, None, None, None)
    return Worker(worker, job_kind_of(job.id), job.key, job.started_at)


class StoppedError(AppError):
    """An admin took the work off the queue."""

    code: ClassVar[MessageCode] = ErrorCode.STOPPED


def cancel_job(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    """Take a job off the queue and mark its row as failed, so that it can be tried again; a report is stopped.

    A report that a worker has stops after its current step. Raises NotFoundError if there is no such work,
    ConflictError if a worker has taken the job already.
    """
    work = WORK.get(kind)
    if work is None or not work.stoppable or not is_due(context, kind, key):
        raise NotFoundError("no such job")
    _stop(context, actor_id, work, key)
    if is_due(context, kind, key) and work.stops is None:
        raise ConflictError(Conflict.BEING_WORKED_ON)
    if not is_due(context, kind, key):
        forget_jobs(context.redis, [work.job_id(key)])
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOB_CANCELLED, actor_id=actor_id, what=kind.value)


def _stop(context: Context, actor_id: uuid.UUID, work: Work[Any], key: str) -> None:
    if work.stops is not None:
        function_of(work.stops)(context, actor_id, work.key_of(key))
    else:
        fail_work(context, work, work.key_of(key), StoppedError())


#: Limit of work that one request tries again.
MOST_AT_ONCE = 500


def retry_work(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    """Try one piece of failed work again.

    Raises NotFailedError if it has not failed, or not any more, and NotFoundError for an unknown key.
    """
    _retry(context, actor_id, kind, key)
    _record(context, actor_id, kind.value, 1)


def retry_all(context: Context, actor_id: uuid.UUID, kind: JobKind | None) -> int:
    """Try all failed work of a kind, or of all kinds, again; return its number, at most MOST_AT_ONCE."""
    found = [(work.kind, work.key) for work in failed_work(context, kind, MOST_AT_ONCE)]
    found += [(job.kind, job.key) for job in lost_jobs(context) if kind in (None, job.kind)]
    done = 0
    for of_kind, key in found[:MOST_AT_ONCE]:
        try:
            _retry(context, actor_id, of_kind, key)
        except (NotFailedError, NotFoundError, ConflictError):
            # Somebody was faster, or a supervision of the same report is under way.
            continue
        done += 1
    if done:
        _record(context, actor_id, kind.value if kind is not None else "", done)
    return done


def _retry(context: Context, actor_id: uuid.UUID, kind: JobKind, key: str) -> None:
    lost = next((job for job in lost_jobs(context) if (job.kind, job.key) == (kind, key)), None)
    if lost is not None:
        put_on_queue(context, WORK[kind], [key], replace=True)
    elif kind in WORK and WORK[kind].retries is not None:
        _try_again(context, actor_id, WORK[kind], key)
    else:
        raise NotFailedError


def _try_again(context: Context, actor_id: uuid.UUID, work: Work[Any], key: str) -> None:
    assert work.retries is not None
    person = [actor_id] if work.retried_by_person else []
    try:
        function_of(work.retries)(context, *person, work.key_of(key))
    except (ValueError, NoResultFound) as exc:
        raise NotFoundError("no such work") from exc


def _record(context: Context, actor_id: uuid.UUID, what: str, rows: int) -> None:
    with context.database.session() as session:
        record_event(session, SecurityEventKind.JOBS_RETRIED, actor_id=actor_id, what=what, rows=rows)


@dataclass(frozen=True)
class QueuePeak:
    """The deepest queue within one span of time; None without samples."""

    begins: datetime
    queued: int | None
    running: int | None
    failed: int | None
    #: The fewest workers.
    workers: int | None


def in_spans(samples: Sequence[Sample], until: datetime, length: timedelta, number: int) -> list[QueuePeak]:
    """Return `number` spans of `length` that end at `until`, oldest first. Samples outside are ignored."""
    first = until - number * length
    filled: list[list[Sample]] = [[] for _ in range(number)]
    for sample in samples:
        place = (sample.at - first) // length
        if 0 <= place < number:
            filled[place].append(sample)
    return [_span(first + place * length, within) for place, within in enumerate(filled)]


def _span(begins: datetime, within: list[Sample]) -> QueuePeak:
    if not within:
        return QueuePeak(begins, None, None, None, None)
    return QueuePeak(
        begins,
        max(one.queued for one in within),
        max(one.running for one in within),
        max(one.failed for one in within),
        min(one.workers for one in within),
    )
