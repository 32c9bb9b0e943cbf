"""Limit the rate of requests per host with a token bucket in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: Requests that may be sent without waiting after an idle period.
BURST = 3


class Pace:
    """A thread-safe rate limiter per host.

    Each process counts separately. A provider that limits by key answers 429, and the caller then calls `hold`.
    """

    def __init__(
        self,
        per_second: float,
        *,
        burst: int = BURST,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 1 / per_second
        self._slack = (burst - 1) * self._interval
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        #: By host: theoretical arrival time of the next request (generic cell rate algorithm).
        self._due: dict[str, float] = {}
        #: By host: the time before which no request is sent.
        self._held: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Block until a request to this host may be sent, and count that request."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._due.get(host, now) - self._slack, self._held.get(host, now))
            self._due[host] = max(self._due.get(host, turn), turn) + self._interval
        if turn > now:
            self._sleep(turn - now)

    def hold(self, host: str, seconds: float) -> None:
        """Send no request to this host for this many seconds."""
        with self._lock:
            self._held[host] = max(self._held.get(host, 0.0), self._clock() + seconds)
