"""Whether the site is alive, and whether it is ready to work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.database import pending
from core.errors import AppError
from core.messages import LabelledEnum
from core.queue import worker_count
from services.context import Context

#: The file that a try writes, and removes.
_PROBE = "probe/ready"


def health(context: Context) -> dict[str, Any]:
    """{"status": "ok" | "degraded", "database": …, "queue": …, "workers": n}; degraded also if no worker runs."""
    database = _database(context)
    queue, workers = _queue(context)
    status = "ok" if database == queue == PartState.OK and workers > 0 else "degraded"
    return {"status": status, "database": database.value, "queue": queue.value, "workers": workers}


def living_workers(context: Context) -> int:
    """Return the number of workers that are alive; 0 where the queue does not answer."""
    return _queue(context)[1]


def _queue(context: Context) -> tuple[PartState, int]:
    try:
        return PartState.OK, worker_count(context.redis)
    except RedisError:
        return PartState.DOWN, 0


class SystemPart(LabelledEnum):
    """The parts that an installation needs."""

    DATABASE = "database", "Database"
    MIGRATIONS = "migrations", "Migrations"
    QUEUE = "queue", "Queue"
    STORE = "store", "File store"


class PartState(LabelledEnum):
    """The result of trying a part."""

    OK = "ok", "OK"
    DOWN = "down", "not responding"
    BEHIND = "behind", "behind"
    UNKNOWN = "unknown", "unknown"


def readiness(context: Context) -> dict[SystemPart, PartState]:
    """Try every part."""
    return {
        SystemPart.DATABASE: _database(context),
        SystemPart.MIGRATIONS: _migrations(context),
        SystemPart.QUEUE: _tried(context.redis.ping, RedisError),
        SystemPart.STORE: _tried(lambda: _probe(context), AppError),
    }


def all_parts_ready(found: Mapping[SystemPart, PartState]) -> bool:
    return all(state is PartState.OK for state in found.values())


def _tried(attempt: Callable[[], object], failure: type[Exception]) -> PartState:
    try:
        attempt()
    except failure:
        return PartState.DOWN
    return PartState.OK


def _database(context: Context) -> PartState:
    def select_one() -> None:
        context.database.execute(text("select 1"))

    return _tried(select_one, SQLAlchemyError)


def _migrations(context: Context) -> PartState:
    try:
        with context.database.reading() as session:
            return PartState.BEHIND if pending(session) else PartState.OK
    except SQLAlchemyError:
        return PartState.UNKNOWN


def _probe(context: Context) -> None:
    context.store.put(_PROBE, b"ready")
    context.store.delete(_PROBE)
