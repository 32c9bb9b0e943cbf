"""The embedded Valkey: append-only file, no eviction, private unix socket."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from core.embedded.programs import valkey_program
from core.embedded.server import Answer, Server

CONNECT_SECONDS = 5.0

SERVER_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "databases": "64",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
}


class ValkeyServer(Server):
    """Builds the command line and checks the server with a PING."""

    name = "valkey"
    program = "valkey"
    #: It flushes and exits on SIGTERM. The shell starts it with SIGQUIT ignored, so there is no second step.
    signals = ((signal.SIGTERM, 30.0), (signal.SIGKILL, 5.0))

    def prepare(self, log: int) -> list[str]:
        """Make the data folder when there is none; clear the socket of a killed server."""
        data, account = self.place.data, self.place.account
        if not data.exists():
            data.mkdir(mode=0o700)
            os.chown(data, account.uid, account.gid)
        self.socket_path.unlink(missing_ok=True)
        settings = SERVER_SETTINGS | {"dir": str(data), "unixsocket": str(self.socket_path)}
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return [str(valkey_program(self.place)), *options]

    def ask(self) -> Answer:
        """Send a PING. A server that is still loading its data answers so."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(CONNECT_SECONDS)
            try:
                connection.connect(str(self.socket_path))
                connection.sendall(b"PING\r\n")
                reply = connection.recv(256)
            except OSError:
                return Answer.NONE
        if reply.startswith(b"-LOADING"):
            return Answer.NOT_YET
        return Answer.READY if reply else Answer.NONE

    @property
    def socket_path(self) -> Path:
        """The path of the unix socket."""
        return self.place.socket_folder() / "valkey.sock"

    @property
    def url(self) -> str:
        """A URL for `redis.Redis.from_url`; `?db=` selects one of the 64 databases."""
        return f"unix://{self.socket_path}"
