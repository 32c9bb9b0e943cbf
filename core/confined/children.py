"""Start, call and end the child processes of this process."""

from __future__ import annotations

import functools
import json
import math
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar, cast

from core.config import PYTHON_VARIABLES, ROOT, inherited
from core.confined.isolation import Protection, held
from core.confined.limits import ConfinedLimits
from core.confined.nursery import STATUS
from core.confined.replies import CallFailure, NotPlainError, Refusal, Reply, unpack
from core.confined.serve import FULL, Call, TooLongError, is_child, receive, send_message, too_much_memory
from core.embedded.process import plain_environment
from core.error_codes import Cost
from core.errors import DamagedDocumentError, TooCostlyError
from core.tracing.log import get_logger

log = get_logger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")
#: Calls after which a child is discarded, with whatever a parser has leaked or corrupted in it.
_CALLS = 2000
#: Age, in multiples of a call's seconds, at which a child is discarded: its total CPU time is limited.
_AGE = 10
#: Idle children kept for later calls.
_KEPT = 2


class _Children:
    """The idle children of this process and its nursery, which a forked process shares."""

    def __init__(self) -> None:
        self.limits = ConfinedLimits()
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        #: Children that serve a call; a forked process closes its copies of their sockets.
        self._busy: set[Child] = set()
        self._nursery: socket.socket | None = None
        #: The nursery's process if this process started it.
        self._started: subprocess.Popen[bytes] | None = None

    def take(self, module: str, held: object) -> Child:
        """Return an idle child, preferably one that holds this object, else a new one with the module imported."""
        with self._lock:
            for child in sorted(self._idle, key=lambda child: held is None or child.holds is not held):
                self._idle.remove(child)
                self._busy.add(child)
                return child
            child = self._new(module)
            self._busy.add(child)
            return child

    def give_back(self, child: Child) -> None:
        """Keep a child for the next call, unless it has ended, served for long, or is full."""
        with self._lock:
            self._busy.discard(child)
            if child.ended or child.full or _has_served_long(child) or len(self._idle) >= _KEPT:
                child.close()
            else:
                self._idle.append(child)

    def limit(self, limits: ConfinedLimits) -> None:
        """Apply these limits to all children from now on."""
        with self._lock:
            if limits != self.limits:
                self.limits = limits
                while self._idle:
                    self._idle.pop().close()

    def ready(self, module: str) -> None:
        """Start the nursery unless it runs, and have it import the module; forked processes share it."""
        with self._lock:
            if self._nursery is None or not _answers(self._nursery):
                self._start()
                self._new(module).close()

    def forget(self) -> None:
        """In a forked process: leave the children to the process that had them."""
        self._lock = threading.Lock()
        for child in (*self._idle, *self._busy):
            child.close()
        self._idle, self._busy = [], set()

    def _new(self, module: str) -> Child:
        ours, line = socket.socketpair()
        end_pipe, end = os.pipe()
        with line:
            try:
                self._request(module, [line.fileno(), end])
            finally:
                os.close(end)
        return Child(ours, end_pipe, self.limits)

    def _request(self, module: str, descriptors: list[int]) -> None:
        asked = json.dumps({"module": module, "limits": self.limits}).encode()
        if self._nursery is not None:
            try:
                socket.send_fds(self._nursery, [asked], descriptors)
                return
            except OSError:
                self._nursery.close()
        socket.send_fds(self._start(), [asked], descriptors)

    def _start(self) -> socket.socket:
        """Start a nursery; returns the socket on which it is asked."""
        if self._started is not None:
            self._started.poll()
        self._nursery, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._started = subprocess.Popen(
                # It writes no bytecode if this process writes none.
                [
                    sys.executable,
                    *(["-B"] if sys.dont_write_bytecode else []),
                    "-m",
                    "core.confined.nursery",
                    str(theirs.fileno()),
                ],
                cwd=ROOT,
                env=plain_environment()
                | inherited(*PYTHON_VARIABLES)
                | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        return self._nursery


def _has_served_long(child: Child) -> bool:
    return child.calls >= _CALLS or time.monotonic() - child.begun >= _AGE * child.limits.seconds


def _answers(nursery: socket.socket) -> bool:
    """Whether the nursery still has its end of the socket."""
    try:
        return nursery.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


_children = _Children()
os.register_at_fork(after_in_child=_children.forget)


def use_limits(limits: ConfinedLimits) -> None:
    """Set the limits of children of this process from now on."""
    _children.limit(limits)


def ready(module: str) -> None:
    """Start the nursery of this process unless it runs, which imports the module meanwhile.

    A process that forks others calls it first, so that they share the nursery.
    """
    _children.ready(module)


def missing_protections() -> list[Protection]:
    """Ask a child which protections this system does not offer, and return them."""
    with one_child(held.__module__) as child:
        holds = child.call(held)
    return [protection for protection in Protection if protection not in holds]


def warn_of_missing_protections() -> None:
    """Log the protections that children lack, if any."""
    if missing := missing_protections():
        log.warning("parsers_unprotected", missing=[str(one) for one in missing])


@contextmanager
def one_child(module: str, held: object = None) -> Iterator[Child]:
    """Yield a child for calls of functions of `module`. An error of the child itself ends it.

    An idle child whose `holds` is `held` is preferred.
    """
    child = _children.take(module, held)
    try:
        yield child
    finally:
        _children.give_back(child)


def confined(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Run all calls of a module-level function in a child; within a child they run directly.

    Arguments are pickled; results are plain data, see `core.confined.replies`. Raises what `Child.call` raises.
    Iterators and open files cannot be passed.
    """

    @functools.wraps(function)
    def in_child(*arguments: _P.args, **named: _P.kwargs) -> _T:
        if is_child():
            return function(*arguments, **named)
        with one_child(function.__module__) as child:
            return cast(_T, child.call(_with_names, in_child, arguments, named))

    return in_child


def _with_names(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return function(*arguments, **named)


# The parent's side of one child: its start, its calls, its end.


#: Bytes by which an answer may exceed the limit of a child's output, so that an error always fits.
_ENVELOPE = 1 << 20
#: Seconds after which a child that the system should have ended is ended from here.
_GRACE = 10.0
#: Least seconds of a budget for another call: a timer of zero would never fire.
_LEAST = 0.01


class TimeBudget:
    """Seconds that calls may take together, and how many of them are used."""

    def __init__(self, seconds: float, used: float = 0.0) -> None:
        self.seconds, self.used = seconds, used

    def left(self) -> float:
        """Raises TooCostlyError where all are used."""
        if (left := self.seconds - self.used) < _LEAST:
            raise _took_longer(self.seconds)
        return left


_budget: ContextVar[TimeBudget | None] = ContextVar("budget", default=None)


@contextmanager
def within(seconds: float, used: float = 0.0) -> Iterator[TimeBudget]:
    """Limit all calls of children in the block to `seconds` in total, of which `used` are spent already.

    Any further call raises TooCostlyError. The time between calls, this program's own work, does not count.
    """
    token = _budget.set(budget := TimeBudget(seconds, used))
    try:
        yield budget
    finally:
        _budget.reset(token)


class Child:
    """A child process, used by one thread at a time."""

    def __init__(self, line: socket.socket, end_pipe: int, limits: ConfinedLimits) -> None:
        self._line = line
        #: Read end of the pipe on which the nursery reports how the child ended.
        self._end_pipe = end_pipe
        self.limits = limits
        #: When it began, by the monotonic clock, and the number of calls that it has answered.
        self.begun = time.monotonic()
        self.calls = 0
        #: The object that the last caller left in it; found by identity.
        self.holds: object = None
        #: Whether memory kept from its calls leaves too little for others.
        self.full = False

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None = None,
        memory_bytes: int | None = None,
    ) -> Any:
        """Call the function in the child and return its result. Function and arguments are pickled.

        A large argument is best a `pickle.PickleBuffer`, which is sent as it is: the function gets a memoryview.
        `seconds` and `memory_bytes` tighten the child's limits; the latter counts beyond what it takes already.

        Raises the function's own AppError; TooCostlyError where a limit is exceeded, DamagedDocumentError where it
        raises anything else or the child crashes. An error of the child itself ends it.
        """
        limit = seconds or self.limits.seconds
        budget = _budget.get() or TimeBudget(math.inf)
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
            # Interrupted within a reply: the rest of it would be taken for the reply to the next call.
            self.close()
            raise
        if reply is None:
            raise self._why(limit)
        self.calls += 1
        if isinstance(reply, Refusal):
            raise reply.error
        if isinstance(reply, CallFailure):
            log.warning("parser_failed", function=call.function.__qualname__, kind=reply.kind, frames=reply.frames)
            raise DamagedDocumentError(f"the parser failed: {reply.kind}")
        return reply.result

    def _ask(self, call: Call) -> Reply | None:
        self._line.settimeout(call.seconds + _GRACE)
        large: list[pickle.PickleBuffer] = []
        asked = pickle.dumps(call, protocol=5, buffer_callback=large.append)
        send_message(self._line, asked, *(buffer.raw() for buffer in large))
        try:
            answered = receive(self._line, self.limits.output_bytes + _ENVELOPE, call.seconds + _GRACE)
            if answered is None:
                return None
            self.full = bool(answered) and answered.pop() == FULL
            return unpack(answered)
        except (NotPlainError, TooLongError) as exc:
            self.close()
            log.error("reply_refused", what=str(exc))
            raise DamagedDocumentError("the parser answered something else") from exc

    def _why(self, limit: float) -> TooCostlyError | DamagedDocumentError:
        """The error of a child that has ended in the middle of a call."""
        try:
            ended = _status(self._end_pipe)
        finally:
            self.close()
        if ended in (-signal.SIGALRM, -signal.SIGXCPU):
            return _took_longer(limit)
        if ended == -signal.SIGKILL:
            # We end no child that still answers, so the system did: it was out of memory.
            return too_much_memory(self.limits.memory_bytes)
        log.warning("parser_crashed", status=ended)
        return DamagedDocumentError(f"the parser crashed: {ended}")

    @property
    def ended(self) -> bool:
        """Whether it takes no more calls."""
        return self._line.fileno() < 0

    def close(self) -> None:
        """Close the child's socket, at which it exits."""
        if not self.ended:
            self._line.close()
            os.close(self._end_pipe)
            self.holds = None


def _took_longer(seconds: float) -> TooCostlyError:
    return TooCostlyError(Cost.TIME, seconds=round(seconds))


def _status(end_pipe: int) -> int | None:
    """Wait for a child's end and return its exit code, negative for a signal.

    None if the nursery is gone, the child has closed its socket and lives on, or the status is not a valid one.
    """
    waiting = select.poll()
    waiting.register(end_pipe, select.POLLIN)
    if not waiting.poll(_GRACE * 1000):
        return None
    status = os.read(end_pipe, STATUS.size)
    if len(status) != STATUS.size:
        return None
    with suppress(ValueError):
        return os.waitstatus_to_exitcode(STATUS.unpack(status)[0])
    return None
