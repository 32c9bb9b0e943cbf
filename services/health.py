"""Health check of the database, the queue and the workers."""

from __future__ import annotations

from typing import Any

from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.queue import worker_count
from services.context import Context


def health(context: Context) -> dict[str, Any]:
    """{"status": "ok" | "degraded", "database": …, "queue": …, "workers": n}; degraded also if no worker runs."""
    database = _database(context)
    queue, workers = _queue(context)
    well = database == queue == "ok" and workers > 0
    return {"status": "ok" if well else "degraded", "database": database, "queue": queue, "workers": workers}


def living_workers(context: Context) -> int:
    """Return the number of workers that are alive; 0 where the queue does not answer."""
    return _queue(context)[1]


def _database(context: Context) -> str:
    try:
        with context.database.session() as session:
            session.execute(text("select 1"))
    except SQLAlchemyError:
        return "down"
    return "ok"


def _queue(context: Context) -> tuple[str, int]:
    try:
        return "ok", worker_count(context.redis)
    except RedisError:
        return "down", 0
