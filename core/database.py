"""PostgreSQL: models and engines, short sessions, and checkpoints removed without LangGraph.

`db.session`, which lasts as long as its app context, is for `flask shell` alone: a job's context spans recognition
and model calls, during which no connection may be held.
"""

from __future__ import annotations

import hashlib
import os
import re
import select
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, TypeVar, cast
from weakref import WeakSet

import psycopg
from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy import ColumnElement, Engine, Executable, event, func, text
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import InvalidatePoolError, OperationalError
from sqlalchemy.orm import ORMExecuteState, Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry, NullPool
from sqlalchemy.sql.selectable import TypedReturnsRows

from core.config import ROOT, Settings
from core.errors import ConfigurationError, DatabaseNotReadyError
from core.llm.embeddings import make_embeddings_schema
from core.models import Base

#: The models derive from `Base` itself: `db.Model` would add a `query` that works on `db.session`.
db = SQLAlchemy(model_class=Base, disable_autonaming=True)

T = TypeVar("T")
Row = TypeVar("Row", bound=Base)

_KEY = "second_reader_database"
#: A pooled connection that was idle for longer is asked whether it is alive, which is a round trip. A job takes
#: connections every few milliseconds; that the server has closed one in so short a time is seen at its socket.
_IDLE_SECONDS = 1.0
#: A server or network that is gone is noticed within half a minute; by itself the system waits for hours. The
#: address may say otherwise.
_TCP = {
    "connect_timeout": "10",
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
_engines: WeakSet[Engine] = WeakSet()


def bare_app() -> Flask:
    """Return an app without pages or commands, for workers, scripts and tests."""
    return Flask(__name__, static_folder=None, template_folder=None)


def register_database(app: Flask, settings: Settings) -> Flask:
    """Create the app's `Database`, which `Database.of(app)` returns; return the app."""
    Database(transaction_pooler=settings.database_transaction_pooler, app=app)
    return app


class Database:
    """The PostgreSQL database of one app: the engine that `db` made for the app, and sessions on it."""

    def __init__(
        self, dsn: str = "", transaction_pooler: bool = False, pool_size: int = 8, app: Flask | None = None
    ) -> None:
        """Register `db` with the app, by default with a bare one. Nothing is connected to yet.

        `transaction_pooler`: behind pgbouncer in transaction mode; no prepared statements, no pool here.
        """
        #: May be set later, before the first connection: an embedded server is started after its app is made.
        self.dsn = dsn
        app = bare_app() if app is None else app
        app.config["SQLALCHEMY_DATABASE_URI"] = "postgresql+psycopg://"
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = _options(transaction_pooler, pool_size)
        db.init_app(app)
        app.extensions[_KEY] = self
        # The app itself is not kept: `db` refers to it weakly, and to what belongs to it strongly.
        with app.app_context():
            self.engine = db.engine
        _engines.add(self.engine)
        event.listen(self.engine, "do_connect", self._fill_in_dsn)
        event.listen(self.engine, "checkin", _note_use)
        event.listen(self.engine, "checkout", self._require_alive)
        event.listen(self.engine, "handle_error", _take_for_away)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)
        self._autocommit = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._statements = sessionmaker(self._autocommit, expire_on_commit=False)
        self._readings = sessionmaker(self._autocommit, expire_on_commit=False)
        event.listen(self._readings, "before_flush", _refuse_flush)
        event.listen(self._readings, "do_orm_execute", _refuse_write)

    @staticmethod
    def of(app: Flask) -> Database:
        """The database that this app was registered with."""
        return cast(Database, app.extensions[_KEY])

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back when it raises."""
        with self._sessions.begin() as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session to read only: no round trips of a transaction around it, and no locks.

        Each statement sees what was committed before it, as in our transactions, which are READ COMMITTED. Raises
        RuntimeError for a statement that writes or locks.
        """
        with self._readings.begin() as session:
            yield session

    # A single statement, which commits by itself: no round trips of a transaction around it.

    def scalar(self, statement: TypedReturnsRows[T], parameters: Any = None) -> T | None:
        """Return the first value of the first row; None without a row."""
        with self._statements.begin() as session:
            return session.scalar(statement, parameters)

    def scalars(self, statement: TypedReturnsRows[T]) -> list[T]:
        """Return the first value of each row."""
        with self._statements.begin() as session:
            return list(session.scalars(statement))

    def one(self, statement: TypedReturnsRows[T]) -> T:
        """Return the first value of the only row. Raises sqlalchemy.exc.NoResultFound and MultipleResultsFound."""
        with self._statements.begin() as session:
            return session.scalars(statement).one()

    def get(self, model: type[Row], key: object) -> Row | None:
        """Return the row with this key; None without one."""
        with self._statements.begin() as session:
            return session.get(model, key)

    def get_one(self, model: type[Row], key: object) -> Row:
        """Return the row with this key. Raises sqlalchemy.exc.NoResultFound."""
        with self._statements.begin() as session:
            return session.get_one(model, key)

    def execute(self, statement: Executable, parameters: Any = None) -> None:
        """Carry out a statement of which no result is wanted."""
        with self._statements.begin() as session:
            session.execute(statement, parameters)

    @contextmanager
    def driver_connection(self) -> Iterator[psycopg.Connection[Any]]:
        """A pooled connection as psycopg has it, each of whose statements commits by itself."""
        with self._autocommit.connect() as connection:
            yield cast("psycopg.Connection[Any]", connection.connection.driver_connection)

    def dispose(self) -> None:
        """Close this process's connections."""
        self.engine.dispose()

    def _fill_in_dsn(self, _dialect: Any, _record: Any, _args: Any, parameters: dict[str, Any]) -> None:
        if not self.dsn:
            raise RuntimeError("no database yet: open_context says where it is")
        parameters.update(_TCP | conninfo_to_dict(self.dsn))

    def _require_alive(self, connection: Any, entry: ConnectionPoolEntry, _proxy: Any) -> None:
        """Have the pool connect again if a connection that was used before is dead."""
        used = entry.info.get("used")
        if used is None or (time.monotonic() - used < _IDLE_SECONDS and not _has_unread(connection)):
            return
        try:
            self.engine.dialect.do_ping(connection)
        except psycopg.OperationalError as exc:
            raise InvalidatePoolError from exc


