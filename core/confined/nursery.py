"""The nursery: a process that has imported the parsers and forks a child for each request.

    python -m core.confined.nursery DESCRIPTOR

`DESCRIPTOR` is a datagram socket, shared by all processes that may ask. A request is JSON, {"module": …, "limits":
[…]}, and brings two descriptors: the socket that the child will serve, and a pipe for reporting how the child
ended. The nursery parses nothing itself, so what it forks has seen no file. It ends when no process is left that
could send a request.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import selectors
import signal
import socket
import struct
import sys

from core.confined.isolation import Jail
from core.confined.limits import ConfinedLimits, kept_for_good, return_large_blocks
from core.confined.serve import serve_calls

#: How a child ended, as the pipe reports it: its status by wait(2).
STATUS = struct.Struct("!i")
#: Descriptors of the standard output and the standard error.
_OUTPUT, _ERRORS = 1, 2
#: A request is never longer.
_LONGEST = 4096


class Nursery:
    """The living children and the state of this process."""

    def __init__(self, asked: socket.socket, woken: socket.socket) -> None:
        self._asked, self._woken = asked, woken
        #: By a child's process id: the pipe on which its end is reported.
        self._ends: dict[int, int] = {}
        self._jail = Jail()
        #: Forwards the output of children: a terminal or log of their own they could also read.
        self._written, self._output = os.pipe()
        os.set_blocking(self._written, False)

    def run(self) -> None:
        """Serve requests until nobody can ask any more."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._asked, selectors.EVENT_READ)
            ready.register(self._woken, selectors.EVENT_READ)
            ready.register(self._written, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    # A read that finds nothing must not end the nursery.
                    with contextlib.suppress(BlockingIOError):
                        if key.fileobj is self._woken:
                            self._woken.recv(512)
                            self._bury()
                        elif key.fileobj == self._written:
                            self._hand_on()
                        elif not self._take_request():
                            self._hand_on()
                            return

    def _take_request(self) -> bool:
        asked, descriptors, _, _ = socket.recv_fds(self._asked, _LONGEST, 2, socket.MSG_DONTWAIT)
        if not asked:
            return False
        request = json.loads(asked)
        served, end_pipe = descriptors
        # A child may have filled the pipe; do not wait for it.
        os.set_blocking(end_pipe, False)
        _import(request["module"])
        if (child := os.fork()) == 0:
            self._become_child(served, end_pipe, ConfinedLimits(*request["limits"]))
        os.close(served)
        self._ends[child] = end_pipe
        return True

    def _hand_on(self) -> None:
        """Forward the output of children to standard error; drop it if that would block."""
        waiting = select.poll()
        waiting.register(_ERRORS, select.POLLOUT)
        with contextlib.suppress(OSError):
            written = os.read(self._written, select.PIPE_BUF)
            if waiting.poll(0):
                os.write(_ERRORS, written)

    def _become_child(self, served: int, end_pipe: int, limits: ConfinedLimits) -> None:
        """Serve calls as a child, then exit. Never returns."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for standard in (_OUTPUT, _ERRORS):
                os.dup2(self._output, standard)
            _close_all_but(served, end_pipe, *self._jail.descriptors())
            with socket.socket(fileno=served) as line:
                serve_calls(line, end_pipe, limits, self._jail)
        finally:
            os._exit(0)

    def _bury(self) -> None:
        """Collect ended children, and report each to whoever waits for it."""
        while self._ends:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            end_pipe = self._ends.pop(child)
            try:
                os.write(end_pipe, STATUS.pack(status))
            except (BrokenPipeError, BlockingIOError):
                pass
            finally:
                os.close(end_pipe)


def _close_all_but(*kept: int) -> None:
    """Close all descriptors of this process except the standard ones and these."""
    first = 3
    for one in sorted(kept):
        os.closerange(first, one)
        first = one + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _import(module: str) -> None:
    """Import a parser, so that this child and all later ones have it."""
    if module not in sys.modules:
        # The child reports a failed import itself.
        with kept_for_good(), contextlib.suppress(ImportError):
            importlib.import_module(module)


def main() -> None:
    """Run the nursery on the socket that the command line names."""
    return_large_blocks()
    asked = socket.socket(fileno=int(sys.argv[1]))
    woken, wakes = socket.socketpair()
    for end in (woken, wakes):
        end.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # Ctrl-C and `kill` of the whole group are for those who ask: this process ends after them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    Nursery(asked, woken).run()


if __name__ == "__main__":
    main()
