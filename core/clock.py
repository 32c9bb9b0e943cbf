"""The clock, and retries of calls that fail temporarily, over HTTP and otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential_jitter,
)

from core.errors import UnavailableError

# Retry calls of a service, honouring the wait that it asks for.


T = TypeVar("T")


@dataclass(frozen=True)
class AttemptLimits:
    """Limits on the number of attempts and on their total time."""

    most: int
    #: Seconds for all attempts and the waits between; a longer Retry-After is left to the caller.
    patience: float
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __call__(self, action: Callable[[], T]) -> T:
        """Return what `action` returns; repeat it while it raises UnavailableError.

        Raises the error of the last attempt, and any other error at once.
        """
        retrying = Retrying(
            retry=retry_if_exception_type(UnavailableError),
            stop=stop_after_attempt(self.most) | stop_before_delay(self.patience),
            wait=_wait,
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(action)


_backoff = wait_exponential_jitter(multiplier=0.5, max=8.0, jitter=0.5)


def _wait(state: RetryCallState) -> float:
    """Return the seconds that the service asked for, else an exponential pause with jitter."""
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.retry_after if isinstance(failure, UnavailableError) else None
    return asked if asked is not None else _backoff(state)


# Interpret HTTP error responses: whether to retry, and after how many seconds.


#: Statuses worth a retry, besides every status from 500 up.
_PASSING_STATUSES = frozenset({408, 409, 425, 429})


def may_pass(status: int) -> bool:
    """Whether a request that got this status is worth a retry."""
    return status in _PASSING_STATUSES or status >= 500


def seconds_to_wait(header: str | None) -> float | None:
    """Read a Retry-After header (RFC 9110, 10.2.3): seconds, or the date to wait for. None if neither."""
    if header is None:
        return None
    text = header.strip()
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text)
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(http_date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - utcnow()).total_seconds())


# The only module that reads the system clock for dates.


def utcnow() -> datetime:
    """Return the present moment as an aware datetime in UTC."""
    return datetime.now(UTC)
