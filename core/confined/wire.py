"""Messages between a process and its child: a length of eight bytes (network byte order), then so many bytes."""

from __future__ import annotations

import socket
import struct

_LENGTH = struct.Struct("!Q")


def send(to: socket.socket, message: bytes) -> None:
    """Send one message. Raises OSError where the other side is gone."""
    if len(message) < 1 << 16:
        to.sendall(_LENGTH.pack(len(message)) + message)
    else:
        to.sendall(_LENGTH.pack(len(message)))
        to.sendall(message)


def receive(of: socket.socket) -> bytearray | None:
    """Return the next message, None where the other side is gone. Raises OSError, TimeoutError."""
    head = _read(of, _LENGTH.size)
    return None if head is None else _read(of, _LENGTH.unpack(head)[0])


def _read(of: socket.socket, size: int) -> bytearray | None:
    read = bytearray(size)
    rest = memoryview(read)
    while rest:
        got = of.recv_into(rest)
        if not got:
            return None
        rest = rest[got:]
    return read
