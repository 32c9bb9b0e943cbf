"""Rate limits against guessing passwords: by address and by account, shared by all web processes in Redis."""

from __future__ import annotations

import time
from functools import lru_cache

from flask import request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis import ConnectionPool
from redis.exceptions import RedisError
from werkzeug.exceptions import TooManyRequests

from core.models import SecurityEventKind
from services.accounts.find_person import account_of
from services.accounts.sessions.client import network_of
from services.security_events import record_event
from web.context import get_context, get_settings

BY_ADDRESS = parse("30 per 10 minutes")
BY_ACCOUNT = parse("10 per 15 minutes")


class Attempts:
    """The counters of failed attempts that apply to the current request. `account` may be empty."""

    def __init__(self, purpose: str, account: str = "") -> None:
        self._purpose, self._account = purpose, account
        self._keys: list[tuple[RateLimitItem, str]] = [(BY_ADDRESS, f"{purpose}:{request.remote_addr}")]
        if account:
            self._keys.append((BY_ACCOUNT, f"{purpose}:{account.strip().lower()[:320]}"))

        self._limiter = _limiter() if get_settings().rate_limits else None

    def require_some_left(self) -> None:
        """Raise TooManyRequests, with the time to wait, if there were too many recent failures."""
        if self._limiter is None:
            return
        for limit, key in self._keys:
            if not self._limiter.test(limit, key):
                reset = self._limiter.get_window_stats(limit, key).reset_time
                raise TooManyRequests(retry_after=max(1, round(reset - time.time())))

    def count_failure(self) -> None:
        """Count one failure; the one after which no more are let in is recorded."""
        if self._limiter is None:
            return
        for limit, key in self._keys:
            if self._limiter.hit(limit, key) and not self._limiter.test(limit, key):
                self._record()

    def _record(self) -> None:
        context = get_context()
        with context.database.session() as session:
            record_event(
                session,
                SecurityEventKind.LOCKED_OUT,
                subject_id=account_of(session, self._account),
                network=network_of(request.remote_addr),
                what=self._purpose,
            )


def _limiter() -> MovingWindowRateLimiter:
    redis = get_context().redis
    try:
        redis.ping()
    except RedisError:
        # Sign-in also works while Redis is down; this process then counts on its own.
        return _in_memory()
    return _in_redis(redis.connection_pool)


@lru_cache(maxsize=1)
def _in_memory() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(MemoryStorage())


@lru_cache(maxsize=4)
def _in_redis(pool: ConnectionPool) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(RedisStorage("redis://", connection_pool=pool))
