"""Start, check and stop one server. Callers hold the place's lock."""

from __future__ import annotations

import os
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import ClassVar

import psutil

from core.embedded import process
from core.embedded.account import open_own
from core.embedded.place import ServerPaths
from core.embedded.process import is_lock_held, open_lock, try_exclusive
from core.errors import EmbeddedServiceError

#: Seconds of silence after which a living server counts as hanging.
SILENT_SECONDS = 20.0
#: The same for a server that was just started and is still initialising.
START_SECONDS = 60.0
#: The same during recovery after a crash, which reads the log since the last checkpoint and reports so.
RECOVERY_SECONDS = 600.0


class ConnectionResult(Enum):
    READY = "ready"
    NOT_YET = "not yet"
    NONE = "none"


class Server(ABC):
    """Interface of one kind of server: what differs between PostgreSQL and Valkey."""

    name: ClassVar[str]
    #: The beginning of its processes' names.
    program: ClassVar[str]
    #: Signals that end it, each with the seconds to wait before the next; the first one is polite.
    signals: ClassVar[tuple[tuple[signal.Signals, float], ...]]

    def __init__(self, place: ServerPaths) -> None:
        self.place = place

    @abstractmethod
    def prepare(self, log: int) -> list[str]:
        """Create the data folder when missing, remove stale files; return the command that starts the server."""

    @abstractmethod
    def ask(self) -> ConnectionResult:
        """Connect, send a query, and create what has to exist inside the running server."""

    def processes(self) -> list[psutil.Process]:
        """The living processes of this data folder."""
        return process.server_processes(self.place.tag, self.program, self.place.account.uid)


def ensure_running(server: Server) -> bool:
    """Return once the server answers; True when it had to be started.

    Raises EmbeddedServiceError with the tail of its log.
    """
    if is_running(server) and _answers(server, SILENT_SECONDS):
        return False
    end_server(server, politely=False)
    _start(server)
    return True


def end_server(server: Server, *, politely: bool = True) -> None:
    """End every process of the data folder. Waits for a clean shutdown only if `politely`.

    Raises EmbeddedServiceError when the folder is still held by a process that cannot be found here.
    """
    for number, seconds in server.signals[0 if politely else 1 :]:
        if not _is_there(server):
            break
        process.signal_all(server.processes(), number)
        _wait_until_gone(server, seconds)
    else:
        if _is_there(server):
            raise EmbeddedServiceError(
                f"{server.place.data} is in use by a {server.name} server that does not answer and cannot be "
                "ended from here (another container or machine?). End it there and start again."
            )
    shutil.rmtree(server.place.socket_folder(), ignore_errors=True)


@contextmanager
def removal_ends(server: Server) -> Iterator[None]:
    """End the server when its folder is removed before or during the block: it has nothing left to serve."""
    try:
        yield
    except FileNotFoundError:
        if server.place.exists:
            raise
        end_server(server)


def _is_there(server: Server) -> bool:
    """Whether anything of the server lives: it holds the lock, or its folder was removed and the lock with it."""
    return is_running(server) or bool(server.processes())


def is_running(server: Server) -> bool:
    """Whether the server, or a child of it, holds its data folder."""
    return server.place.exists and is_lock_held(server.place.alive)


def _start(server: Server) -> None:
    process.set_aside_large_log(server.place.log)
    log = open_own(server.place.log, os.O_WRONLY | os.O_APPEND)
    alive = open_lock(server.place.alive)
    try:
        take_over(server.place)
        command = server.prepare(log)
        try_exclusive(alive)
        process.spawn_detached(command, account=server.place.account, log=log, keep=[alive])
    finally:
        os.close(alive)
        os.close(log)
    if not _answers(server, START_SECONDS):
        end_server(server, politely=False)
        raise server_failure(server, "did not start. The end of its log says why")


def server_failure(server: Server, what: str) -> EmbeddedServiceError:
    """An error with the tail of the server's log."""
    path = server.place.log
    return EmbeddedServiceError(f"The embedded {server.name} {what} ({path}):\n{process.tail(path)}")


def _answers(server: Server, patience: float) -> bool:
    """Wait for an answer while the server lives and has not been silent for longer than `patience` seconds."""
    now = time.monotonic()
    limit, silent, pause = now + RECOVERY_SECONDS, now + patience, 0.01
    while now < min(limit, silent):
        answer = server.ask()
        if answer is ConnectionResult.READY:
            return True
        if not is_running(server):
            return False
        time.sleep(pause)
        pause = min(0.2, 1.5 * pause)
        now = time.monotonic()
        if answer is ConnectionResult.NOT_YET:
            silent = now + patience
    return False


def _wait_until_gone(server: Server, seconds: float) -> None:
    limit = time.monotonic() + seconds
    while _is_there(server) and time.monotonic() < limit:
        time.sleep(0.02)


# Data that earlier versions kept as `nobody` are given to the user that the server runs as now.


def take_over(place: ServerPaths) -> None:
    """Change the owner of a data folder that belongs to a shared user. The caller holds the lock; no server runs.

    Only what belongs to that user is changed, and no link is followed: whoever runs as that user could have put
    links to files of root there.
    """
    if not place.is_inherited:
        return
    before = place.data.stat().st_uid
    for _, folders, files, here in os.fwalk(place.data, topdown=False):
        for name in (*folders, *files):
            if os.stat(name, dir_fd=here, follow_symlinks=False).st_uid == before:
                os.chown(name, place.account.uid, place.account.gid, dir_fd=here, follow_symlinks=False)
    os.chown(place.data, place.account.uid, place.account.gid)
