"""A server that cannot be started for want of room is tried again; its keeper does not end."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from core.embedded import keeper
from core.embedded.place import ServerPaths
from core.embedded.servers import ValkeyServer


class _NoRoom(ValkeyServer):
    """A server whose files cannot be written."""

    def prepare(self, log: int) -> list[str]:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.usefixtures("from_nothing")
def test_the_keeper_waits_for_room(var_dir: Path) -> None:
    server = _NoRoom(ServerPaths.of(var_dir, ValkeyServer.name))
    assert keeper._is_up(server) is False
