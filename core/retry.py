"""Retry calls of a service, honouring the wait that it asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
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

T = TypeVar("T")


@dataclass(frozen=True)
class Attempts:
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
