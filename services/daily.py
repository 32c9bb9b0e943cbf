"""Work that is done once a day, by whichever process comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, ClassVar, Protocol

from core.log import get_logger
from services.context import Context

log = get_logger(__name__)
#: Less than a day, so that the hour stays about the same.
_SECONDS = 23 * 3600


class Numbers(Protocol):
    """A dataclass of what was done."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def once_a_day(context: Context, name: str, do: Callable[[Context], Numbers]) -> bool:
    """Do the work unless it was done within a day; return whether it was done now. Raises RedisError.

    `name` is the event that the log gets with the numbers that the work returns; works are told apart by it.
    """
    if not context.redis.set(f"second-reader:{name}", "1", nx=True, ex=_SECONDS):
        return False
    done = do(context)
    log.info(name, **asdict(done))
    return True
