"""The queue: jobs by dotted name with deterministic ids, read back as data alone; errors without their texts."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

import rq.executions
import rq.queue
import rq.registry
import rq.scheduler
import rq.worker.base
import rq.worker_registration
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ResponseError
from rq import Queue, Retry, Worker
from rq.exceptions import DeserializationError, DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.executions import Execution
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job, JobStatus, parse_job_id
from rq.serializers import JSONSerializer
from rq.utils import utcformat
from rq.worker_registration import get_keys

from core.clock import utcnow
from core.tracing.log import get_logger

# What the queue's server holds at one moment: jobs by state, and workers.


#: Most digits of a worker's number.
_MOST_DIGITS = 16
#: Years accepted in the times of jobs and workers.
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
    """Return what is known of these jobs, by id; those that are gone or not ours are left out."""
    jobs = AppJob.fetch_many(list(ids), connection=redis, serializer=JSONSerializer)
    return {job.id: facts for job in jobs if job is not None and (facts := _facts(job)) is not None}


def workers(redis: Redis) -> list[WorkerFacts]:
    """Return the workers with a heartbeat in the last ALIVE_SECONDS, in the order of machine and process."""
    keys = sorted(get_keys(queue=open_queue(redis)))
    with redis.pipeline(transaction=False) as pipeline:
        for key in keys:
            pipeline.hgetall(key)
        hashes = pipeline.execute(raise_on_error=False)
    # Workers are stored as hashes; skip anything else.
    living = [one for one in hashes if isinstance(one, dict) and one]
    found = [_worker({stored_text(name): stored_text(value) for name, value in one.items()}) for one in living]
    return sorted(found, key=lambda worker: (worker.machine, worker.pid or 0))


def _facts(job: Job) -> JobFacts | None:
    key = argument_of(job)
    if key is None:
        return None
    # As it was fetched: the job may have ended since, and reading its status again would then raise.
    result = job.latest_result() if job.get_status(refresh=False) == JobStatus.FAILED else None
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
    """Parse a time as RQ writes it, in UTC; None if it is malformed."""
    try:
        return _aware(datetime.fromisoformat(text.replace("Z", "+00:00")))
    except ValueError:
        return None


def _aware(at: datetime | None) -> datetime | None:
    """Return a time with its zone, by default UTC; None if its year is not accepted."""
    if at is None or at.year not in _YEARS:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


# The queue: jobs by dotted name with deterministic ids, JSON only, ids as arguments.


QUEUE_NAME = "second-reader"
#: Jobs of a second at most that somebody waits for, such as mails: first in each second turn of a worker.
PROMPT_QUEUE_NAME = "second-reader-prompt"
#: Pages of long files, which are read after the entries that were found in them.
PAGES_QUEUE_NAME = "second-reader-pages"
#: The further jobs of batches with many: each is brought forward when one of its batch has ended.
CROWD_QUEUE_NAME = "second-reader-crowd"
#: Reports: jobs of many minutes.
RESEARCH_QUEUE_NAME = "second-reader-research"
#: Jobs that nobody waits for: vectors of the library's passages.
BEHIND_QUEUE_NAME = "second-reader-behind"
#: All queues, in the order in which workers serve them.
QUEUE_NAMES = (
    PROMPT_QUEUE_NAME,
    QUEUE_NAME,
    PAGES_QUEUE_NAME,
    CROWD_QUEUE_NAME,
    RESEARCH_QUEUE_NAME,
    BEHIND_QUEUE_NAME,
)
#: The queues that come first, with the prompt one, in successive turns of a worker: none of them waits for ever.
TURNS = (QUEUE_NAME, PAGES_QUEUE_NAME, QUEUE_NAME, CROWD_QUEUE_NAME, QUEUE_NAME, RESEARCH_QUEUE_NAME)
#: Jobs of each kind of one share, such as a batch, that wait before the crowd, which workers without other work
#: serve: one is enough, and others wait for no more.
FRONT = 1
#: Seconds between two heartbeats of a worker, at which it looks for lost jobs as well. RQ's own: 405 s when idle.
HEARTBEAT_SECONDS = 15
#: A worker that was silent for so long is dead.
ALIVE_SECONDS = 2 * HEARTBEAT_SECONDS


def open_queue(redis: Redis, name: str = QUEUE_NAME) -> Queue:
    """A queue; its serializer must be that of the workers."""
    return Queue(name, connection=redis, serializer=JSONSerializer, job_class=AppJob)


def open_queues(redis: Redis, without: Collection[str] = ()) -> list[Queue]:
    """All queues but those of the names `without`, in the order in which workers serve them."""
    return [open_queue(redis, name) for name in QUEUE_NAMES if name not in without]


def queued_count(redis: Redis) -> int:
    """Return the number of jobs that wait for a worker. Raises RedisError."""
    return sum(int(queue.count) for queue in open_queues(redis))


def enqueue_job(
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
    # It waits on the queue that it was put on, which may be another by now.
    queue = open_queue(queue.connection, job.origin) if job.origin in QUEUE_NAMES else queue
    # A worker of several queues takes a job off its queue, and may die before it begins. A job that a living
    # worker has in hand is then queued twice; the lease of its row lets only one of them work.
    if status == JobStatus.QUEUED and queue.get_job_position(job) is not None:
        return True
    if status == JobStatus.SCHEDULED and _is_to_come(queue, job):
        return True
    if status == JobStatus.STARTED and not replace and _is_in_hand(queue, job):
        return False
    job.delete()
    return None


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


#: KEYS: the crowd, another queue, the hashes of jobs. ARGV: the most of them on that queue, its name, the time,
#: their ids. A job that is moved counts as queued now.
_BRING_FORWARD = """
local there = 0
for i = 4, #ARGV do
  if redis.call('lpos', KEYS[2], ARGV[i]) then there = there + 1 end
