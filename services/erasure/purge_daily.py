"""Purge once a day, by whichever process comes first."""

from __future__ import annotations

from dataclasses import asdict

from core.log import get_logger
from services.context import Context
from services.erasure.purge import purge

log = get_logger(__name__)
_KEY = "second-reader:purged"
#: Less than a day, so that the hour stays about the same.
_SECONDS = 23 * 3600


def purge_once_a_day(context: Context) -> bool:
    """Purge unless it was done within a day; return whether it was done now. Raises RedisError."""
    if not context.redis.set(_KEY, "1", nx=True, ex=_SECONDS):
        return False
    done = purge(context)
    log.info("purged", **asdict(done))
    return True
