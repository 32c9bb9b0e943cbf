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


def health(context: Context) -> dict[str, Any]:
    """{"status": "ok" | "degraded", "database": …, "queue": …, "workers": n}; degraded also if no worker runs."""
    database = _database_ready(context)
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


#: The file that a try writes, and removes.
_PROBE = "probe/ready"


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
    return {part: attempt(context) for part, attempt in _TRIES.items()}


def all_parts_ready(found: Mapping[SystemPart, PartState]) -> bool:
    """Whether all parts work."""
    return all(state is PartState.OK for state in found.values())


def _database_ready(context: Context) -> PartState:
    try:
        with context.database.session() as session:
            session.execute(text("select 1"))
    except SQLAlchemyError:
        return PartState.DOWN
    return PartState.OK


def _migrations(context: Context) -> PartState:
    try:
        with context.database.session() as session:
            return PartState.BEHIND if pending(session) else PartState.OK
    except SQLAlchemyError:
        return PartState.UNKNOWN


def _queue_ready(context: Context) -> PartState:
    try:
        context.redis.ping()
    except RedisError:
        return PartState.DOWN
    return PartState.OK


def _store(context: Context) -> PartState:
    try:
        context.store.put(_PROBE, b"ready")
        context.store.delete(_PROBE)
    except AppError:
        return PartState.DOWN
    return PartState.OK


_TRIES: Mapping[SystemPart, Callable[[Context], PartState]] = {
    SystemPart.DATABASE: _database_ready,
    SystemPart.MIGRATIONS: _migrations,
    SystemPart.QUEUE: _queue_ready,
    SystemPart.STORE: _store,
}
