"""How often one host is asked: a token bucket for each, of this process alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

#: Requests that may follow each other at once after a silence.
BURST = 3


class Pace:
    """Waits as long as a host needs; safe among threads.

    Several processes each keep their own count: providers that count by key answer 429, and `hold` obeys.
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
        #: By host: when the next request is due if all come evenly (the generic cell rate algorithm).
        self._due: dict[str, float] = {}
        #: By host: before this moment nothing is asked.
        self._held: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Return when this host may be asked; the turn is taken."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._due.get(host, now) - self._slack, self._held.get(host, now))
            self._due[host] = max(self._due.get(host, turn), turn) + self._interval
        if turn > now:
            self._sleep(turn - now)

    def hold(self, host: str, seconds: float) -> None:
        """Ask nothing of this host for so long."""
        with self._lock:
            self._held[host] = max(self._held.get(host, 0.0), self._clock() + seconds)