end
for i = 4, #ARGV do
  if there >= tonumber(ARGV[1]) then return 0 end
  if redis.call('lrem', KEYS[1], 1, ARGV[i]) == 1 and redis.call('exists', KEYS[i - 1]) == 1 then
    redis.call('hset', KEYS[i - 1], 'origin', ARGV[2], 'enqueued_at', ARGV[3])
    return redis.call('rpush', KEYS[2], ARGV[i])
  end
end
return 0
"""


def bring_forward(redis: Redis, job_ids: Sequence[str], queue_name: str) -> bool:
    """Move the first of these jobs that is in the crowd to the end of a queue, unless FRONT of them wait there.

    Returns whether one was moved. Raises RedisError.
    """
    crowd, queue = open_queue(redis, CROWD_QUEUE_NAME), open_queue(redis, queue_name)
    keys = [crowd.key, queue.key, *map(AppJob.key_for, job_ids)]
    return bool(redis.eval(_BRING_FORWARD, len(keys), *keys, FRONT, queue_name, utcformat(utcnow()), *job_ids))


def forget_jobs(redis: Redis, job_ids: Iterable[str]) -> None:
    """Remove jobs of these ids, if there are any, from the queues and from the records of what failed."""
    for job in AppJob.fetch_many(list(job_ids), connection=redis, serializer=JSONSerializer):
        if job is not None:
            job.delete()


def worker_count(redis: Redis, host: str | None = None) -> int:
    """Return the number of workers, of one machine or of all, that were heard of in the last ALIVE_SECONDS."""
    keys = get_keys(queue=open_queue(redis))
    if host is not None:
        return sum(redis.hget(key, "hostname") == host.encode() for key in keys)
    return int(redis.exists(*keys)) if keys else 0


# A job as it is read back from the queue: data only, with nothing that RQ would import, call or send for it.


log = get_logger(__name__)
#: The function of every job. What it does follows from the kind in the job's id (`core.work`).
RUNNER = "jobs.run.run_job"
#: Seconds between the attempts of a job that failed with a retryable error.
RETRY_INTERVALS = (5, 20, 60)
#: Seconds that the record of a failed job is kept.
FAILURE_TTL = 7 * 24 * 3600
#: Longest time limit of a job in seconds. RQ adds to it, and the system's alarm takes no more than a C integer.
LONGEST_TIMEOUT = 7 * 24 * 3600
#: What jobs of versions before 1.0 call, one function a kind; they may wait in a queue while a server is upgraded.
FORMER_RUNNERS = frozenset(
    {
        "jobs.decide_batch.decide_batch_job",
        "jobs.decide_together.decide_together_job",
        "jobs.embed_document.embed_document_job",
        "jobs.make_export.make_export_job",
        "jobs.office.change_many.change_many_job",
        "jobs.office.read_anew.read_anew_job",
        "jobs.process_submission.process_submission_job",
        "jobs.read_blank.read_blank_job",
        "jobs.read_library_document.read_library_document_job",
        "jobs.read_pages.read_pages_job",
        "jobs.read_sample.read_sample_job",
        "jobs.resume_run.resume_run_job",
        "jobs.run_report.run_report_job",
        "jobs.run_submission.run_submission_job",
        "jobs.run_supervision.run_supervision_job",
        "jobs.send_mail.send_mail_job",
        "jobs.send_reset.send_reset_job",
        "jobs.try_form.try_form_job",
    }
)
#: What RQ raises while it parses a hash that it did not write.
_MALFORMED = (ValueError, TypeError, AttributeError, LookupError, OverflowError, ResponseError)


class AppJob(Job):  # type: ignore[misc]
    """A job of the product. Callbacks, webhooks, groups, dependencies, repetitions and notes are never read back.

    Whoever can write to the queue's server could use them to have RQ import any function, or to crash it.
    Attempts, waits and time limits are the product's, whatever is stored: others could keep a worker busy for
    ever, or end it.
    """

    _func_name: Any
    timeout: int | None
    retries_left: int | None

    @classmethod
    def fetch(cls, id: str, connection: Redis | None = None, serializer: Any = None) -> Self:
        """Return the job; raises NoSuchJobError also for one that cannot be read, which is removed."""
        try:
            job: Self = super().fetch(id, connection=connection, serializer=serializer)
        except NoSuchJobError:
            raise
        except _MALFORMED as error:
            log.warning("job_refused", job_id=str(id)[:100], why="malformed", kind=type(error).__name__)
            if connection is not None:
                connection.delete(f"{cls.redis_job_namespace_prefix}{id}")
            raise NoSuchJobError(f"malformed job {str(id)[:100]!r}") from error
        return job

    @classmethod
    def fetch_many(cls, job_ids: Iterable[str], connection: Redis, serializer: Any = None) -> list[Self | None]:
        """Return the jobs; None for each that is gone, or cannot be read and is removed. See `Job.fetch_many`."""
        ids = list(job_ids)
        try:
            found: list[Self | None] = super().fetch_many(ids, connection, serializer)
        except (NoSuchJobError, *_MALFORMED):
            return [cls._if_there(one, connection, serializer) for one in ids]
        return found

    @classmethod
    def _if_there(cls, id: str, connection: Redis, serializer: Any) -> Self | None:
        try:
            return cls.fetch(parse_job_id(id), connection, serializer)
        except NoSuchJobError:
            return None

    def restore(self, raw_data: Any) -> None:
        """Read the fields of the stored hash. See `Job.restore`."""
        super().restore(raw_data)
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks: list[Any] = []
        self.group_id = None
        self._dependency_ids: list[str] = []
        self.repeats_left = self.repeat_intervals = None
        self.meta: dict[str, Any] = {}
        self._keep_to_our_terms()

    def _keep_to_our_terms(self) -> None:
        self.ttl = self.number_of_retries = self.enqueue_at_front = None
        self.enqueue_at_front_on_retry = False
        self.result_ttl, self.failure_ttl = 0, FAILURE_TTL
        if self.timeout is not None:
            self.timeout = min(max(self.timeout, 1), LONGEST_TIMEOUT)
        if self.retries_left is not None:
            self.retries_left = min(max(self.retries_left, 0), len(RETRY_INTERVALS))
        self.retry_intervals = list(RETRY_INTERVALS)

    def _deserialize_data(self) -> None:
        """Take function and arguments apart. See `Job._deserialize_data`."""
        super()._deserialize_data()
        if self._func_name in FORMER_RUNNERS:
            self._func_name = RUNNER

    def delete(
        self, pipeline: Pipeline | None = None, remove_from_queue: bool = True, delete_dependents: bool = False
    ) -> None:
        """Remove the job and its executions. See `Job.delete`, which raises where a killed worker left one.

        A job that somebody else removes at the same time is removed.
        """
        self._forget_attempts()
        try:
            super().delete(pipeline, remove_from_queue, delete_dependents)
        except InvalidJobOperation:
            # Without a status it is gone, or was never complete. One that was queued again since has a status.
            if not self.connection.hexists(self.key, "status"):
                self.connection.delete(self.key)

    def _forget_attempts(self) -> None:
        """Remove all executions of this job. RQ reads each before, and fails where one has expired."""
        registry = self.started_job_registry
        with self.connection.pipeline() as pipeline:
            for job_id, execution_id in registry.get_job_and_execution_ids(cleanup=False):
                if job_id == self.id:
                    Execution(execution_id, self.id, self.connection).delete(self, pipeline)
            pipeline.delete(self.execution_registry.key)
            pipeline.execute()


def stored_text(stored: bytes | str) -> str:
    """Decode a value of the queue's server; invalid UTF-8 becomes a name that nothing has."""
    return stored if isinstance(stored, str) else stored.decode(errors="replace")


