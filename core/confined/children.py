"""The children of this process: confined calls, several calls of one child, and the nursery that forks them."""

from __future__ import annotations

import functools
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from core.config import ROOT, python_environment
from core.confined.child import Child
from core.confined.isolation import Protection, held
from core.confined.limits import Limits
from core.confined.serve import is_child
from core.embedded.process import plain_environment
from core.log import get_logger

log = get_logger(__name__)
_P = ParamSpec("_P")
_T = TypeVar("_T")
#: Calls after which a child is not kept: what a parser has leaked or corrupted goes with it.
_CALLS = 2000
#: So many times the seconds of a call after which a child is not kept: its life has a limit of the processor.
_AGE = 10
#: Children that are kept for later calls.
_KEPT = 2


class _Children:
    """The idle children of this process and its nursery, which a forked process shares."""

    def __init__(self) -> None:
        self.limits = Limits()
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        #: Children that a call is made of: a forked process closes its copies of their lines.
        self._busy: set[Child] = set()
        self._nursery: socket.socket | None = None
        #: Its process, where this process has started it.
        self._started: subprocess.Popen[bytes] | None = None

    def take(self, module: str, held: object) -> Child:
        """Return an idle child, rather one that holds this object; else a new one that has imported the module."""
        with self._lock:
            for child in sorted(self._idle, key=lambda child: held is None or child.holds is not held):
                self._idle.remove(child)
                self._busy.add(child)
                return child
            child = self._new(module)
            self._busy.add(child)
            return child

    def give_back(self, child: Child) -> None:
        """Keep a child for the next call, unless it has ended or served for long."""
        with self._lock:
            self._busy.discard(child)
            if child.ended or _has_served_long(child) or len(self._idle) >= _KEPT:
                child.close()
            else:
                self._idle.append(child)

    def limit(self, limits: Limits) -> None:
        """Have all children from now on keep to these limits."""
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
        told, end = os.pipe()
        with line:
            try:
                self._request(module, [line.fileno(), end])
            finally:
                os.close(end)
        return Child(ours, told, self.limits)

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
                # Where this process keeps nothing compiled, no more does that one.
                [
                    sys.executable,
                    *(["-B"] if sys.dont_write_bytecode else []),
                    "-m",
                    "core.confined.nursery",
                    str(theirs.fileno()),
                ],
                cwd=ROOT,
                env=plain_environment()
                | python_environment()
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


def use_limits(limits: Limits) -> None:
    """Set the limits of children of this process from now on."""
    _children.limit(limits)


def ready(module: str) -> None:
    """Start the nursery of this process unless it runs, which imports the module meanwhile.

    A process that forks others calls it first, so that they share the nursery.
    """
    _children.ready(module)


def missing_protections() -> list[Protection]:
    """Return what children go without, because this system does not give it; asked of a child."""
    with one_child(held.__module__) as child:
        holds = child.call(held)
    return [protection for protection in Protection if protection not in holds]


def warn_of_missing_protections() -> None:
    """Log what children go without, if anything."""
    if missing := missing_protections():
        log.warning("parsers_unprotected", missing=[str(one) for one in missing])


@contextmanager
def one_child(module: str, held: object = None) -> Iterator[Child]:
    """Yield a child for calls of functions of `module`; after an error of the child itself it has ended.

    Where an idle child's `holds` is `held`, it is that one.
    """
    child = _children.take(module, held)
    try:
        yield child
    finally:
        _children.give_back(child)


def confined(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Have the calls of a function of a module run in a child; within a child they run directly.

    What it is given and returns is pickled; it returns plain data, see `core.confined.replies`. It raises what
    `Child.call` raises. An iterator cannot be passed, nor an open file.
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
