"""Whether this installation can do its work: database, migrations, queue and file store, each tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.errors import AppError
from core.labels import LabelledEnum
from core.migrations import pending
from services.context import Context

#: The file that a try writes, and removes.
_PROBE = "probe/ready"


class Part(LabelledEnum):
    """What the product works with."""

    DATABASE = "database", "Database"
    MIGRATIONS = "migrations", "Migrations"
    QUEUE = "queue", "Queue"
    STORE = "store", "File store"


class PartState(LabelledEnum):
    """What a try of a part gave."""

    OK = "ok", "OK"
    DOWN = "down", "not responding"
    BEHIND = "behind", "behind"
    UNKNOWN = "unknown", "unknown"


def readiness(context: Context) -> dict[Part, PartState]:
    """Try every part."""
    return {part: attempt(context) for part, attempt in _TRIES.items()}


def is_ready(found: Mapping[Part, PartState]) -> bool:
    """Whether all parts answer as they should."""
    return all(state is PartState.OK for state in found.values())


def _database(context: Context) -> PartState:
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


def _queue(context: Context) -> PartState:
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


_TRIES: Mapping[Part, Callable[[Context], PartState]] = {
    Part.DATABASE: _database,
    Part.MIGRATIONS: _migrations,
    Part.QUEUE: _queue,
    Part.STORE: _store,
}
