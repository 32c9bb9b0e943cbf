"""Starting and ending the keeper, the process beside each server that ends it when no owner is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from core.config import python_environment
from core.embedded.account import Account
from core.embedded.files import open_own
from core.embedded.locks import is_held, open_lock, try_exclusive
from core.embedded.place import Place
from core.embedded.process import plain_environment, spawn_detached
from core.embedded.server import Server

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
                environment=plain_environment() | python_environment(),
            )
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, str(pid).encode(), 0)
    finally:
        os.close(log)
        os.close(descriptor)


def end_keeper(server: Server) -> None:
    """End the keeper. Its process id cannot have been reused: the lock that it holds proves that it is alive."""
    path = server.place.keeper
    if not is_held(path):
        return
    with suppress(ProcessLookupError):
        os.kill(int(path.read_text()), signal.SIGTERM)
    limit = time.monotonic() + END_SECONDS
    while is_held(path) and time.monotonic() < limit:
        time.sleep(0.01)


def _description(place: Place) -> list[str]:
    return [place.name, str(place.var), str(place.home), str(place.account.uid), str(place.account.gid)]
