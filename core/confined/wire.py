"""Messages between a process and its child: parts of bytes, none of which is copied on its way into the socket.

A message begins with the number of its parts (a byte) and their lengths (eight bytes each, network byte order).
"""

from __future__ import annotations

import socket
import struct

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


def receive(of: socket.socket) -> list[bytearray] | None:
    """Return the parts of the next message, None where the other side is gone. Raises OSError, TimeoutError."""
    count = _read(of, 1)
    lengths = count and _read(of, count[0] * _LENGTH.size)
    if lengths is None:
        return None
    parts = [_read(of, length) for (length,) in _LENGTH.iter_unpack(lengths)]
    return None if None in parts else [part for part in parts if part is not None]


def _read(of: socket.socket, size: int) -> bytearray | None:
    read = bytearray(size)
    rest = memoryview(read)
    while rest:
        got = of.recv_into(rest)
        if not got:
            return None
        rest = rest[got:]
    return read
