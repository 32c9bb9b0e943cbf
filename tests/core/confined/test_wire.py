"""Messages between a process and its child, and answers that no child of ours would send."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from core.confined import children
from core.confined.children import Child
from core.confined.limits import ConfinedLimits
from core.confined.serve import TooLongError, receive, send_message
from core.errors import DamagedDocumentError, TooCostlyError

Line = tuple[socket.socket, socket.socket]


@pytest.fixture
def line() -> Iterator[Line]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.mark.parametrize(
    "parts", [[b""], [b"a"], [b"a", b"", b"bc"], [b"small", bytes(300_000)], [bytes(70_000)] * 3]
)
def test_what_is_sent_is_received(line: Line, parts: list[bytes]) -> None:
    ours, theirs = line
    sender = threading.Thread(target=send_message, args=(ours, *map(memoryview, parts)))
    sender.start()
    assert receive(theirs, sum(map(len, parts))) == parts
    sender.join()


def test_the_other_side_is_gone(line: Line) -> None:
    ours, theirs = line
    ours.sendall(bytes([2]) + struct.pack("!QQ", 1, 5) + b"abc")
    ours.close()
    assert receive(theirs) is None and receive(theirs) is None


def test_nothing_is_read_of_what_is_too_long(line: Line) -> None:
    ours, theirs = line
    ours.sendall(bytes([2]) + struct.pack("!QQ", 1, 1 << 62))
    with pytest.raises(TooLongError):
        receive(theirs, 1 << 20)


@pytest.mark.parametrize(
    "answer",
    [
        bytes([0]),
        bytes([1]) + struct.pack("!Q", 1 << 62),
        bytes([2]) + struct.pack("!QQ", 1, 1) + b"ab",
        b"\x01" + bytes(8),
    ],
    ids=["no part", "endless", "two parts", "empty"],
)
def test_a_child_that_answers_something_else_is_ended(line: Line, answer: bytes) -> None:
    """As one might that a file has taken over."""
    ours, theirs = line
    told, end = os.pipe()
    child = Child(ours, told, ConfinedLimits())
    theirs.sendall(answer)
    with pytest.raises(DamagedDocumentError, match="answered something else"):
        child.call(os.getpid)
    assert child.ended
    os.close(end)


def test_a_reply_that_trickles_ends_with_the_time_of_its_call(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte may come in time; all of them may not take longer than the call."""
    monkeypatch.setattr(children, "_GRACE", 0.2)
    ours, theirs = line
    told, end = os.pipe()
    slow, done = Child(ours, told, ConfinedLimits()), threading.Event()

    def trickle() -> None:
        theirs.sendall(bytes([1]) + struct.pack("!Q", 100_000))
        while not done.wait(0.02):
            theirs.sendall(b"a")

    sender = threading.Thread(target=trickle)
    sender.start()
    # Far longer than the call, and then an end: as if the child were gone.
    timer = threading.Timer(20, done.set)
    timer.start()
    try:
        with pytest.raises(TooCostlyError):
            slow.call(os.getpid, seconds=0.2)
    finally:
        timer.cancel()
        done.set()
        sender.join()
        os.close(end)
