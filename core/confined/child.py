"""The side of one child that asks: its start, its calls, its end."""

from __future__ import annotations

import os
import pickle
import signal
import socket
from collections.abc import Callable
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


class Child:
    """A child process, used by one thread at a time."""

    def __init__(self, line: socket.socket, told: int, limits: Limits) -> None:
        self._line = line
        #: Read end of the pipe that is told how the child ended.
        self._told = told
        self.limits = limits
        #: Number of calls that it has answered.
        self.calls = 0
        #: What the last user left in it, to be found by identity.
        self.holds: object = None
        #: When it will have rested for as long as it has worked on that, by the monotonic clock.
        self.rested_at = 0.0

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float | None = None) -> Any:
        """Return what the function returns there. It and what it is given are pickled.

        A large argument is best a `pickle.PickleBuffer`, which is sent as it is: the function gets a memoryview.

        Raises the function's own AppError; TooCostlyError where a limit is exceeded, DamagedDocumentError where it
        raises anything else or the child crashes. After any error of the child's own the child has ended.
        """
        allowed = seconds or self.limits.seconds
        try:
            reply = self._ask(Call(function, arguments, allowed))
        except TimeoutError:
            self.close()
            raise self._too_long() from None
        except OSError:
            reply = None
        except BaseException:
            # Interrupted in the middle of a reply: what comes next on the line would be taken for another's.
            self.close()
            raise
        if reply is None:
            raise self._why()
        self.calls += 1
        if isinstance(reply, Refusal):
            raise reply.error
        if isinstance(reply, Failure):
            log.warning("parser_failed", function=function.__qualname__, kind=reply.kind, frames=reply.frames)
            raise DamagedDocumentError(f"the parser failed: {reply.kind}")
        return reply.result

    def _ask(self, call: Call) -> Reply | None:
        self._line.settimeout(call.seconds + _GRACE)
        large: list[pickle.PickleBuffer] = []
        asked = pickle.dumps(call, protocol=5, buffer_callback=large.append)
        send(self._line, asked, *(buffer.raw() for buffer in large))
        try:
            answered = receive(self._line, self.limits.output_bytes + _ENVELOPE)
            if answered is None:
                return None
            if len(answered) != 1:
                raise NotPlainError(f"{len(answered)} parts")
            return unpack(answered[0])
        except (NotPlainError, TooLongError) as exc:
            self.close()
            log.error("reply_refused", what=str(exc))
            raise DamagedDocumentError("the parser answered something else") from exc

    def _why(self) -> TooCostlyError | DamagedDocumentError:
        """The error of a child that has ended in the middle of a call."""
        ended = _status(self._told)
        self.close()
        if ended in (-signal.SIGALRM, -signal.SIGXCPU):
            return self._too_long()
        if ended == -signal.SIGKILL:
            # Nobody here ends a child that still answers: the system was out of memory.
            return too_much_memory(self.limits)
        log.warning("parser_crashed", status=ended)
        return DamagedDocumentError(f"the parser crashed: {ended}")

    def _too_long(self) -> TooCostlyError:
        return TooCostlyError(Cost.TIME, seconds=round(self.limits.seconds))

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


def _status(told: int) -> int | None:
    """Wait for the end of a child; its exit code, negative for a signal, None where the nursery is gone."""
    status = os.read(told, STATUS.size)
    return os.waitstatus_to_exitcode(STATUS.unpack(status)[0]) if len(status) == STATUS.size else None
