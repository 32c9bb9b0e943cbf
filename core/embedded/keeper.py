"""The keeper process: ends the server when every owner is gone, starts it again when it dies under them.

`python -m core.embedded.keeper <descriptor that holds the keeper's lock> <server> <var> <home> <uid> <gid>`
The place is given, not found: finding would make the folders anew where somebody has just removed them.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from core.embedded.account import Account
from core.embedded.locks import is_held, locked
from core.embedded.place import Place
from core.embedded.postgres import PostgresServer
from core.embedded.server import Server, end, ensure_running, is_running, removal_ends
from core.embedded.valkey import ValkeyServer
from core.errors import EmbeddedServiceError

#: How often it looks.
WATCH_SECONDS = 1.0
#: The longest pause between two attempts to start a server that does not start.
RETRY_SECONDS = 60.0

SERVERS: dict[str, type[Server]] = {kind.name: kind for kind in (PostgresServer, ValkeyServer)}


def watch(server: Server, descriptor: int) -> None:
    """Look after the server until it has no owner or its folder is gone."""
    pause = WATCH_SECONDS
    while pause:
        time.sleep(pause)
        with removal_ends(server), locked(server.place.lock):
            pause = _look_after(server, descriptor, pause)
        if not server.place.exists:
            return


def _look_after(server: Server, descriptor: int, pause: float) -> float:
    """Do what has to be done now; the seconds until the next look, 0 when nothing is left to do."""
    if not is_held(server.place.owners):
        end(server)
        # Before the lock is given up: whoever starts next must not count on this keeper.
        os.close(descriptor)
        return 0.0
    return WATCH_SECONDS if _is_up(server) else min(2 * pause, RETRY_SECONDS)


def _is_up(server: Server) -> bool:
    if is_running(server):
        return True
    try:
        ensure_running(server)
    except EmbeddedServiceError as exc:
        sys.stderr.write(f"{exc}\n")
        return False
    return True


def _main(descriptor: str, name: str, var: str, home: str, uid: str, gid: str) -> None:
    place = Place(name, Path(var), Path(home), Account(int(uid), int(gid)))
    watch(SERVERS[name](place), int(descriptor))


if __name__ == "__main__":
    _main(*sys.argv[1:])
