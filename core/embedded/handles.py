"""The embedded servers, PostgreSQL and Valkey: held while they are used, stopped by the last that lets go."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from core.embedded.account import is_shared, own_user, user_name
from core.embedded.keeper import Ownership
from core.embedded.place import ServerPaths
from core.embedded.server import Server
from core.embedded.servers import PostgresServer, ValkeyServer

# The embedded servers: PostgreSQL and Valkey from the installed wheels, below a var folder.
#
# Starting attaches to the folder's running server, or starts one. The server stops when its last owner releases
# it.


class _Handle:
    """One owner's hold on a running server; a context manager that releases it."""

    def __init__(self, server: Server) -> None:
        self._ownership = Ownership(server)
        _announce(server, self._ownership.started)

    def release(self) -> None:
        """Release the hold; the last release stops the server. No effect in a forked child or on a second call."""
        self._ownership.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()


class PostgresHandle(_Handle):
    def __init__(self, server: PostgresServer) -> None:
        super().__init__(server)
        #: URL of the application's database, as its role, for psycopg and SQLAlchemy.
        self.dsn = server.dsn


class ValkeyHandle(_Handle):
    def __init__(self, server: ValkeyServer) -> None:
        super().__init__(server)
        #: URL for `redis.Redis.from_url`.
        self.url = server.url


def start_postgres(var_dir: Path) -> PostgresHandle:
    """Attach to the PostgreSQL of this var folder, or start it. Raises EmbeddedServiceError, saying what to do."""
    return PostgresHandle(PostgresServer(ServerPaths.of(var_dir, PostgresServer.name)))


def start_valkey(var_dir: Path) -> ValkeyHandle:
    """Attach to the Valkey of this var folder, or start it. Raises EmbeddedServiceError, saying what to do."""
    return ValkeyHandle(ValkeyServer(ServerPaths.of(var_dir, ValkeyServer.name)))


def _announce(server: Server, started: bool) -> None:
    """Log where the data is stored; log a warning when that is not in the requested folder."""
    # Imported here: the keeper imports this package too and needs neither logs nor settings.
    from core.tracing.log import get_logger

    place, log = server.place, get_logger(__name__)
    event = "embedded server started" if started else "attached to the embedded server"
    if os.geteuid() == 0 and is_shared(place.account.uid):
        what = "wait for the next start" if own_user() else "none can be made; start as an ordinary user"
        reason = f"it runs as {user_name(place.account.uid)}, as other programs may: {what}"
        log.warning("embedded server without a user of its own", server=server.name, reason=reason)
    if place.home == place.var:
        log.info(event, server=server.name, data=str(place.data))
    else:
        reason = "the user that it runs as cannot reach VAR_DIR"
        log.warning(event, server=server.name, data=str(place.data), reason=reason)
