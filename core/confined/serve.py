"""A child: it locks itself in, sets itself limits, and calls what it is asked to until nobody asks any more."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from core.confined.isolation import Jail, has_own_id
from core.confined.limits import Limits, allowed, impose, more_memory, open_own_size
from core.confined.replies import TOLD, Refusal, Value, failure, pack
from core.confined.wire import receive, send
from core.error_codes import Cost
from core.errors import TooCostlyError

_MEGABYTE = 1 << 20
#: F_SETSIG of fcntl(2); elsewhere the signal is SIGIO, which ends a process that does not handle it.
_SET_SIGNAL = 10
#: Innermost frames that are told of a failure: what recurses too deep has a thousand.
_FRAMES = 20
#: Whether this process is a child; a list, so that all importers see the change.
_child: list[Limits] = []


class Call(NamedTuple):
    """What a child is asked to do. It comes from the process that the child works for, and is trusted."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    #: Memory that it may take beside what the child takes already; None for what the child may take.
    memory_bytes: int | None = None


def is_child() -> bool:
    """Whether this process is a child of the nursery."""
    return bool(_child)


def serve(line: socket.socket, told: int, limits: Limits, jail: Jail) -> None:
    """Answer calls until the other side is gone, which reads from the pipe `told` how this process ended."""
    _child.append(limits)
    open_own_size()
    _end_with_reader(told)
    jail.lock()
    impose(limits, has_own_id())
    while (asked := receive(line)) is not None:
        reply = _answer(asked, limits)
        send(line, *reply)
        del reply


def _end_with_reader(pipe: int) -> None:
    """Have the system end this process where nobody is left to read the pipe: nobody waits for an answer then.

    It sends a signal (fcntl(2), O_ASYNC) that cannot be handled; the nursery has the pipe open, too, so that
    closing it here changes nothing. The line would not do: the same signal says that a message has come, and may
    say so late, when it has been read already.
    """
    if sys.platform.startswith("linux"):
        fcntl.fcntl(pipe, _SET_SIGNAL, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def too_much_memory(memory_bytes: int) -> TooCostlyError:
    """The error of a file that takes more memory than it may."""
    return TooCostlyError(Cost.MEMORY, megabytes=memory_bytes // _MEGABYTE)


def _answer(asked: list[bytearray], limits: Limits) -> tuple[bytes, ...]:
    memory = limits.memory_bytes
    try:
        # From the process that the child works for.
        call: Call = pickle.loads(asked[0], buffers=asked[1:])  # nosec B301
        # What is large would stay as long as the call takes.
        asked.clear()
        memory = call.memory_bytes or memory
        with allowed(call.seconds), more_memory(call.memory_bytes):
            packed = pack(Value(call.function(*call.arguments)))
        if sum(map(len, packed)) > limits.output_bytes:
            return pack(Refusal(TooCostlyError(Cost.OUTPUT, megabytes=limits.output_bytes // _MEGABYTE)))
        return packed
    except TOLD as error:
        return pack(Refusal(error))
    except MemoryError:
        return pack(Refusal(too_much_memory(memory)))
    except Exception as error:  # noqa: BLE001 - whatever a parser raises is told to the one who asked
        return pack(failure(error, "".join(traceback.format_tb(error.__traceback__, -_FRAMES))))
