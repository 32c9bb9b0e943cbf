"""pgbouncer before the tests' PostgreSQL, in any of its modes, as hosts of PostgreSQL put it there."""

from __future__ import annotations

import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import psycopg

from core.embedded.place import ServerPaths
from core.embedded.servers import PORT, PostgresServer

Mode = Literal["session", "transaction"]

#: What any version takes; before 1.21 it carries no prepared statement over.
_CONFIGURATION = """\
[databases]
* = host={server} port={port}
[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = {mode}
default_pool_size = 20
logfile = {folder}/log
"""


@contextmanager
def pooled(url: str, var_dir: Path, mode: Mode) -> Iterator[str]:
    """The address of the same database behind a pooler that knows the role's SCRAM secret and no password."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    assert program is not None
    server = PostgresServer(ServerPaths.of(var_dir, PostgresServer.name))
    sockets = server.place.socket_folder()
    given = urlsplit(url)
    with tempfile.TemporaryDirectory(prefix="pooler-") as made, server.connect() as connection:
        folder = Path(made)
        row = connection.execute(
            "select rolpassword from pg_authid where rolname = %s", [given.username]
        ).fetchone()
        assert row is not None and row[0].startswith("SCRAM-SHA-256$")
        (folder / "users").write_text(f'"{given.username}" "{row[0]}"\n')
        (folder / "ini").write_text(_CONFIGURATION.format(server=sockets, port=PORT, folder=folder, mode=mode))
        owner = pwd.getpwuid((sockets / f".s.PGSQL.{PORT}").stat().st_uid)
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, owner.pw_uid, owner.pw_gid)
        command = [program, "-q", str(folder / "ini")]
        process = subprocess.Popen([*command[:1], "-u", owner.pw_name, *command[1:]] if owner.pw_uid else command)
        try:
            address = f"{given.scheme}://{given.netloc.rpartition('@')[0]}@{given.path}?host={folder}&port={PORT}"
            _wait_for(address, folder / "log")
            yield address
        finally:
            process.terminate()
            process.wait()


def _wait_for(address: str, log: Path) -> None:
    end = time.monotonic() + 10
    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError as exc:
            if time.monotonic() > end:
                raise AssertionError(log.read_text() if log.exists() else "the pooler did not start") from exc
            time.sleep(0.05)
