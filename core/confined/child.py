"""The side of one child that asks: its start, its calls, its end."""

from __future__ import annotations

import math
import os
import pickle
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from core.confined.limits import Limits
from core.confined.nursery import STATUS
from core.confined.replies import Failure, NotPlainError, Refusal, Reply, unpack
from core.confined.serve import Call, too_much_memory
from core.confined.wire import TooLongError, receive, send
from core.error_codes import Cost
from core.errors import DamagedDocumentError, TooCostlyError
from core.log import get_logger

log = get_logger(__name__)
#: Bytes by which an answer may be longer than the output that a child may have: one that says why there is none.
_ENVELOPE = 1 << 20
#: Seconds after which a child that the system should have ended is ended from here.
_GRACE = 10.0
#: With less than this left (seconds) of a budget, no call is made: a timer of no microseconds would never end it.
_LEAST = 0.01


class Budget:
    """Seconds that calls may take together, and how many of them are used."""

    def __init__(self, seconds: float, used: float = 0.0) -> None:
        self.seconds, self.used = seconds, used

    def left(self) -> float:
        """Raises TooCostlyError where all are used."""
        if (left := self.seconds - self.used) < _LEAST:
            raise _took_longer(self.seconds)
        return left


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def within(seconds: float, used: float = 0.0) -> Iterator[Budget]:
    """Have all calls of children in the block take at most so many seconds together, `used` of them before it.

    Any call beyond raises TooCostlyError. Seconds between calls do not count: they are this program's own work.
    """
    token = _budget.set(budget := Budget(seconds, used))
    try:
        yield budget
    finally:
        _budget.reset(token)


class Child:
    """A child process, used by one thread at a time."""

    def __init__(self, line: socket.socket, told: int, limits: Limits) -> None:
        self._line = line
        #: Read end of the pipe that is told how the child ended.
        self._told = told
        self.limits = limits
        #: When it began, by the monotonic clock, and the number of calls that it has answered.
        self.begun = time.monotonic()
        self.calls = 0
        #: What the last user left in it, to be found by identity.
        self.holds: object = None

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = None,
        memory_bytes: int | None = None,
    ) -> Any:
        """Return what the function returns there. It and what it is given are pickled.

        A large argument is best a `pickle.PickleBuffer`, which is sent as it is: the function gets a memoryview.
        `seconds` and `memory_bytes` are for less than the child may take; the latter beside what it takes already.

        Raises the function's own AppError; TooCostlyError where a limit is exceeded, DamagedDocumentError where it
        raises anything else or the child crashes. After any error of the child's own the child has ended.
        """
        limit = seconds or self.limits.seconds
        budget = _budget.get() or Budget(math.inf)
        if (left := budget.left()) < limit:
            limit = budget.seconds
        begun = time.monotonic()
        try:
            return self._called(Call(function, arguments, min(left, limit), memory_bytes), limit)
        finally:
            budget.used += time.monotonic() - begun

    def _called(self, call: Call, limit: float) -> Any:
        try:
            reply = self._ask(call)
        except TimeoutError:
            self.close()
            raise _took_longer(limit) from None
        except OSError:
            reply = None
        except BaseException:
            # Interrupted in the middle of a reply: what comes next on the line would be taken for another's.
            self.close()
            raise
        if reply is None:
            raise self._why(limit)
        self.calls += 1
        if isinstance(reply, Refusal):
            raise reply.error
        if isinstance(reply, Failure):
            log.warning("parser_failed", function=call.function.__qualname__, kind=reply.kind, frames=reply.frames)
            raise DamagedDocumentError(f"the parser failed: {reply.kind}")
        return reply.result

    def _ask(self, call: Call) -> Reply | None:
        self._line.settimeout(call.seconds + _GRACE)
        large: list[pickle.PickleBuffer] = []
        asked = pickle.dumps(call, protocol=5, buffer_callback=large.append)
        send(self._line, asked, *(buffer.raw() for buffer in large))
        try:
            answered = receive(self._line, self.limits.output_bytes + _ENVELOPE, call.seconds + _GRACE)
            return None if answered is None else unpack(answered)
        except (NotPlainError, TooLongError) as exc:
            self.close()
            log.error("reply_refused", what=str(exc))
            raise DamagedDocumentError("the parser answered something else") from exc

    def _why(self, limit: float) -> TooCostlyError | DamagedDocumentError:
        """The error of a child that has ended in the middle of a call."""
        try:
            ended = _status(self._told)
        finally:
            self.close()
        if ended in (-signal.SIGALRM, -signal.SIGXCPU):
            return _took_longer(limit)
        if ended == -signal.SIGKILL:
            # Nobody here ends a child that still answers: the system was out of memory.
            return too_much_memory(self.limits.memory_bytes)
        log.warning("parser_crashed", status=ended)
        return DamagedDocumentError(f"the parser crashed: {ended}")

    @property
    def ended(self) -> bool:
        """Whether it takes no more calls."""
        return self._line.fileno() < 0

    def close(self) -> None:
        """End the child, which ends by itself where nobody is left to ask it."""
        if not self.ended:
            self._line.close()
            os.close(self._told)
            self.holds = None


def _took_longer(seconds: float) -> TooCostlyError:
    return TooCostlyError(Cost.TIME, seconds=round(seconds))


def _status(told: int) -> int | None:
    """Wait for the end of a child; its exit code, negative for a signal.

    None where the nursery is gone, the child has closed its line and lives on, or has told a status that none is.
    """
    waiting = select.poll()
    waiting.register(told, select.POLLIN)
    if not waiting.poll(_GRACE * 1000):
        return None
    status = os.read(told, STATUS.size)
    if len(status) != STATUS.size:
        return None
    with suppress(ValueError):
        return os.waitstatus_to_exitcode(STATUS.unpack(status)[0])
    return None
