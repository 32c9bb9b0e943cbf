"""A job as it is read back from the queue: data only, with nothing that RQ would import, call or send for it."""

from __future__ import annotations

from collections.abc import Iterable
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
from rq.exceptions import DeserializationError, InvalidJobOperation, NoSuchJobError
from rq.executions import Execution
from rq.intermediate_queue import IntermediateQueue
from rq.job import Job, parse_job_id

from core.log import get_logger

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
#: What RQ raises while it takes a hash apart that it did not write itself.
_MALFORMED = (ValueError, TypeError, AttributeError, LookupError, OverflowError, ResponseError)


class AppJob(Job):  # type: ignore[misc]
    """A job of the product. Callbacks, webhooks, groups, dependencies, repetitions and notes are never read back.

    Whoever can write to the queue's server could have RQ import any function by them, or end by notes of any form.
    Attempts, waits and terms are those that the product sets, whatever is stored: others could keep a worker busy
    for ever, or end it.
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
            # It has no status: it is gone, or was never whole. One that was queued anew since has a status.
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


def text_of(stored: bytes | str) -> str:
    """Return what the queue's server holds as text; what is no UTF-8 becomes the name of nothing."""
    return stored if isinstance(stored, str) else stored.decode(errors="replace")


def _parts(entry: str) -> tuple[str, str]:
    """Return a job's id and its execution's of an entry of running jobs. See `rq.utils.parse_composite_key`."""
    job_id, _, execution_id = entry.partition(":")
    return job_id, execution_id


def _ids_between(self: IntermediateQueue) -> list[str]:
    """Return ids of jobs that a worker took off a queue. See `IntermediateQueue.get_job_ids`."""
    return [text_of(job_id) for job_id in self.connection.lrange(self.key, 0, -1)]


# By these names RQ reads ids. One that it cannot read would end a worker or its scheduler.
for reader in (rq.executions, rq.queue, rq.registry, rq.worker.base, rq.worker_registration):
    reader.as_text = text_of
rq.registry.parse_composite_key = _parts
IntermediateQueue.get_job_ids = _ids_between
# By this name RQ's scheduler reads what it puts back on the queue; one job that it cannot read would end it.
rq.scheduler.Job = AppJob


def argument_of(job: Job) -> str | None:
    """Return the id that a job carries as its only argument; None for a job that carries anything else."""
    try:
        (argument,) = job.args
        printable = isinstance(argument, str) and argument.isprintable() and job.kwargs == {}
    except (DeserializationError, *_MALFORMED):
        return None
    # Half a character, or a zero byte, is taken neither by the database nor by a page.
    return str(argument) if printable else None


def refusal(job: Job, allowed: frozenset[str]) -> str | None:
    """Return why a job must not be run; None for a function of `allowed` with one id as its only argument."""
    try:
        if job.func_name not in allowed or job.instance is not None:
            return "function"
    except (DeserializationError, *_MALFORMED):
        return "malformed"
    return "arguments" if argument_of(job) is None else None
