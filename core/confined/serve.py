"""A child process: it locks itself in and answers calls. The messages between it and its parent."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from core.confined.isolation import Jail, has_own_id
from core.confined.limits import ConfinedLimits, address_space, allowed, impose, more_memory, open_own_size
from core.confined.replies import TOLD, CallResult, Refusal, call_failure, pack
from core.error_codes import Cost
from core.errors import TooCostlyError

_MEGABYTE = 1 << 20
#: F_SETSIG of fcntl(2); elsewhere the signal is SIGIO, which ends a process that does not handle it.
_SET_SIGNAL = 10
#: Innermost frames reported of a failure: a recursion without end has a thousand.
_FRAMES = 20
#: The last part of a reply of a child that has kept too much memory to be called again; empty for any other.
FULL = b"full"
#: A child has kept too much when this share of its memory, without what it began with, is still in use.
_FULL_SHARE = 1 / 3
#: Whether this process is a child; a list, so that all importers see the change.
_child: list[ConfinedLimits] = []


class Call(NamedTuple):
    """One call. It comes from the process that the child works for, and is trusted."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    #: Most memory beyond what the child has already; None: the child's own limit.
    memory_bytes: int | None = None


def is_child() -> bool:
    """Whether this process is a child of the nursery."""
    return bool(_child)


def serve_calls(line: socket.socket, end_pipe: int, limits: ConfinedLimits, jail: Jail) -> None:
    """Answer calls until the other side is gone. It learns from the pipe `end_pipe` how this process ended."""
    _child.append(limits)
    open_own_size()
    _end_with_reader(end_pipe)
    jail.lock()
    impose(limits, has_own_id())
    at_first = address_space()
    while (asked := receive(line)) is not None:
        reply = _answer(asked, limits)
        size = sum(map(len, reply))
        is_full = address_space() - size - at_first > _FULL_SHARE * (limits.memory_bytes - at_first)
        send_message(line, *reply, FULL if is_full else b"")
        del reply


def _end_with_reader(pipe: int) -> None:
    """Have the system end this process when the pipe has no reader left: nobody waits for an answer then.

    It sends a signal (fcntl(2), O_ASYNC) that cannot be handled; the nursery has the pipe open too, so closing
    it here changes nothing. The socket would not do: the same signal announces messages, and may come late, when
    the message has been read already.
    """
    if sys.platform.startswith("linux"):
        fcntl.fcntl(pipe, _SET_SIGNAL, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def too_much_memory(memory_bytes: int) -> TooCostlyError:
    """The error of a file that takes more memory than it may."""
    return TooCostlyError(Cost.MEMORY, megabytes=memory_bytes // _MEGABYTE)


def _answer(asked: list[bytearray], limits: ConfinedLimits) -> tuple[bytes, ...]:
    memory = limits.memory_bytes
    try:
        # From the process that the child works for.
        call: Call = pickle.loads(asked[0], buffers=asked[1:])  # nosec B301
        # Large arguments would otherwise stay in memory during the call.
        asked.clear()
        memory = call.memory_bytes or memory
        with allowed(call.seconds), more_memory(call.memory_bytes):
            packed = pack(CallResult(call.function(*call.arguments)))
        if sum(map(len, packed)) > limits.output_bytes:
            return pack(Refusal(TooCostlyError(Cost.OUTPUT, megabytes=limits.output_bytes // _MEGABYTE)))
        return packed
    except TOLD as error:
        return pack(Refusal(error))
    except MemoryError:
        return pack(Refusal(too_much_memory(memory)))
    except Exception as error:  # noqa: BLE001 - whatever a parser raises is reported to the caller
        return pack(call_failure(error, "".join(traceback.format_tb(error.__traceback__, -_FRAMES))))


# Messages between a process and its child: parts of bytes, none of which is copied on its way into the socket.
#
# A message begins with the number of its parts (a byte) and their lengths (eight bytes each, network byte order).


_LENGTH = struct.Struct("!Q")
#: Messages below this size are sent at once.
_SMALL = 1 << 16


def send_message(to: socket.socket, *parts: bytes | memoryview) -> None:
    """Send one message. Raises OSError where the other side is gone."""
    head = bytes([len(parts)]) + b"".join(_LENGTH.pack(len(part)) for part in parts)
    if sum(map(len, parts)) < _SMALL:
        to.sendall(b"".join((head, *parts)))
    else:
        to.sendall(head)
        for part in parts:
            to.sendall(part)


class TooLongError(Exception):
    """A message is longer than allowed."""


def receive(of: socket.socket, most: int | None = None, seconds: float | None = None) -> list[bytearray] | None:
    """Return the parts of the next message, None if the other side is gone.

    `seconds`: for the whole message, however slowly its bytes come.

    Raises OSError, TimeoutError, and TooLongError for more than `most` bytes, none of which is read.
    """
    until = None if seconds is None else time.monotonic() + seconds
    count = _read(of, 1, until)
    packed = count and _read(of, count[0] * _LENGTH.size, until)
    if packed is None:
        return None
    lengths = [length for (length,) in _LENGTH.iter_unpack(packed)]
    if most is not None and sum(lengths) > most:
        raise TooLongError(f"{sum(lengths)} bytes")
    parts: list[bytearray] = []
    for length in lengths:
        if (part := _read(of, length, until)) is None:
            return None
        parts.append(part)
    return parts


def _read(of: socket.socket, size: int, until: float | None) -> bytearray | None:
    read = bytearray(size)
    rest = memoryview(read)
    while rest:
        if until is not None:
            if (left := until - time.monotonic()) <= 0:
                raise TimeoutError
            of.settimeout(left)
        got = of.recv_into(rest)
        if not got:
            return None
        rest = rest[got:]
    return read
