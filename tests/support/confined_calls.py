"""What tests of `core.confined` have children do."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import time
from contextlib import suppress

from core.confined.children import confined
from core.confined.serve import is_child
from core.error_codes import Cost
from core.errors import NotFoundError, TooCostlyError


@confined
def pid_and_child() -> tuple[int, bool]:
    return os.getpid(), is_child()


@confined
def nested() -> int:
    return pid_and_child()[0]


@confined
def taking(megabytes: int) -> int:
    return taking_here(megabytes)


def taking_here(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


@confined
def resting(seconds: float) -> None:
    time.sleep(seconds)


def kind_and_length(given: object) -> tuple[str, int]:
    assert isinstance(given, memoryview)
    return type(given).__name__, len(given)


@confined
def giving(megabytes: int) -> bytes:
    return bytes(megabytes << 20)


@confined
def raising(kind: str) -> None:
    if kind == "own":
        raise NotFoundError("nothing here")
    if kind == "cost":
        raise TooCostlyError(Cost.FIELDS, limit=7)
    raise LookupError("the words of a child")


@confined
def crashing() -> None:
    ctypes.string_at(8)


@confined
def turning_for_ever() -> None:
    # In one call of C: no handler of Python's own would run.
    pow(3, 10**9)


@confined
def sleeping() -> None:
    time.sleep(3600)


@confined
def holding_out() -> None:
    """Try to live on when nobody waits any more."""
    for number in (signal.SIGIO, signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for descriptor in range(3, 64):
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETFL, 0)
        with suppress(OSError):
            os.close(descriptor)
    time.sleep(3600)


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("true",)


@confined
def returning_a_call() -> object:
    return Evil()


@confined
def connecting(port: int) -> str:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


@confined
def rights() -> tuple[int, bool]:
    return os.geteuid(), "SECRET_OF_THE_TEST" in os.environ


@confined
def written(path: str) -> str:
    try:
        with open(path, "w") as file:  # noqa: PTH123
            file.write("x")
    except OSError as error:
        return type(error).__name__
    return "written"
