"""A job that tells what it runs in."""

from __future__ import annotations

from redis import Redis
from rq import get_current_job
from sqlalchemy import text

from core.database import db

TOLD_KEY = "told_by_job"


def tell_backend(_id: str) -> None:
    """Write the number of the database's process that the job talks to; fails outside an app context."""
    job = get_current_job()
    assert job is not None
    redis: Redis = job.connection
    with db.engine.connect() as connection:
        redis.set(TOLD_KEY, int(connection.scalar(text("select pg_backend_pid()"))))
