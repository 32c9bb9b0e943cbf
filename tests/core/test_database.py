"""One engine an app, made by Flask-SQLAlchemy; connections that stay on their side of a fork."""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Callable

import psycopg
import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

import core.database
from core.database import Database, bare_app, db
from core.models import Base, Season

BACKEND = text("select pg_backend_pid()")


def backend(session: Session) -> int:
    """The process of the server that this session talks to."""
    return int(session.scalars(BACKEND).one())


def test_db_carries_the_models() -> None:
    assert db.metadata is Base.metadata
    assert Season in {mapper.class_ for mapper in db.Model._sa_registry.mappers}


def test_sessions_are_on_the_engine_of_the_app(database_url: str) -> None:
    app = bare_app()
    database = Database(database_url, app=app)
    assert Database.of(app) is database
    with app.app_context(), database.session() as session:
        assert session.get_bind() is db.engine
        # The same pool: who has one connection of it twice over finds two.
        assert backend(session) != db.session.scalar(BACKEND)
    assert db.session.registry.registry == {}
    database.dispose()


def test_a_block_that_raises_leaves_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.session() as session:
        session.add(Season(name="not kept"))
        session.flush()
        raise ZeroDivisionError
    assert database.scalars(select(Season.name).where(Season.name == "not kept")) == []


def test_what_is_only_read_has_no_transaction(database: Database) -> None:
    in_transaction = text("select now() <> statement_timestamp() or pg_current_xact_id_if_assigned() is not null")
    with database.session() as session, database.reading() as reading:
        for opened, has in ((session, True), (reading, False)):
            opened.scalar(text("select pg_sleep(.001)"))
            assert opened.scalar(in_transaction) is has
        session.add(Season(name="seen once committed"))
        session.flush()
        seen = select(Season.name).where(Season.name == "seen once committed")
        assert reading.scalar(seen) is None
        session.commit()
        assert reading.scalar(seen) == "seen once committed"


@pytest.mark.parametrize(
    "write",
    [
        lambda session: session.execute(insert(Season).values(name="not written")),
        lambda session: session.execute(update(Season).values(name="not written")),
        lambda session: session.execute(delete(Season)),
        lambda session: session.execute(select(Season).with_for_update()),
        lambda session: session.add(Season(name="not written")),
    ],
)
def test_a_session_for_reading_writes_nothing(database: Database, write: Callable[[Session], object]) -> None:
    with pytest.raises(RuntimeError, match="for reading"), database.reading() as session:
        write(session)
    assert database.scalar(select(Season.name).where(Season.name == "not written")) is None


def test_a_forked_child_connects_anew(database: Database) -> None:
    with database.session() as session:
        parents = backend(session)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with database.session() as session:
            os.write(writing, str(backend(session)).encode())
        # With what a process does at its end, finalizers of the parent's connections among it.
        database.dispose()
        gc.collect()
        os._exit(0)
    os.close(writing)
    assert os.waitpid(child, 0)[1] == 0
    with os.fdopen(reading) as pipe:
        childs = int(pipe.read())
    with database.session() as session:
        assert (backend(session), childs != parents) == (parents, True)


@pytest.mark.parametrize("idle", [60.0, 0.0], ids=["used just now", "idle"])
def test_a_connection_that_the_server_closed_is_replaced(
    database: Database, database_url: str, idle: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.database, "_IDLE_SECONDS", idle)
    with database.session() as session:
        before = backend(session)
    with psycopg.connect(database_url) as other:
        other.execute("select pg_terminate_backend(%s, 60000)", [before])
    with database.session() as session:
        assert backend(session) != before


def test_behind_a_transaction_pooler_nothing_is_prepared_or_pooled(database_url: str) -> None:
    database = Database(database_url, transaction_pooler=True)
    with database.session() as session:
        connection = session.connection().connection.driver_connection
        assert isinstance(connection, psycopg.Connection) and connection.prepare_threshold is None
    assert isinstance(database.engine.pool, NullPool)


@pytest.mark.parametrize("pooler", [False, True])
def test_errors_quote_no_parameters(database_url: str, pooler: bool) -> None:
    database = Database(database_url, transaction_pooler=pooler)
    assert database.engine.hide_parameters


def test_the_address_may_come_after_the_engine(database_url: str) -> None:
    database = Database()
    with pytest.raises(RuntimeError, match="no database yet"), database.session() as session:
        backend(session)
    database.dsn = database_url
    with database.session() as session:
        assert backend(session)
    database.dispose()


def test_an_app_goes_with_its_engine() -> None:
    app = bare_app()
    gone = weakref.ref(app), weakref.ref(Database(app=app).engine)
    del app
    gc.collect()
    assert [found() for found in gone] == [None, None]


def test_a_server_that_is_gone_is_noticed(database: Database, database_url: str) -> None:
    """Silent networks are cut by `make test-fleet`; here is what the connections are told."""
    with database.driver_connection() as connection:
        told = connection.info.get_parameters()
    assert int(told["connect_timeout"]) <= 10 and int(told["tcp_user_timeout"]) <= 30_000
    assert int(told["keepalives_idle"]) + int(told["keepalives_interval"]) * int(told["keepalives_count"]) <= 30
    joint = "&" if "?" in database_url else "?"
    other = Database(f"{database_url}{joint}connect_timeout=3")
    with other.driver_connection() as connection:
        assert connection.info.get_parameters()["connect_timeout"] == "3"
    other.dispose()
