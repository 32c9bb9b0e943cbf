"""The embedded servers of the tests: shared by every pytest process, with a slot for each of them."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis
from psycopg import sql

from core.database import upgrade
from core.embedded.place import POSTGRES_WHEEL, ServerPaths
from core.embedded.process import exclusive_lock, open_lock, try_exclusive
from core.embedded.servers import APPLICATION, PostgresServer

CHECKOUT = Path(__file__).resolve().parents[2]
#: Valkey has 64 databases; 0 is left for people.
SLOTS = range(1, 64)
MEMORY_BYTES = 2 * 1024**3
PREFIX = "second_reader_test"
_DROP_ATTEMPTS = 50


def quick_folder() -> Path:
    """Memory where there is enough of it, else the temporary folder: tests need no data after a power cut."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > MEMORY_BYTES:
        return memory
    return Path(tempfile.gettempdir())


def shared_var_dir() -> Path:
    """The var folder of the tests of this user on this checkout; others may enter, as servers of root do."""
    key = f"{CHECKOUT} {importlib.metadata.version(POSTGRES_WHEEL)}"
    name = hashlib.sha256(os.fsencode(key)).hexdigest()[:12]
    folder = quick_folder() / f"second-reader-tests-{os.geteuid()}-{name}"
    folder.mkdir(mode=0o755, exist_ok=True)
    if folder.lstat().st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user; remove it")
    return folder


@contextmanager
def slot(var_dir: Path) -> Iterator[int]:
    """A number that no other living test process has; the kernel takes it back from a killed one."""
    for number in SLOTS:
        descriptor = open_lock(var_dir / f"slot-{number}.lock")
        if try_exclusive(descriptor):
            try:
                yield number
            finally:
                os.close(descriptor)
            return
        os.close(descriptor)
    raise RuntimeError("too many test processes at once")


@contextmanager
def migrated_database(server_dsn: str, number: int, var_dir: Path) -> Iterator[str]:
    """The URL of a fresh, migrated database; dropped at the end, as are those that killed processes left."""
    with psycopg.connect(server_dsn, autocommit=True) as connection:
        _drop_databases(connection, number)
    with empty_database(server_dsn, number) as url:
        # The bootstrap makes roles, which belong to the whole server: one process at a time.
        with exclusive_lock(var_dir / "migrations.lock"):
            upgrade(url)
            _allow_replica_role(var_dir)
        yield url


def _allow_replica_role(var_dir: Path) -> None:
    """Let the tests empty their tables without foreign keys and triggers (see `tests.support.site`)."""
    with PostgresServer(ServerPaths.of(var_dir, PostgresServer.name)).connect() as connection:
        connection.execute(f"GRANT SET ON PARAMETER session_replication_role TO {APPLICATION}")


@contextmanager
def empty_database(server_dsn: str, number: int, purpose: str = "main") -> Iterator[str]:
    """The URL of a fresh database with nothing in it; dropped at the end."""
    name = f"{PREFIX}_{number}_{os.getpid()}_{purpose}"
    with psycopg.connect(server_dsn, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        # Tests lose nothing in a power cut.
        connection.execute(sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(sql.Identifier(name)))
    try:
        yield urlsplit(server_dsn)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(server_dsn, autocommit=True) as connection:
            _drop(connection, name)


def numbered_as_before_1_0(url: str, last: tuple[str, str] = ("089", "own_documents")) -> None:
    """Give a database's ledger the first and the last number that a version before 1.0 had there."""
    with psycopg.connect(url) as connection:
        connection.execute("truncate supabase_migrations.schema_migrations")
        connection.execute("truncate supabase_migrations.second_reader_checksums")
        for version, name in (("001", "create_seasons_and_profiles"), last):
            connection.execute(
                "insert into supabase_migrations.schema_migrations (version, name) values (%s, %s)",
                [version, name],
            )


@contextmanager
def empty_queue(server_url: str, number: int) -> Iterator[str]:
    """The URL of an empty Valkey database, emptied again at the end."""
    url = f"{server_url}?db={number}"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


def _drop_databases(connection: psycopg.Connection, number: int) -> None:
    pattern = f"{PREFIX}\\_{number}\\_%"
    for (name,) in connection.execute(
        "SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern]
    ).fetchall():
        _drop(connection, name)


def _drop(connection: psycopg.Connection, name: str) -> None:
    """Drop a database. FORCE may not end an autovacuum in it, which is the superuser's: wait for its end."""
    statement = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
    for _ in range(_DROP_ATTEMPTS - 1):
        with suppress(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)
            return
        time.sleep(0.2)
    connection.execute(statement)
