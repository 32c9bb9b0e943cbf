"""The process that keeps embedded servers as long as somebody uses them.

`python -m core.embedded.keeper <descriptor that holds the keeper's lock> <server> <var> <home> <uid> <gid>`
The place is passed as arguments: `Place.of` would recreate folders that were just removed.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from core.config import PYTHON_VARIABLES, inherited
from core.embedded.account import Account, open_own
from core.embedded.place import ServerPaths
from core.embedded.process import (
    exclusive_lock,
    is_lock_held,
    open_lock,
    plain_environment,
    spawn_detached,
    try_exclusive,
    try_shared,
)
from core.embedded.server import Server, end_server, ensure_running, is_running, removal_ends
from core.embedded.servers import PostgresServer, ValkeyServer
from core.errors import EmbeddedServiceError

#: Seconds between two checks.
WATCH_SECONDS = 1.0
#: The longest pause between two attempts to start a server that does not start.
RETRY_SECONDS = 60.0

SERVERS: dict[str, type[Server]] = {kind.name: kind for kind in (PostgresServer, ValkeyServer)}


def keep_running(server: Server, descriptor: int) -> None:
    """Keep the server running until it has no owner or its folder is gone."""
    pause = WATCH_SECONDS
    while pause:
        time.sleep(pause)
        with removal_ends(server), exclusive_lock(server.place.lock):
            pause = _look_after(server, descriptor, pause)
        if not server.place.exists:
            return


def _look_after(server: Server, descriptor: int, pause: float) -> float:
    """Stop or restart the server if needed. Return the seconds until the next check, 0 when the keeper is done."""
    if not is_lock_held(server.place.owners):
        end_server(server)
        # Before the place's lock is released: the next start must not rely on this keeper.
        os.close(descriptor)
        return 0.0
    return WATCH_SECONDS if _is_up(server) else min(2 * pause, RETRY_SECONDS)


def _is_up(server: Server) -> bool:
    if is_running(server):
        return True
    try:
        ensure_running(server)
    except FileNotFoundError:
        # The folder was removed: see `removal_ends`.
        raise
    except (EmbeddedServiceError, OSError) as exc:
        # Where the disk is full, it is tried again until there is room.
        with suppress(OSError):
            sys.stderr.write(f"{exc}\n")
        return False
    return True


def _main(descriptor: str, name: str, var: str, home: str, uid: str, gid: str) -> None:
    place = ServerPaths(name, Path(var), Path(home), Account(int(uid), int(gid)))
    keep_running(SERVERS[name](place), int(descriptor))


if __name__ == "__main__":
    _main(*sys.argv[1:])


# Owning a server: the first owner starts it, the last one's release stops it.


class Ownership:
    """One owner's share of a running server.

    The share is a lock on an open file. Forks of the owner have the same share: the end of one does not
    release it, and the server runs as long as any of them lives.
    """

    def __init__(self, server: Server) -> None:
        """Attach to the running server of this place, or start one. Raises EmbeddedServiceError."""
        self._server = server
        self._process = os.getpid()
        with exclusive_lock(server.place.lock):
            self._share = open_lock(server.place.owners)
            try_shared(self._share)
            try:
                # The keeper first: if this process fails or is killed from here on, the keeper stops the server.
                ensure_keeper(server)
                self.started = ensure_running(server)
            except BaseException:
                os.close(self._share)
                raise
        self._owned = True

    def release(self) -> None:
        """Release the share and stop the server if it was the last; no effect in a fork or on a second call."""
        if not self._owned or os.getpid() != self._process:
            return
        self._owned = False
        server = self._server
        os.close(self._share)
        with removal_ends(server), exclusive_lock(server.place.lock):
            if not is_lock_held(server.place.owners):
                end_keeper(server)
                end_server(server)


# Starting and ending the keeper, the process beside each server that ends it when no owner is left.


END_SECONDS = 5.0
#: The folder that `core` lies in.
PROJECT = Path(__file__).resolve().parents[2]


def ensure_keeper(server: Server) -> None:
    """Start a keeper unless one watches already. The caller holds the place's lock."""
    place = server.place
    descriptor = open_lock(place.keeper)
    log = open_own(place.log, os.O_WRONLY | os.O_APPEND)
    try:
        if try_exclusive(descriptor):
            pid = spawn_detached(
                [sys.executable, "-m", "core.embedded.keeper", str(descriptor), *_description(place)],
                account=Account(os.geteuid(), os.getegid()),
                log=log,
                keep=[descriptor],
                cwd=str(PROJECT),
                environment=plain_environment() | inherited(*PYTHON_VARIABLES),
            )
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, str(pid).encode(), 0)
    finally:
        os.close(log)
        os.close(descriptor)


def end_keeper(server: Server) -> None:
    """End the keeper. Its process id cannot have been reused: the lock that it holds proves that it is alive."""
    path = server.place.keeper
    if not is_lock_held(path):
        return
    with suppress(ProcessLookupError):
        os.kill(int(path.read_text()), signal.SIGTERM)
    limit = time.monotonic() + END_SECONDS
    while is_lock_held(path) and time.monotonic() < limit:
        time.sleep(0.01)


def _description(place: ServerPaths) -> list[str]:
    return [place.name, str(place.var), str(place.home), str(place.account.uid), str(place.account.gid)]
