"""Empty the tables of a test's database, by a connection that stays for the next test."""

from __future__ import annotations

import os
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import event, text
from sqlalchemy.orm import Session

from core.database import Database
from core.models import Base

_NAMES = (
    *(table.name for table in Base.metadata.sorted_tables),
    *(f"embeddings.{name}" for name in ("passage_texts", "passage_embeddings")),
    *(f"langgraph.{name}" for name in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")),
)


def empty_tables(session: Session) -> None:
    """Delete what the tables hold. A truncate would rewrite all that refer to a filled one: far slower."""
    # What a process that was killed or told to go still writes is waited for.
    session.execute(text(f"lock table {', '.join(_NAMES)} in access exclusive mode"))
    filled = session.scalars(
        text(" union all ".join(f"select '{n}' where exists (select 1 from {n})" for n in _NAMES))
    ).all()
    if filled:
        # Neither foreign keys nor the triggers that keep the audit trail may object.
        session.execute(text("set local session_replication_role = replica"))
        for name in filled:
            session.execute(text(f"delete from {name}"))


def empty_tables_at(url: str) -> None:
    """Delete what the tables of a database hold."""
    database = Database(url)
    take_kept_connection(database)
    with database.session() as session:
        empty_tables(session)
    keep_connection(database)
    database.dispose()


#: A connection to each database that stayed, by process and place. The first statements of a new one cost client
#: and server 30 ms, since neither has read a description of anything yet: far more than most tests.
_kept: dict[tuple[int, str], psycopg.Connection[Any]] = {}


def take_kept_connection(database: Database) -> None:
    """Have a database that is not connected to yet begin with the connection that stayed, where one did."""

    def kept(
        _dialect: Any, _record: Any, _args: Any, parameters: dict[str, Any]
    ) -> psycopg.Connection[Any] | None:
        return _kept.pop(_key(parameters), None)

    event.listen(database.engine, "do_connect", kept)


def keep_connection(database: Database) -> None:
    """Keep one of its connections open: without what a test has set for the session, prepared or locked."""
    if (key := _key(conninfo_to_dict(database.dsn))) in _kept:
        return
    pooled = database.engine.raw_connection()
    connection: Any = pooled.driver_connection
    pooled.detach()
    connection.autocommit = True
    connection.execute("discard all")
    connection.autocommit = False
    _kept[key] = connection


def close_kept_connections() -> None:
    """Before the database is dropped."""
    while _kept:
        _kept.popitem()[1].close()


def _key(parameters: dict[str, Any]) -> tuple[int, str]:
    return os.getpid(), repr([parameters.get(name) for name in ("host", "port", "user", "dbname")])
