"""Another attempt where it may be answered, after as long as the other side asked for."""

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

from core.http_retry import may_pass, seconds_to_wait
from research.sources.base import SourceError, SourceRefusedError, SourceUnavailableError

T = TypeVar("T")


@dataclass(frozen=True)
class Attempts:
    """How often something is tried and how long all of it may take."""

    most: int
    #: Seconds for all attempts and the waits between; a longer Retry-After is left to whoever runs the report.
    patience: float
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __call__(self, action: Callable[[], T]) -> T:
        """What `action` returns. Raises what it raised last, a SourceError."""
        retrying = Retrying(
            retry=retry_if_exception_type(SourceUnavailableError),
            stop=stop_after_attempt(self.most) | stop_before_delay(self.patience),
            wait=_wait,
            sleep=self.sleep,
            reraise=True,
        )
        return retrying(action)


def refusal(name: str, status: int, retry_after: str | None) -> SourceError:
    """The typed error for a status that carries no answer; nothing of the body travels along."""
    detail = f"{name}: http_{status}"
    if may_pass(status):
        return SourceUnavailableError(detail, retry_after=seconds_to_wait(retry_after))
    return SourceRefusedError(detail)


_backoff = wait_exponential_jitter(multiplier=0.5, max=8.0, jitter=0.5)


def _wait(state: RetryCallState) -> float:
    """As long as was asked for, else an exponential pause with jitter."""
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.retry_after if isinstance(failure, SourceUnavailableError) else None
    return asked if asked is not None else _backoff(state)
