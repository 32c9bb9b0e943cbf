"""The embedded Valkey: append-only file, no eviction, private unix socket, one account with a password."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

from core.embedded.passwords import digest, password
from core.embedded.programs import valkey_program
from core.embedded.server import Answer, Server

CONNECT_SECONDS = 5.0
#: The account of all clients. A server of an earlier version, which has no password, takes any for it.
ACCOUNT = "default"

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
        # Everybody sees a command line: it has the hash alone.
        client = ["--user", ACCOUNT, "on", f"#{digest(self._password)}", "~*", "&*", "+@all"]
        return [str(valkey_program(self.place)), *options, *client]

    def ask(self) -> Answer:
        """Sign in and send a PING. A server that is still loading its data answers so."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(CONNECT_SECONDS)
            try:
                connection.connect(str(self.socket_path))
                connection.sendall(f"AUTH {ACCOUNT} {self._password}\r\nPING\r\n".encode())
                replies = _lines(connection, 2)
            except OSError:
                return Answer.NONE
        if replies[-1].startswith(b"-LOADING"):
            return Answer.NOT_YET
        return Answer.READY if replies[-1] == b"+PONG" else Answer.NONE

    @property
    def socket_path(self) -> Path:
        """The path of the unix socket."""
        return self.place.socket_folder() / "valkey.sock"

    @property
    def url(self) -> str:
        """A URL for `redis.Redis.from_url`; `?db=` selects one of the 64 databases."""
        return f"unix://{ACCOUNT}:{self._password}@{self.socket_path}"

    @property
    def _password(self) -> str:
        return password(self.place.var, f"valkey/{ACCOUNT}")


def _lines(connection: socket.socket, count: int) -> list[bytes]:
    """Read so many lines, fewer where the server closes the connection."""
    received = b""
    while received.count(b"\r\n") < count and (more := connection.recv(4096)):
        received += more
    return received.removesuffix(b"\r\n").split(b"\r\n")
