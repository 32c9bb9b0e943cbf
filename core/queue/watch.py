"""What the queue's server holds at one moment: jobs by state, and workers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from redis import Redis
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker_registration import get_keys

from core.queue import open_queue, open_queues
from core.queue.job import AppJob, argument_of, text_of

#: More digits are no number of a worker's.
_MOST_DIGITS = 16
#: Years of the moments that jobs and workers may name.
_YEARS = range(2000, 3000)


@dataclass(frozen=True)
class JobIds:
    """Ids of jobs by state, of all queues, the next ones first."""

    queued: list[str]
    running: list[str]
    #: Those that wait for their next attempt.
    scheduled: list[str]
    failed: list[str]


@dataclass(frozen=True)
class JobFacts:
    """One job: its id, the id of the row that it works on, and its times."""

    id: str
    function: str
    key: str
    queued_at: datetime | None
    started_at: datetime | None
    #: What the queue recorded of a failure; "" without one.
    error: str


@dataclass(frozen=True)
class WorkerFacts:
    """One living worker."""

    machine: str
    pid: int | None
    state: str
    last_heartbeat: datetime | None
    began_at: datetime | None
    done: int
    failed: int
    #: Id of the job that it works on.
    job_id: str | None


def job_ids(redis: Redis) -> JobIds:
    """Return the ids of all jobs. Raises RedisError where the server does not answer."""
    found = JobIds([], [], [], [])
    for queue in open_queues(redis):
        # Without RQ's cleaning, which would write: the workers do that.
        found.queued.extend(queue.get_job_ids())
        found.running.extend(queue.started_job_registry.get_job_ids(cleanup=False))
        found.scheduled.extend(queue.scheduled_job_registry.get_job_ids(cleanup=False))
        found.failed.extend(queue.failed_job_registry.get_job_ids(cleanup=False))
    return found


def job_facts(redis: Redis, ids: Iterable[str]) -> dict[str, JobFacts]:
    """Return what is known of these jobs, by id; one that is gone, or is none of ours, is left out."""
    jobs = AppJob.fetch_many(list(ids), connection=redis, serializer=JSONSerializer)
    return {job.id: facts for job in jobs if job is not None and (facts := _facts(job)) is not None}


def workers(redis: Redis) -> list[WorkerFacts]:
    """Return the workers with a heartbeat in the last ALIVE_SECONDS, in the order of machine and process."""
    keys = sorted(get_keys(queue=open_queue(redis)))
    with redis.pipeline(transaction=False) as pipeline:
        for key in keys:
            pipeline.hgetall(key)
        hashes = pipeline.execute(raise_on_error=False)
    # What is no hash is no worker's.
    living = [one for one in hashes if isinstance(one, dict) and one]
    found = [_worker({text_of(name): text_of(value) for name, value in one.items()}) for one in living]
    return sorted(found, key=lambda worker: (worker.machine, worker.pid or 0))


def _facts(job: Job) -> JobFacts | None:
    key = argument_of(job)
    if key is None:
        return None
    result = job.latest_result() if job.is_failed else None
    error = str(result.exc_string or "") if result is not None else ""
    return JobFacts(job.id, str(job.func_name), key, _aware(job.enqueued_at), _aware(job.started_at), error)


def _worker(stored: dict[str, str]) -> WorkerFacts:
    return WorkerFacts(
        machine=stored.get("hostname", ""),
        pid=_number(stored.get("pid", "")),
        state=stored.get("state", ""),
        last_heartbeat=_moment(stored.get("last_heartbeat", "")),
        began_at=_moment(stored.get("birth", "")),
        done=_number(stored.get("successful_job_count", "")) or 0,
        failed=_number(stored.get("failed_job_count", "")) or 0,
        job_id=stored.get("current_job") or None,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < _MOST_DIGITS else None


def _moment(text: str) -> datetime | None:
    """Return a moment as RQ writes it, in UTC; None for what is none."""
    try:
        return _aware(datetime.fromisoformat(text.replace("Z", "+00:00")))
    except ValueError:
        return None


def _aware(at: datetime | None) -> datetime | None:
    """Return a moment with its zone; None for one that no zone's clock may be able to show."""
    if at is None or at.year not in _YEARS:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
