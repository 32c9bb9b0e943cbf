"""The queue: jobs by dotted name with deterministic ids, JSON only, ids as arguments."""

from __future__ import annotations

import time
from collections.abc import Iterable

from redis import Redis
from rq import Queue, Retry, Worker
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer
from rq.worker_registration import get_keys

from core.queue.job import FAILURE_TTL, RETRY_INTERVALS, AppJob

QUEUE_NAME = "second-reader"
#: Pages of long files: a worker takes of them only while nothing else waits.
PAGES_QUEUE_NAME = "second-reader-pages"
#: What nobody waits for: vectors of the library's passages.
BEHIND_QUEUE_NAME = "second-reader-behind"
#: All queues, in the order in which workers serve them.
QUEUE_NAMES = (QUEUE_NAME, PAGES_QUEUE_NAME, BEHIND_QUEUE_NAME)
#: Seconds between two heartbeats of a worker, at which it looks for lost jobs as well. RQ's own: 405 s when idle.
HEARTBEAT_SECONDS = 15
#: A worker that was silent for so long is dead.
ALIVE_SECONDS = 2 * HEARTBEAT_SECONDS


def open_queue(redis: Redis, name: str = QUEUE_NAME) -> Queue:
    """A queue; its serializer must be that of the workers."""
    return Queue(name, connection=redis, serializer=JSONSerializer, job_class=AppJob)


def open_queues(redis: Redis) -> list[Queue]:
    """All queues, in the order in which workers serve them."""
    return [open_queue(redis, name) for name in QUEUE_NAMES]


def enqueue(
    redis: Redis,
    function: str,
    argument: str,
    job_id: str,
    timeout: int,
    replace: bool = False,
    queue_name: str = QUEUE_NAME,
) -> bool:
    """Put a job on a queue once.

    `job_id` takes letters, digits, `-` and `_`. A waiting job of this id is kept; one that ended, or that a worker
    took and lost, is replaced; a running one is replaced only with `replace`, that is, when its lease has expired.
    Returns whether a job of this id waits now. False: a worker has one in hand, and may not see what is due since.
    """
    queue = open_queue(redis, queue_name)
    for _ in range(2):
        try:
            queue.enqueue_call(
                function,
                args=(argument,),
                job_id=job_id,
                timeout=timeout,
                result_ttl=0,
                failure_ttl=FAILURE_TTL,
                retry=Retry(max=len(RETRY_INTERVALS), interval=list(RETRY_INTERVALS)),
                unique=True,
                description=f"{function} {job_id}",
            )
        except DuplicateJobError:
            waits = _clear(queue, job_id, replace)
            if waits is not None:
                return waits
        else:
            return True
    return False


def _clear(queue: Queue, job_id: str, replace: bool) -> bool | None:
    """Remove the job of this id unless it waits (True) or runs (False); None when the id is free."""
    try:
        job = AppJob.fetch(job_id, connection=queue.connection, serializer=JSONSerializer)
    except NoSuchJobError:
        return None
    status = job.get_status(refresh=False)
    if status == JobStatus.QUEUED and _is_on(queue, job):
        return True
    if status == JobStatus.SCHEDULED and _is_to_come(queue, job):
        return True
    if status == JobStatus.STARTED and not replace and _is_in_hand(queue, job):
        return False
    job.delete()
    return None


def _is_on(queue: Queue, job: Job) -> bool:
    """Whether a job is on its queue. A worker of several queues takes it off, and may die before it begins.

    A job that a living worker has in its hand is queued twice then; the lease of its row lets one of the two work.
    """
    return queue.get_job_position(job) is not None


def _is_to_come(queue: Queue, job: Job) -> bool:
    """Whether a scheduler will put the job on its queue soon.

    One that is overdue has lost its scheduler. One that is due later than any retry was scheduled by a machine
    whose clock is ahead.
    """
    due = queue.connection.zscore(queue.scheduled_job_registry.key, job.id)
    now = time.time()
    return due is not None and now - ALIVE_SECONDS < due < now + max(RETRY_INTERVALS) + ALIVE_SECONDS


def _is_in_hand(queue: Queue, job: Job) -> bool:
    """Whether the worker that began the job is alive."""
    key = f"{Worker.redis_worker_namespace_prefix}{job.worker_name}"
    return job.worker_name is not None and bool(queue.connection.exists(key))


def forget_jobs(redis: Redis, job_ids: Iterable[str]) -> None:
    """Remove jobs of these ids, if there are any, from the queues and from the records of what failed."""
    for job in AppJob.fetch_many(list(job_ids), connection=redis, serializer=JSONSerializer):
        if job is not None:
            job.delete()


def worker_count(redis: Redis) -> int:
    """Return the number of workers with a heartbeat in the last ALIVE_SECONDS (by the server's clock)."""
    keys = get_keys(queue=open_queue(redis))
    return int(redis.exists(*keys)) if keys else 0
