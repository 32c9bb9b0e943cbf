"""The two servers: PostgreSQL, a private cluster whose application's role is no superuser, and Valkey."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psutil

from core.embedded.account import digest, password
from core.embedded.place import postgres_programs, valkey_program
from core.embedded.process import plain_environment
from core.embedded.server import ConnectionResult, Server, server_failure
from core.errors import EmbeddedServiceError

if TYPE_CHECKING:
    import psycopg


# The embedded PostgreSQL: a private cluster on a unix socket; its application's role is no superuser.


MAJOR_VERSION = "18"
SUPERUSER = "postgres"
#: The application's role and its database.
APPLICATION = "second_reader"
#: Only part of the socket's name, `.s.PGSQL.<port>`; no TCP port is opened.
PORT = 5432
POSTGRES_CONNECT_SECONDS = 5
#: Everybody needs a password, whatever system user they are: root's servers may share theirs with other programs.
ACCESS_RULES = "local all all scram-sha-256\n"
#: File of the data folder with the hash of the passwords that its roles have.
PASSWORD_STATE = "second_reader.passwords"
#: File of the data folder with the extensions that were made; only a superuser may make them.
EXTENSION_STATE = "second_reader.extensions"
EXTENSIONS = ("vector",)

#: Small enough for a laptop. Messages are terse, as details and failed statements quote personal data.
POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}

#: Not a superuser. As in a Supabase project it creates the roles of the API and may assume each (SET ROLE).
ROLE_ATTRIBUTES = "LOGIN CREATEDB CREATEROLE"


class PostgresServer(Server):
    """Builds the command line, the cluster and the application's database."""

    name = "postgres"
    program = "postgres"
    #: Fast, immediate, last resort.
    signals = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 3.0), (signal.SIGKILL, 5.0))

    def prepare(self, log: int) -> list[str]:
        """Initialise the cluster when there is none; remove stale files of a killed server."""
        programs = postgres_programs(self.place)
        version = self.place.data / "PG_VERSION"
        if not version.exists():
            self._initialise(programs, log)
        if version.read_text().strip() != MAJOR_VERSION:
            raise EmbeddedServiceError(
                f"{self.place.data} was written by PostgreSQL {version.read_text().strip()} and this is "
                f"{MAJOR_VERSION}. Dump it with that version, or set VAR_DIR to a new folder."
            )
        self._clear_stale_files()
        self._set_passwords(programs, log)
        self._write("pg_hba.conf", ACCESS_RULES)
        settings = POSTGRES_SETTINGS | {
            "unix_socket_directories": f'"{self.place.socket_folder()}"',
            "cluster_name": self.place.tag,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(programs / "postgres"), "-D", str(self.place.data), *options]

    def ask(self) -> ConnectionResult:
        """Connect as superuser, for whom connections are kept free; make role and database when missing."""
        import psycopg

        if not (self.place.socket_folder() / f".s.PGSQL.{PORT}").exists():
            return ConnectionResult.NONE
        try:
            with self.connect() as connection:
                _make_application(connection, self._password(APPLICATION))
            self._make_extensions()
        except psycopg.OperationalError as exc:
            return _meaning(exc)
        return ConnectionResult.READY

    @property
    def dsn(self) -> str:
        """A URL for psycopg and, with the driver's prefix, SQLAlchemy."""
        folder = quote(str(self.place.socket_folder()))
        account = f"{APPLICATION}:{self._password(APPLICATION)}"
        return f"postgresql://{account}@/{APPLICATION}?host={folder}&port={PORT}"

    def _password(self, role: str) -> str:
        return password(self.place.var, f"postgres/{role}")

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """Connect as superuser."""
        # Imported late: the keeper, which is started with every server, needs it only when a server dies.
        import psycopg

        return psycopg.connect(
            host=str(self.place.socket_folder()),
            port=PORT,
            user=SUPERUSER,
            password=self._password(SUPERUSER),
            dbname=database,
            connect_timeout=POSTGRES_CONNECT_SECONDS,
            autocommit=True,
        )

    def _make_extensions(self) -> None:
        """Make the extensions in the application's database and in the template of those to come; once."""
        state, wanted = self.place.data / EXTENSION_STATE, "\n".join(EXTENSIONS)
        if state.exists() and state.read_text() == wanted:
            return
        for database in ("template1", APPLICATION):
            with self.connect(database) as connection:
                for name in EXTENSIONS:
                    connection.execute(f'CREATE EXTENSION IF NOT EXISTS "{name}"'.encode())
        self._write(EXTENSION_STATE, wanted)

    def _initialise(self, programs: Path, log: int) -> None:
        """Run initdb in a new folder and move the result: an initdb that is cut off leaves half a cluster."""
        data = self.place.data
        if data.exists() and any(data.iterdir()):
            raise EmbeddedServiceError(f"{data} holds something that is no PostgreSQL cluster. Move it away.")
        for old in data.parent.glob(f"{data.name}.new.*"):
            shutil.rmtree(old, ignore_errors=True)
        # A unique name: the initdb of a killed process may still be writing to an earlier one.
        unfinished = Path(tempfile.mkdtemp(dir=data.parent, prefix=f"{data.name}.new."))
        account = self.place.account
        os.chown(unfinished, account.uid, account.gid)
        options = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        done = subprocess.run(
            [str(programs / "initdb"), "-D", str(unfinished), "-U", SUPERUSER, "--auth=peer", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=plain_environment(),
            check=False,
            **account.identity,
        )
        if done.returncode != 0:
            raise server_failure(self, "could not be initialised. The end of its log says why")
        unfinished.rename(data)

    def _set_passwords(self, programs: Path, log: int) -> None:
        """Set the roles' passwords in single-user mode, so that nobody can connect meanwhile; once a secret.

        A new cluster, or one of an earlier version, has none; after a lost secret they are outdated.
        """
        passwords = {role: self._password(role) for role in (SUPERUSER, APPLICATION)}
        state, wanted = self.place.data / PASSWORD_STATE, digest(" ".join(passwords.values()))
        if state.exists() and state.read_text() == wanted:
            return
        done = subprocess.run(
            [str(programs / "postgres"), "--single", "-D", str(self.place.data), "postgres"],
            input="".join(_password_statement(role, text) for role, text in passwords.items()).encode(),
            stdout=log,
            stderr=log,
            cwd="/",
            env=plain_environment(),
            check=False,
            **self.place.account.identity,
        )
        if done.returncode != 0:
            raise server_failure(self, "could not be given passwords. The end of its log says why")
        self._write(PASSWORD_STATE, wanted)

    def _write(self, name: str, text: str) -> None:
        """Replace a file of the data folder; root never writes through a link that lies there."""
        descriptor, path = tempfile.mkstemp(dir=self.place.data, prefix=f"{name}.")
        try:
            with os.fdopen(descriptor, "w") as file:
                os.fchown(file.fileno(), self.place.account.uid, self.place.account.gid)
                file.write(text)
            Path(path).replace(self.place.data / name)
        except OSError:
            Path(path).unlink(missing_ok=True)
            raise

    def _clear_stale_files(self) -> None:
        """Remove the pid file and the socket of a server that is gone.

        PostgreSQL trusts a pid file even when its process id now belongs to another program.
        """
        pid_file = self.place.data / "postmaster.pid"
        if pid_file.exists():
            self._refuse_foreign_server(pid_file.read_text().splitlines())
            pid_file.unlink()
        for path in self.place.socket_folder().glob(f".s.PGSQL.{PORT}*"):
            path.unlink()

    def _refuse_foreign_server(self, lines: list[str]) -> None:
        """Raise EmbeddedServiceError if a server started by hand (pg_ctl) uses the data folder.

        A server of ours would hold the lock."""
        if not lines or not lines[0].isdigit():
            return
        try:
            title = psutil.Process(int(lines[0])).cmdline()
        except psutil.Error:
            return
        if title and Path(title[0]).name == self.program and str(self.place.data) in title:
            raise EmbeddedServiceError(
                f"Process {lines[0]} already serves {self.place.data} but was not started by this program. "
                "End it, or set DATABASE_URL to use it."
            )


def _meaning(error: psycopg.OperationalError) -> ConnectionResult:
    """Classify the error of a refused connection by its text; libpq gives no SQLSTATE for it."""
    text = str(error)
    if "too many clients" in text or "connection slots are reserved" in text:
        return ConnectionResult.READY
    # "… is starting up", "… is in recovery mode", "… is shutting down", "… is not yet accepting connections"
    return ConnectionResult.NOT_YET if "the database system is" in text else ConnectionResult.NONE


def _password_statement(role: str, text: str) -> str:
    """Return a statement on one line, as single-user mode reads it; without effect if the role does not exist."""
    change = f"ALTER ROLE {role} PASSWORD '{text}'"
    exists = f"EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}')"  # nosec B608 - a constant of this file
    return f"DO $$ BEGIN IF {exists} THEN {change}; END IF; END $$;\n"


def _make_application(connection: psycopg.Connection[Any], text: str) -> None:
    """Create the application's role and database, each if missing: an earlier start may have been interrupted."""
    if not _exists(connection, "pg_roles", "rolname"):
        with connection.transaction():
            connection.execute(f"CREATE ROLE {APPLICATION} {ROLE_ATTRIBUTES} PASSWORD '{text}'")
            connection.execute(f"ALTER ROLE {APPLICATION} SET createrole_self_grant = 'set'")
    if not _exists(connection, "pg_database", "datname"):
        connection.execute(f"CREATE DATABASE {APPLICATION} OWNER {APPLICATION}")


def _exists(connection: psycopg.Connection[Any], catalog: str, column: str) -> bool:
    asked = f"SELECT 1 FROM {catalog} WHERE {column} = '{APPLICATION}'"  # nosec B608 - constants of this file
    return connection.execute(asked).fetchone() is not None


# The embedded Valkey: append-only file, no eviction, private unix socket, one account with a password.


VALKEY_CONNECT_SECONDS = 5.0
#: The account of all clients. A server of an earlier version, which has no password, takes any for it.
ACCOUNT = "default"

VALKEY_SETTINGS = {
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
        settings = VALKEY_SETTINGS | {"dir": str(data), "unixsocket": str(self.socket_path)}
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        # A command line is visible to everybody, so it has only the hash.
        client = ["--user", ACCOUNT, "on", f"#{digest(self._password)}", "~*", "&*", "+@all"]
        return [str(valkey_program(self.place)), *options, *client]

    def ask(self) -> ConnectionResult:
        """Sign in and send a PING. A server that is still loading its data answers so."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(VALKEY_CONNECT_SECONDS)
            try:
                connection.connect(str(self.socket_path))
                connection.sendall(f"AUTH {ACCOUNT} {self._password}\r\nPING\r\n".encode())
                replies = _lines(connection, 2)
            except OSError:
                return ConnectionResult.NONE
        if replies[-1].startswith(b"-LOADING"):
            return ConnectionResult.NOT_YET
        return ConnectionResult.READY if replies[-1] == b"+PONG" else ConnectionResult.NONE

    @property
    def socket_path(self) -> Path:
        return self.place.socket_folder() / "valkey.sock"

    @property
    def url(self) -> str:
        """A URL for `redis.Redis.from_url`; `?db=` selects one of the 64 databases."""
        return f"unix://{ACCOUNT}:{self._password}@{self.socket_path}"

    @property
    def _password(self) -> str:
        return password(self.place.var, f"valkey/{ACCOUNT}")


def _lines(connection: socket.socket, count: int) -> list[bytes]:
    """Read `count` lines, fewer if the server closes the connection."""
    received = b""
    while received.count(b"\r\n") < count and (more := connection.recv(4096)):
        received += more
    return received.removesuffix(b"\r\n").split(b"\r\n")
