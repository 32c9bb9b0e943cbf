"""Messages between a process and its child: parts of bytes, none of which is copied on its way into the socket.

A message begins with the number of its parts (a byte) and their lengths (eight bytes each, network byte order).
"""

from __future__ import annotations

import socket
import struct
import time

_LENGTH = struct.Struct("!Q")
#: Messages below this size are sent at once.
_SMALL = 1 << 16


def send(to: socket.socket, *parts: bytes | memoryview) -> None:
    """Send one message. Raises OSError where the other side is gone."""
    head = bytes([len(parts)]) + b"".join(_LENGTH.pack(len(part)) for part in parts)
    if sum(map(len, parts)) < _SMALL:
        to.sendall(b"".join((head, *parts)))
    else:
        to.sendall(head)
        for part in parts:
            to.sendall(part)


class TooLongError(Exception):
    """A message is longer than any that was to be expected."""


def receive(of: socket.socket, most: int | None = None, seconds: float | None = None) -> list[bytearray] | None:
    """Return the parts of the next message, None where the other side is gone.

    `seconds`: for the whole message, however slowly its bytes come.

    Raises OSError, TimeoutError, and TooLongError where it is of more than `most` bytes, of which none is read.
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
