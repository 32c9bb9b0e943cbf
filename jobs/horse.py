"""A work-horse that goes on to the next job: a new one compiles its statements and opens its connections anew."""

from __future__ import annotations

import os
import signal
import socket
import time
from contextlib import suppress
from typing import NamedTuple

from core.confined.serve import receive, send_message

#: Jobs after which a work-horse ends; what a job leaves behind in memory is not kept for longer.
MOST_JOBS = 25
#: Seconds without a job after which it may be dismissed, and between two looks at whether its worker still lives.
IDLE_SECONDS, _LOOK_SECONDS = 10.0, 15.0
_DONE = b"."


class Order(NamedTuple):
    """A job that the queue has given to the worker."""

    job_id: str
    queue_name: str
    execution_id: str


class Horse:
    """A work-horse as its worker has it: the process, and the line on which they talk."""

    def __init__(self, pid: int, line: socket.socket) -> None:
        self.pid, self._line = pid, line
        self._last = time.monotonic()

    @property
    def is_idle(self) -> bool:
        """Whether its last job was done some time ago."""
        return time.monotonic() - self._last > IDLE_SECONDS

    def send(self, order: Order) -> bool:
        """Give it another job; return False if it has ended."""
        try:
            # What `is_done` has seen.
            self._line.recv(1)
            send_message(self._line, *(part.encode() for part in order))
        except OSError:
            return False
        return True

    def is_done(self) -> bool:
        """Wait until its job is done; return False if it has ended instead, or is about to.

        RQ interrupts this with an exception and calls again, so the answer is only looked at: it cannot be lost.
        """
        try:
            done = self._line.recv(1, socket.MSG_PEEK) == _DONE
        except ConnectionError:
            done = False
        self._last = time.monotonic()
        return done

    def close(self) -> None:
        """Close the line."""
        self._line.close()

    def dismiss(self) -> None:
        """End it. It must be without a job."""
        self.close()
        with suppress(ProcessLookupError):
            # With the processes that it started.
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def next_order(line: socket.socket, worker_pid: int) -> Order | None:
    """Called by the work-horse: say that its job is done, and wait for the next; None if the worker is gone."""
    try:
        line.sendall(_DONE)
        while os.getppid() == worker_pid:
            with suppress(TimeoutError):
                parts = receive(line, seconds=_LOOK_SECONDS)
                return None if parts is None else Order(*(part.decode() for part in parts))
    except ConnectionError:
        pass
    return None
