"""PostgreSQL through Flask-SQLAlchemy: `db` carries the models and the engines, `Database` gives short sessions.

`db.session`, which lasts as long as its app context, is for `flask shell` alone: a job's context spans recognition
and model calls, during which no connection may be held.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from weakref import WeakSet

import psycopg
from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from core.config import Settings
from core.models import Base

#: The models derive from `Base` itself: `db.Model` would add a `query` that works on `db.session`.
db = SQLAlchemy(model_class=Base, disable_autonaming=True)

_KEY = "second_reader_database"
#: A pooled connection that was idle for longer is asked whether it is alive, which is a round trip. A job takes
#: connections every few milliseconds; that the server has closed one in so short a time is seen at its socket.
_IDLE_SECONDS = 1.0
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
        self,
        dsn: str = "",
        transaction_pooler: bool = False,
        pool_size: int = 8,
        app: Flask | None = None,
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
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)
        self._autocommit = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._statements = sessionmaker(self._autocommit, expire_on_commit=False)

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
    def statement(self) -> Iterator[Session]:
        """A session for one statement, which commits by itself: no round trips of a transaction around it."""
        with self._statements.begin() as session:
            yield session

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
        parameters.update(conninfo_to_dict(self.dsn))

    def _require_alive(self, connection: Any, entry: ConnectionPoolEntry, _proxy: Any) -> None:
        """Have the pool connect anew where a connection that was used before is dead."""
        used = entry.info.get("used")
        if used is None or (time.monotonic() - used < _IDLE_SECONDS and not _has_unread(connection)):
            return
        try:
            self.engine.dialect.do_ping(connection)
        except psycopg.OperationalError as exc:
            raise InvalidatePoolError from exc


def _options(transaction_pooler: bool, pool_size: int) -> dict[str, Any]:
    # Parameters hold personal data: an error that is logged must not quote them.
    hidden = {"hide_parameters": True}
    if transaction_pooler:
        return {**hidden, "poolclass": NullPool, "connect_args": {"prepare_threshold": None}}
    return {**hidden, "pool_size": pool_size, "max_overflow": 4}


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
