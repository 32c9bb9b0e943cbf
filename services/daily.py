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
#: Until work that did not come to its end is tried again.
_TRYING = 3600


class Numbers(Protocol):
    """A dataclass of what was done."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def once_a_day(context: Context, name: str, do: Callable[[Context], Numbers]) -> bool:
    """Do the work unless it was done within a day; return whether it was done now.

    Raises RedisError, and what the work raises; after that, and where the process dies, an hour passes before the
    work is tried again.
    `name` is the event that the log gets with the numbers that the work returns; works are told apart by it.
    """
    key = f"second-reader:{name}"
    if not context.redis.set(key, "1", nx=True, ex=_TRYING):
        return False
    done = do(context)
    context.redis.set(key, "1", ex=_SECONDS)
    log.info(name, **asdict(done))
    return True
