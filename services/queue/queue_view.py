"""What the page of the queue shows of this moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from redis.exceptions import RedisError

from core.queue.watch import JobFacts, JobIds, WorkerFacts, job_facts, job_ids, workers
from core.work import JobKind
from services.context import Context
from services.queue.failed_work import MAY_FAIL, FailedWork, failed_numbers, failed_work
from services.queue.lost_jobs import LostJob, lost_jobs
from services.recovery.kinds import WORK
from services.recovery.work import kind_of, numbers

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
    """The queue at one moment."""

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
        WaitingJob(kind_of(job.id), job.key, job.queued_at, job.id in scheduled, _stoppable(job.id))
        for job in found[:LISTED]
    ]


def _stoppable(job_id: str) -> bool:
    work = WORK.get(kind_of(job_id))
    return work is not None and work.stoppable


def _worker(worker: WorkerFacts, facts: dict[str, JobFacts]) -> Worker:
    job = facts.get(worker.job_id or "")
    if job is None:
        return Worker(worker, None, None, None)
    return Worker(worker, kind_of(job.id), job.key, job.started_at)
