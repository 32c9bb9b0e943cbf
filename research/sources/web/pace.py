"""Limit the rate of requests per host with a token bucket in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: Requests that may be sent without waiting after an idle period.
_BURST = 3


class Pace:
    """A thread-safe rate limiter per host.

    Each process counts separately. A provider that limits by key answers 429, and the caller then calls `hold`.
    """

    def __init__(
        self,
        per_second: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 1 / per_second
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        #: By host: theoretical arrival time of the next request (generic cell rate algorithm).
        self._due: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Block until a request to this host may be sent, and count that request."""
        with self._lock:
            now = self._clock()
            due = max(self._due.get(host, now), now)
            self._due[host] = due + self._interval
        pause = due - (_BURST - 1) * self._interval - now
        if pause > 0:
            self._sleep(pause)

    def hold(self, host: str, seconds: float) -> None:
        """Send no request to this host for this many seconds."""
        with self._lock:
            due = self._clock() + seconds + (_BURST - 1) * self._interval
            self._due[host] = max(self._due.get(host, due), due)