def _parts(entry: str) -> tuple[str, str]:
    """Return a job's id and its execution's of an entry of running jobs. See `rq.utils.parse_composite_key`."""
    job_id, _, execution_id = entry.partition(":")
    return job_id, execution_id


def _ids_between(self: IntermediateQueue) -> list[str]:
    """Return ids of jobs that a worker took off a queue. See `IntermediateQueue.get_job_ids`."""
    return [stored_text(job_id) for job_id in self.connection.lrange(self.key, 0, -1)]


# RQ decodes ids by these names. One that it cannot decode would end a worker or its scheduler.
for reader in (rq.executions, rq.queue, rq.registry, rq.worker.base, rq.worker_registration):
    reader.as_text = stored_text
rq.registry.parse_composite_key = _parts
IntermediateQueue.get_job_ids = _ids_between
# RQ's scheduler loads jobs by this name; one that it cannot read would end it.
rq.scheduler.Job = AppJob


def argument_of(job: Job) -> str | None:
    """Return the id that a job carries as its only argument; None for a job that carries anything else."""
    try:
        (argument,) = job.args
        printable = isinstance(argument, str) and argument.isprintable() and job.kwargs == {}
    except (DeserializationError, *_MALFORMED):
        return None
    # Neither the database nor a page accepts half a surrogate pair or a zero byte.
    return str(argument) if printable else None


def job_refusal(job: Job, allowed: frozenset[str]) -> str | None:
    """Return why a job must not be run; None for a function of `allowed` with one id as its only argument."""
    try:
        if job.func_name not in allowed or job.instance is not None:
            return "function"
    except (DeserializationError, *_MALFORMED):
        return "malformed"
    return "arguments" if argument_of(job) is None else None
