"""One worker process, which loads what jobs need and forks a work-horse for them."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import psutil
from redis.client import Pipeline
from rq import Queue, Worker, worker_registration
from rq.executions import Execution
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import configure_mappers

from core.config import Settings, get_settings
from core.confined.children import ready, warn_of_missing_protections
from core.llm.providers import open_model, open_vision_model, warn_of_ignored_settings
from core.queue import (
    ALIVE_SECONDS,
    HEARTBEAT_SECONDS,
    PROMPT_QUEUE_NAME,
    RUNNER,
    TURNS,
    AppJob,
    argument_of,
    job_refusal,
    open_queues,
)
from core.tracing.log import configure_logging, get_logger, masked, traceback_text
from jobs.attempts import process_context
from jobs.horse import MOST_JOBS, Horse, Order, next_order
from pipeline.mupdf.file import PARSER
from pipeline.runner import bound_process, preload_pipeline, share_derived
from services.forms.in_use import load_forms
from services.library.passages import renew_embeddings
from services.queue.failed_work import note_failure
from services.recovery.kinds import ALL
from services.recovery.work import job_kind_of, release_dead

# Load before forking: jobs run in a fork, which would import and load everything again. Only the first of jobs
# that wait already is forked before, and loads what it needs itself.


#: The dotted names of everything that a worker runs.
RUNNABLE = frozenset({RUNNER})


def preload_jobs(settings: Settings) -> None:
    """Import the modules of all jobs, and load the models and lists that reading uses.

    Jobs of library documents and reports load their own modules: 110 MB, but only a second of work.
    """
    for work in ALL:
        for function in work.functions:
            import_module(function.rpartition(".")[0])
    configure_mappers()
    # Imports the providers' packages; each run opens its own models.
    open_model(settings)
    open_vision_model(settings)
    # Last: it has garbage collections leave out what is there.
    preload_pipeline(settings)


# One worker process: `python -m jobs.worker`. It loads what jobs use and forks a work-horse for them.


log = get_logger(__name__)

#: Seconds by which RQ's idle timeout is shorter than the worker's time to live.
_RQ_MARGIN = 15


class AppWorker(Worker):  # type: ignore[misc]
    """Worker that runs only jobs of `runnable`, each in an app context, and sends frequent heartbeats."""

    #: Most seconds between two attempts to connect to a queue server that does not answer.
    max_connection_wait_time = 5.0
    job_class = AppJob

    def __init__(self, queues: list[Queue], runnable: frozenset[str] = RUNNABLE, **options: Any) -> None:
        """Create the worker. See `Worker` for the options."""
        super().__init__(
            queues,
            serializer=JSONSerializer,
            worker_ttl=HEARTBEAT_SECONDS + _RQ_MARGIN,
            job_monitoring_interval=HEARTBEAT_SECONDS,
            maintenance_interval=HEARTBEAT_SECONDS,
            log_job_description=False,
            **options,
        )
        self._runnable = runnable
        self._turn = 0
        #: Loads what jobs share; None once it was called.
        self.preload: Callable[[], None] | None = None
        #: Bytes of memory that this process may have; a fork is not this process.
        self.most_memory = sys.maxsize
        #: Bytes by which a work-horse may grow before it ends.
        self.most_growth = sys.maxsize
        #: The work-horse of the jobs before, which waits for the next.
        self._horse: Horse | None = None
        #: Both ends of the line to the work-horse that is forked next: the worker's and the work-horse's.
        self._lines: tuple[socket.socket, socket.socket] | None = None

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Begin the next turn with its queue and the prompt one, by turns. See `Worker.reorder_queues`."""
        self._turn += 1
        round_, place = divmod(self._turn, len(TURNS))
        # The other way round in the next round: else some queues would always stand behind a flood of mails.
        first = (PROMPT_QUEUE_NAME, TURNS[place])[:: -1 if (round_ + place) % 2 else 1]
        self._ordered_queues = sorted(
            self.queues, key=lambda queue: first.index(queue.name) if queue.name in first else len(first)
        )

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Stay registered for ALIVE_SECONDS from now, whatever `timeout` says. See `Worker.heartbeat`."""
        super().heartbeat(ALIVE_SECONDS, pipeline)
        # Other workers unregister one whose machine was asleep.
        worker_registration.register(self, pipeline)
        if self._horse is not None and not self.horse_pid and self._horse.is_idle:
            self._dismiss()

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run the job in a work-horse, or refuse it. See `Worker.execute_job`."""
        why = job_refusal(job, self._runnable)
        if why is None:
            super().execute_job(job, queue)
        else:
            log.warning("job_refused", job_id=job.id[:100], why=why)
            job.delete()
        memory = _memory()
        if memory > self.most_memory:
            log.info("worker_has_grown", megabytes=memory >> 20)
            self._stop_requested = True

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Give the job to the work-horse of the jobs before, or fork one. See `Worker.fork_work_horse`.

        A new one shares this process's nursery, forms, and models.
        """
        assert self.execution is not None
        if self._horse is not None and self._horse.send(Order(job.id, queue.name, self.execution.id)):
            self._horse_pid = self._horse.pid
            return
        self._dismiss()
        ready(PARSER)
        # The job loads them, too; loading them here shares what is derived from them.
        with suppress(SQLAlchemyError):
            load_forms(process_context())
        share_derived()
        self._lines = ours, theirs = socket.socketpair()
        super().fork_work_horse(job, queue)
        theirs.close()
        self._horse = Horse(self.horse_pid, ours)
        self.load()

    def wait_for_horse(self) -> tuple[Any, Any, Any]:
        """Wait until the work-horse has done its job or has ended. See `Worker.wait_for_horse`."""
        if self._horse is not None:
            if self._horse.is_done():
                return self._horse.pid, os.EX_OK, None
            self._horse.close()
            self._horse = None
        found: tuple[Any, Any, Any] = super().wait_for_horse()
        return found

    def teardown(self) -> None:
        """End a work-horse that waits as well; one with a job ends after it. See `Worker.teardown`."""
        if self._horse is not None and self.horse_pid:
            self._horse.close()
        else:
            self._dismiss()
        super().teardown()

    def _dismiss(self) -> None:
        if self._horse is not None:
            self._horse.dismiss()
            self._horse = None

    def load(self) -> None:
        """Load what the next jobs share, once."""
        if self.preload is not None:
            preload, self.preload = self.preload, None
            preload()

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log where the job failed. See `Worker.handle_exception`, which logs what the exception says too."""
        log.warning("job_raised", job_id=job.id, frames=traceback_text(masked(exc_info[1])))

    def handle_job_failure(
        self, job: Job, queue: Queue, started_job_registry: Any = None, exc_string: str = ""
    ) -> None:
        """Record where the job failed, here and in the queue's own record. See `Worker.handle_job_failure`."""
        error = sys.exc_info()[1]
        # Without an exception the work-horse has died, and the text is RQ's own.
        errors = [{"kind": "WorkHorseDied", "code": None, "frames": []}] if error is None else masked(error)
        if (key := argument_of(job)) is not None:
            note_failure(process_context(), job_kind_of(job.id), key, errors)
        super().handle_job_failure(
            job, queue, started_job_registry, traceback_text(errors) if error else exc_string
        )

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Perform the job, then those that the worker sends; called in the work-horse. See `Worker.perform_job`.

        Ends after a job that failed, after some jobs, and when the process has grown.
        """
        assert self._lines is not None
        ours, line = self._lines
        ours.close()
        worker_pid, most_memory = os.getppid(), _memory() + self.most_growth
        # One that was forked before the models were loaded would load its own and keep them.
        left = MOST_JOBS if self.preload is None else 1
        while True:
            with process_context().app.app_context():
                done = bool(super().perform_job(job, queue))
            left -= 1
            goes_on = done and left > 0 and _memory() <= most_memory
            order = next_order(line, worker_pid) if goes_on else None
            if order is None:
                return done
            job, queue = self._ordered(order)

    def _ordered(self, order: Order) -> tuple[Job, Queue]:
        """Return the job and its queue. Raises an error if it is gone, or is not what the worker checked."""
        job = self.job_class.fetch(order.job_id, self.connection, self.serializer)
        why = job_refusal(job, self._runnable)
        if why is not None:
            raise ValueError(why)
        self.execution = Execution(order.execution_id, job.id, self.connection, self.name)
        return job, next(queue for queue in self.queues if queue.name == order.queue_name)


def _memory() -> int:
    """Return the bytes of memory of this process."""
    return int(psutil.Process().memory_info().rss)


def main(*without: str) -> None:
    """Work until SIGINT or SIGTERM, or until this process has grown; the current job is finished first.

    `without`: the names of queues that are left to other workers.
    """
    settings = get_settings()
    configure_logging(settings)
    warn_of_ignored_settings(settings)
    context = process_context()
    bound_process()
    warn_of_missing_protections()
    with suppress(SQLAlchemyError):
        renew_embeddings(context)
    queues = open_queues(context.redis, without)
    worker = AppWorker(queues, connection=context.redis, work_horse_killed_handler=_release)

    def preload() -> None:
        preload_jobs(settings)
        worker.most_growth = settings.worker_growth_mb << 20
        worker.most_memory = _memory() + worker.most_growth

    worker.preload = preload
    if not any(queue.count for queue in queues):
        worker.load()
    try:
        worker.work(with_scheduler=True, logging_level="WARNING")
    finally:
        context.close()


def _release(_job: object, pid: int, _status: int, _usage: object) -> None:
    """Release the leases of a killed work-horse; the queue's retry or the reconciler continues its work."""
    try:
        release_dead(process_context(), pid)
    except SQLAlchemyError as error:
        # The leases expire anyway, so this error need not end the worker.
        log.warning("leases_not_released", kind=type(error).__name__)


if __name__ == "__main__":
    main(*sys.argv[1:])