def without_waiting() -> ColumnElement[bool]:
    """Return a condition that is always true and keeps its transaction from waiting for the disk when it commits.

    For a write that a later durable one makes whole, or whose loss at a power cut harms nobody.
    """
    return func.set_config("synchronous_commit", "off", True) == "off"


def _options(transaction_pooler: bool, pool_size: int) -> dict[str, Any]:
    # Parameters hold personal data: an error that is logged must not quote them.
    hidden = {"hide_parameters": True}
    if transaction_pooler:
        return {**hidden, "poolclass": NullPool, "connect_args": {"prepare_threshold": None}}
    return {**hidden, "pool_size": pool_size, "max_overflow": 4}


def _refuse_flush(_session: Session, _context: Any, _objects: Any) -> None:
    raise RuntimeError("a session for reading has changed rows")


def _refuse_write(state: ORMExecuteState) -> None:
    locks = getattr(state.statement, "_for_update_arg", None) is not None
    if locks or state.is_insert or state.is_update or state.is_delete:
        raise RuntimeError("a session for reading was given a statement that writes or locks")


def _take_for_away(failure: ExceptionContext) -> None:
    """A database that takes no writes, as one that is full at its host or was a standby a moment ago, is away."""
    read_only = failure.original_exception
    if isinstance(read_only, ReadOnlySqlTransaction):
        raise OperationalError(failure.statement, failure.parameters, read_only, hide_parameters=True)


def _note_use(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.info["used"] = time.monotonic()


def _has_unread(connection: Any) -> bool:
    """Whether the server has sent anything since the last statement, such as that it closes the connection."""
    socket = select.poll()
    socket.register(connection.fileno(), select.POLLIN)
    return bool(socket.poll(0))


def _remake_pools() -> None:
    """After a fork, drop the inherited connections without closing them; the child's engines open new ones."""
    for engine in list(_engines):
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_remake_pools)


