"""LangGraph's checkpoints in a schema of their own, `langgraph`, that no API publishes."""

from __future__ import annotations

import time
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from core.graphs.checkpoint_serializer import StrictSerializer

SCHEMA = "langgraph"
# Checkpoints may miss the last moments before a power cut: our own tables are authoritative.
_OPTIONS = f"-c search_path={SCHEMA} -c synchronous_commit=off"


def create_checkpoint_tables(dsn: str, lock: int) -> None:
    """Create schema and tables. For `flask db-upgrade` only: concurrent `setup()` calls violate a unique key."""
    with psycopg.connect(dsn, autocommit=True) as guard:
        # Waiting inside a statement would hold a snapshot, and `setup()` builds indexes concurrently: that waits
        # for every snapshot, so the two would wait for each other for ever.
        while guard.execute("select pg_try_advisory_lock(%s)", [lock]).fetchone() != (True,):
            time.sleep(0.05)
        guard.execute(f"create schema if not exists {SCHEMA}")
        with psycopg.connect(dsn, autocommit=True, row_factory=dict_row, options=_OPTIONS) as connection:
            PostgresSaver(connection).setup()


def open_pool(dsn: str, transaction_pooler: bool = False, max_size: int = 4) -> ConnectionPool[Any]:
    """Open a connection pool with the options that PostgresSaver needs. Call it after any fork."""
    return ConnectionPool(
        dsn,
        min_size=0,
        max_size=max_size,
        # Threads that open connections in the background: a run opens a pool of its own and needs one connection.
        num_workers=1,
        open=True,
        kwargs={
            "autocommit": True,
            "row_factory": dict_row,
            "prepare_threshold": None if transaction_pooler else 5,
            "options": _OPTIONS,
        },
    )


def open_saver(pool: ConnectionPool[Any]) -> PostgresSaver:
    """Return a saver with strict msgpack. It does not reject objects: nodes check that state is JSON."""
    return PostgresSaver(pool, serde=StrictSerializer())
