"""Prune once a day, by whichever process comes first."""

from __future__ import annotations

from dataclasses import asdict

from core.log import get_logger
from services.context import Context
from services.pruning.prune import prune

log = get_logger(__name__)
_KEY = "second-reader:pruned"
#: Less than a day, so that the hour stays about the same.
_SECONDS = 23 * 3600


def prune_once_a_day(context: Context) -> bool:
    """Prune unless it was done within a day; return whether it was done now. Raises RedisError."""
    if not context.redis.set(_KEY, "1", nx=True, ex=_SECONDS):
        return False
    log.info("pruned", **asdict(prune(context)))
    return True