# Remove checkpoints without LangGraph, which takes a second to import.


#: All tables of LangGraph that hold something of a thread.
_TABLES = ("checkpoint_writes", "checkpoint_blobs", "checkpoints")


def remove_threads(session: Session, threads: Sequence[str]) -> int:
    """Remove all checkpoints of these threads; return how many there were."""
    gone = 0
    for table in _TABLES:
        statement = text(f"delete from langgraph.{table} where thread_id = any(:threads)")  # nosec B608 - constants
        gone = session.connection().execute(statement, {"threads": list(threads)}).rowcount
    return gone


# Apply `supabase/migrations/` under a lock and record each in Supabase's ledger, so that none is applied twice.
#
# The ledger is `supabase_migrations.schema_migrations` (version, statements, name), as the Supabase CLI writes it;
# checksums are in `supabase_migrations.second_reader_checksums`.


MIGRATIONS = ROOT / "supabase" / "migrations"
BOOTSTRAP = ROOT / "supabase" / "bootstrap" / "bootstrap.sql"
_FILE_NAME = re.compile(r"(\d{3})_([a-z0-9_]+)\.sql")
#: Any constants will do, as long as nothing else of ours locks them. Two, since who waits for the first holds a
#: snapshot, and who holds the second waits for snapshots.
_LOCK = 7_205_531_001
_CHECKPOINT_LOCK = 7_205_531_002
_LEDGER: LiteralString = "select to_regclass('supabase_migrations.schema_migrations')::text"
_APPLIED: LiteralString = (
    "select concat_ws('_', version, name) from supabase_migrations.schema_migrations order by version"
)
#: The first and the last migration of the numbering before 1.0.
FIRST_OF_OLD, LAST_OF_OLD = "001_create_seasons_and_profiles", "089_own_documents"
#: The last file of the schema as of 1.0, which is the schema after `LAST_OF_OLD`; later files change it.
_BASELINE = "020"


@dataclass(frozen=True)
class Migration:
    """One file of `supabase/migrations/`."""

    version: str
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def key(self) -> str:
        """Number and name: the same number was another migration before 1.0."""
        return f"{self.version}_{self.name}"


def read_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """Read the files in order.

    Raises ConfigurationError for a name the Supabase CLI would skip or mis-order, or a number used twice.
    """
    found: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        match = _FILE_NAME.fullmatch(path.name)
        if match is None:
            raise ConfigurationError(f"{path.name}: a migration is named 001_lower_case.sql")
        if found and found[-1].version == match[1]:
            raise ConfigurationError(f"{path.name}: the number {match[1]} is used twice")
        found.append(Migration(match[1], match[2], path.read_text(encoding="utf-8")))
    return found


def upgrade(dsn: str, folder: Path = MIGRATIONS, dimensions: int = 384) -> list[str]:
    """Bring the database to the newest migration, and LangGraph's tables and the schema of vectors with it.

    `dimensions`: of the vectors; the default is that of the bundled embedder.

    Returns the versions applied. Safe to run from several processes at once. Raises ConfigurationError for a
    database of the numbering before 1.0, and where a migration was changed after it was applied.
    """
    migrations = read_migrations(folder)
    with psycopg.connect(dsn) as connection:
        _prepare(connection)
        _refuse_old_numbering(connection)
        applied = []
        for migration in migrations:
            if _apply(connection, migration):
                applied.append(migration.version)
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
            make_embeddings_schema(connection, dimensions)
    # Loads LangGraph; this file is imported by every command that looks whether the database is ready.
    from core.graphs import create_checkpoint_tables

    create_checkpoint_tables(dsn, _CHECKPOINT_LOCK)
    return applied


@contextmanager
def kept_from_upgrades(dsn: str) -> Iterator[None]:
    """Have every `upgrade` of this database wait while the block runs, as in the start of an application."""
    with psycopg.connect(dsn) as connection, connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        yield


