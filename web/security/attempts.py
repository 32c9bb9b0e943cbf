"""Rate limits against guessing passwords and codes, shared by all web processes in Redis.

No stranger can use them to keep a person out (ADR 20): attempts at an account are counted for each address by
itself, and those of a browser that has signed in to the account before are counted for that browser alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TypeVar

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
from web.security.known_device import device_of

Answer = TypeVar("Answer")
BY_ADDRESS = parse("30 per 10 minutes")
#: Attempts at one account from one address, or from one known browser.
BY_PAIR = parse("10 per 15 minutes")
#: Attempts at one account from all addresses together; known browsers are exempt.
BY_ACCOUNT = parse("100 per 1 hour")


class Attempts:
    """The counters of failed attempts that apply to the current request. `account` may be empty."""

    def __init__(self, purpose: str, account: str = "") -> None:
        self._purpose, self._account = purpose, account
        known = _keys(purpose, account.strip().lower()[:320])
        self._keys = known if get_settings().rate_limits else []

    def require_some_left(self) -> None:
        """Raise TooManyRequests, with the time to wait, if there were too many recent failures."""
        for limit, key in self._keys:
            reset = _asked(_reset_time, limit, key)
            if reset is not None:
                raise TooManyRequests(retry_after=max(1, round(reset - time.time())))

    def count_failure(self) -> None:
        """Count one failure; the one after which no more are let in is recorded."""
        for limit, key in self._keys:
            if _asked(_last_hit, limit, key):
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


def _keys(purpose: str, account: str) -> list[tuple[RateLimitItem, str]]:
    address = f"{purpose}:{_address()}"
    if not account:
        return [(BY_ADDRESS, address)]
    device = device_of(account)
    if device is not None:
        return [(BY_PAIR, f"{purpose}:device:{device}:{account}")]
    return [
        (BY_ADDRESS, address),
        (BY_PAIR, f"{address}:{account}"),
        (BY_ACCOUNT, f"{purpose}:{account}"),
    ]


def _address() -> str:
    """Return the client's address; of IPv6 the 64 bits that one subscriber has."""
    text = request.remote_addr or ""
    try:
        found = ip_address(text)
    except ValueError:
        return text
    return text if found.version == 4 else str(ip_network((found, 64), strict=False))


def _reset_time(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> float | None:
    """Return when the next attempt is allowed; None if it is now."""
    return None if limiter.test(limit, key) else limiter.get_window_stats(limit, key).reset_time


def _last_hit(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> bool:
    """Count a failure; return whether it is the one after which no more are let in."""
    return limiter.hit(limit, key) and not limiter.test(limit, key)


def _asked(
    ask: Callable[[MovingWindowRateLimiter, RateLimitItem, str], Answer], limit: RateLimitItem, key: str
) -> Answer:
    """Ask the counters in Redis; while it does not answer, those that this process has of its own."""
    try:
        return ask(_in_redis(get_context().redis.connection_pool), limit, key)
    except RedisError:
        return ask(_in_memory(), limit, key)


@lru_cache(maxsize=1)
def _in_memory() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(MemoryStorage())


@lru_cache(maxsize=4)
def _in_redis(pool: ConnectionPool) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(RedisStorage("redis://", connection_pool=pool))
