"""One worker process: `python -m jobs.worker`. It loads the OCR models and forks a work-horse for each job."""

from __future__ import annotations

from rq import Queue, Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from sqlalchemy.exc import SQLAlchemyError

from core.config import get_settings
from core.confined.children import ready
from core.llm import warn_of_ignored_settings
from core.log import configure_logging, get_logger
from core.queue import open_queues
from jobs.process_context import process_context
from pipeline.mupdf.file import PARSER
from pipeline.preload import preload
from services.recovery.release_dead import release_dead

log = get_logger(__name__)

#: Interval in seconds at which RQ looks for jobs of dead workers.
_MAINTENANCE = 60


class AppWorker(Worker):  # type: ignore[misc]
    """Worker that performs each job in a separate app context."""

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork the work-horse, which shares this process's nursery. See `Worker.fork_work_horse`."""
        ready(PARSER)
        super().fork_work_horse(job, queue)

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Perform the job in an app context; called in the work-horse. See `Worker.perform_job`."""
        with process_context().app.app_context():
            return bool(super().perform_job(job, queue))


def main() -> None:
    """Work until SIGINT or SIGTERM; the current job is finished first."""
    settings = get_settings()
    configure_logging(settings)
    warn_of_ignored_settings(settings)
    context = process_context()
    preload(settings)
    worker = AppWorker(
        open_queues(context.redis),
        connection=context.redis,
        serializer=JSONSerializer,
        maintenance_interval=_MAINTENANCE,
        log_job_description=False,
        work_horse_killed_handler=_release,
    )
    try:
        worker.work(with_scheduler=True, logging_level="WARNING")
    finally:
        context.close()


def _release(_job: object, pid: int, _status: int, _usage: object) -> None:
    """Release the leases of a killed work-horse; the queue's retry or the reconciler continues its work."""
    try:
        release_dead(process_context(), pid)
    except SQLAlchemyError as error:
        # The leases expire anyway, so that this error need not end the worker.
        log.warning("leases_not_released", kind=type(error).__name__)


if __name__ == "__main__":
    main()
