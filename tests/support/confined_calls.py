"""What tests of `core.confined` have children do."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import stat
import time
from collections.abc import Callable
from contextlib import suppress

from core.confined.children import confined
from core.confined.nursery import STATUS
from core.confined.serve import is_child
from core.error_codes import Cost
from core.errors import EmptyDocumentError, LeaseLostError, TooCostlyError


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


_kept: list[bytearray] = []


@confined
def keeping(megabytes: int) -> int:
    """Keeps that much for good, as a parser does whose library lets go of nothing."""
    _kept.append(bytearray(megabytes << 20))
    return os.getpid()


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
        raise EmptyDocumentError("nothing here")
    if kind == "of others":
        raise LeaseLostError("the words of a child")
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


def telling_of_an_end(status: int) -> None:
    """Say oneself how one ended, and end."""
    for descriptor in range(3, 64):
        with suppress(OSError):
            os.write(descriptor, STATUS.pack(status) if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else b"")
    os._exit(0)


def refused_of_standard_descriptors() -> dict[str, str]:
    """What reading and moving in descriptors 0, 1 and 2, and in copies of them, comes to."""
    tries: dict[str, Callable[[int], object]] = {
        "read": lambda one: os.read(one, 1),
        "read anew": lambda one: os.read(os.dup(one), 1),
        "receive": lambda one: socket.socket(fileno=os.dup(one)).recv(1),
        "move": lambda one: os.lseek(one, 0, os.SEEK_SET),
        "map": lambda one: mmap.mmap(one, 1, prot=mmap.PROT_READ),
    }
    return {f"{what} {one}": _outcome(act, one) for one in range(3) for what, act in tries.items()}


def _outcome(act: Callable[[int], object], one: int) -> str:
    try:
        return f"done: {act(one)!r}"
    except (OSError, ValueError) as error:
        return type(error).__name__


@confined
def saying(text: str) -> None:
    os.write(1, text.encode())
    os.write(2, text.encode())


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