def require_upgraded(dsn: str) -> None:
    """Raise DatabaseNotReadyError if a migration of this version has not been applied."""
    with psycopg.connect(dsn) as connection:
        applied = applied_migrations(connection)
    if not applied:
        raise DatabaseNotReadyError("nothing is applied yet")
    if missing := _missing(applied):
        raise DatabaseNotReadyError(f"not applied yet: {', '.join(missing)}")


def applied_migrations(connection: psycopg.Connection) -> list[str]:
    """Return the keys of the migrations that a database's ledger holds, in order."""
    ledger = connection.execute(_LEDGER).fetchone()
    if ledger is None or ledger[0] is None:
        return []
    return [str(row[0]) for row in connection.execute(_APPLIED)]


def pending(session: Session) -> list[str]:
    """Return the versions that have not been applied to a session's database, oldest first."""
    if session.scalar(text(_LEDGER)) is None:
        return _missing(frozenset())
    return _missing(frozenset(session.scalars(text(_APPLIED))))


def _missing(applied: Collection[str]) -> list[str]:
    return [migration.version for migration in read_migrations() if migration.key not in applied]


def adopt_baseline(dsn: str) -> None:
    """Write the baseline into the ledger of a restored database whose schema was made by the numbering before 1.0.

    Both make the same schema. The caller keeps upgrades away. Does nothing in any other database.
    """
    with psycopg.connect(dsn) as connection:
        if applied_migrations(connection)[-1:] != [LAST_OF_OLD]:
            return
        connection.execute(
            "truncate supabase_migrations.schema_migrations, supabase_migrations.second_reader_checksums"
        )
        for migration in read_migrations():
            if migration.version <= _BASELINE:
                _record(connection, migration)


def make_roles(connection: psycopg.Connection) -> None:
    """Create what a Supabase project has before its first migration, if missing."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        has_auth = connection.execute("select to_regnamespace('auth') is not null").fetchone()
        if has_auth is not None and not has_auth[0]:
            connection.execute(BOOTSTRAP.read_text(encoding="utf-8").encode())


def _prepare(connection: psycopg.Connection) -> None:
    make_roles(connection)
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        connection.execute("create schema if not exists supabase_migrations")
        connection.execute(
            "create table if not exists supabase_migrations.schema_migrations"
            " (version text primary key, statements text[], name text)"
        )
        connection.execute(
            "create table if not exists supabase_migrations.second_reader_checksums"
            " (version text primary key, sha256 text not null)"
        )


def _refuse_old_numbering(connection: psycopg.Connection) -> None:
    """Raise ConfigurationError for a database that was made before 1.0: its numbers are of other migrations."""
    if FIRST_OF_OLD in applied_migrations(connection):
        raise ConfigurationError(
            "This database was made by a version before 1.0, whose migrations had other numbers. Back it up with"
            " `flask backup FOLDER`, and restore the backup with `flask restore FOLDER` into an empty database."
        )


def _apply(connection: psycopg.Connection, migration: Migration) -> bool:
    """Apply one migration in its own transaction; False when the ledger has it already.

    Raises ConfigurationError where it was changed after it was applied."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        row = connection.execute(
            "select c.sha256 from supabase_migrations.schema_migrations m"
            " left join supabase_migrations.second_reader_checksums c using (version) where m.version = %s",
            [migration.version],
        ).fetchone()
        if row is not None:
            if row[0] is not None and row[0] != migration.checksum:
                raise ConfigurationError(
                    f"migration {migration.version}_{migration.name} was changed after it was applied;"
                    " write a new one instead"
                )
            return False
        connection.execute(migration.sql.encode())
        _record(connection, migration)
        return True


def _record(connection: psycopg.Connection, migration: Migration) -> None:
    connection.execute(
        "insert into supabase_migrations.schema_migrations (version, statements, name) values (%s, %s, %s)",
        [migration.version, [migration.sql], migration.name],
    )
    connection.execute(
        "insert into supabase_migrations.second_reader_checksums (version, sha256) values (%s, %s)",
        [migration.version, migration.checksum],
    )
