"""Jobs and callbacks that tell of themselves."""

from __future__ import annotations

import os

from redis import Redis
from rq import get_current_job
from rq.job import Job
from sqlalchemy import text

from core.database import db

TOLD_KEY = "told_by_job"
PROCESSES_KEY = "processes_of_jobs"
CALLED_KEY = "told_by_callback"


def tell_backend(_id: str) -> None:
    """Write the number of the database's process that the job talks to; fails outside an app context."""
    job = get_current_job()
    assert job is not None
    redis: Redis = job.connection
    with db.engine.connect() as connection:
        redis.set(TOLD_KEY, int(connection.scalar(text("select pg_backend_pid()"))))


def tell_process(_id: str) -> None:
    """Write the number of the process that does the job."""
    job = get_current_job()
    assert job is not None
    job.connection.rpush(PROCESSES_KEY, os.getpid())


def tell_called(job: Job, redis: Redis, *_rest: object) -> None:
    """A callback: write that it was called."""
    redis.rpush(CALLED_KEY, job.id)


def fail(_id: str) -> None:
    """Raise, so that a callback for failures has its turn."""
    raise RuntimeError
