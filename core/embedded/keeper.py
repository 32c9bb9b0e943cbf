"""The keeper process: stops the server when no owner is left, restarts it when it dies while it has owners.

`python -m core.embedded.keeper <descriptor that holds the keeper's lock> <server> <var> <home> <uid> <gid>`
The place is passed as arguments: `Place.of` would recreate folders that were just removed.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from core.embedded.account import Account
from core.embedded.locks import is_held, locked
from core.embedded.place import Place
from core.embedded.postgres import PostgresServer
from core.embedded.server import Server, end, ensure_running, is_running, removal_ends
from core.embedded.valkey import ValkeyServer
from core.errors import EmbeddedServiceError

#: Seconds between two checks.
WATCH_SECONDS = 1.0
#: The longest pause between two attempts to start a server that does not start.
RETRY_SECONDS = 60.0

SERVERS: dict[str, type[Server]] = {kind.name: kind for kind in (PostgresServer, ValkeyServer)}


def watch(server: Server, descriptor: int) -> None:
    """Keep the server running until it has no owner or its folder is gone."""
    pause = WATCH_SECONDS
    while pause:
        time.sleep(pause)
        with removal_ends(server), locked(server.place.lock):
            pause = _look_after(server, descriptor, pause)
        if not server.place.exists:
            return


def _look_after(server: Server, descriptor: int, pause: float) -> float:
    """Stop or restart the server if needed. Return the seconds until the next check, 0 when the keeper is done."""
    if not is_held(server.place.owners):
        end(server)
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
    place = Place(name, Path(var), Path(home), Account(int(uid), int(gid)))
    watch(SERVERS[name](place), int(descriptor))


if __name__ == "__main__":
    _main(*sys.argv[1:])
