"""Checkpoints of LangGraph in PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg.rows import DictRow, dict_row

from core.database import Database
from core.tracing.traces import forbid_ambient_tracing

# Whatever runs a graph imports this module.
forbid_ambient_tracing()

# LangGraph's checkpoints are in their own schema, `langgraph`, which no API publishes.


SCHEMA = "langgraph"
#: For one transaction: LangGraph's statements name no schema. Checkpoints may miss the last moments before a
#: power cut: our own tables are authoritative.
_IN_SCHEMA = f"select set_config('search_path', '{SCHEMA}', true), set_config('synchronous_commit', 'off', true)"


def create_checkpoint_tables(dsn: str, lock: int) -> None:
    """Create schema and tables. For `flask db-upgrade` only: concurrent `setup()` calls violate a unique key."""
    with psycopg.connect(dsn, autocommit=True) as guard:
        # Waiting inside a statement would hold a snapshot, and `setup()` builds indexes concurrently: that waits
        # for every snapshot, so the two would wait for each other for ever.
        while guard.execute("select pg_try_advisory_lock(%s)", [lock]).fetchone() != (True,):
            time.sleep(0.05)
        guard.execute(f"create schema if not exists {SCHEMA}")
        with psycopg.connect(dsn, autocommit=True, row_factory=dict_row) as connection:
            # Not in the parameters of the start, which poolers refuse.
            connection.execute(f"set search_path to {SCHEMA}")
            PostgresSaver(connection).setup()


class OnlyWriter(PostgresSaver):
    """A saver on the connections of the app's engine.

    It does not query a thread again that was empty at first: a thread is written under a lease, by one process
    with one saver, so what it has not written does not exist.
    """

    def __init__(self, database: Database) -> None:
        # `_cursor`, which is replaced, is all that uses a connection given here.
        super().__init__(cast(Any, None), serde=StrictSerializer())
        self._database = database
        #: By queried thread: the namespaces written since if it was empty, else None.
        self._written: dict[str, set[str] | None] = {}

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread, namespace = _place(config)
        if thread not in self._written:
            self._written[thread] = None if self._has(thread) else set()
        written = self._written[thread]
        return None if written is not None and namespace not in written else super().get_tuple(config)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        thread, namespace = _place(config)
        if (written := self._written.get(thread)) is not None:
            written.add(namespace)
        return super().put(config, checkpoint, metadata, new_versions)

    def _has(self, thread: str) -> bool:
        """Whether the thread has a checkpoint; planned in a fraction of the time that `get_tuple` takes."""
        with self._cursor() as cursor:
            cursor.execute("select 1 from checkpoints where thread_id = %s limit 1", [thread])
            return cursor.fetchone() is not None

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[psycopg.Cursor[DictRow]]:
        """Open a cursor whose statements are sent together, in one transaction.

        PostgreSQL runs what comes between two synchronisations of a pipeline in one transaction, so that no
        `begin` and no `commit` cost a round trip and the settings end with it.
        """
        with self._database.driver_connection() as connection, connection.pipeline():
            connection.execute(_IN_SCHEMA)
            with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                yield cursor


def _place(config: RunnableConfig) -> tuple[str, str]:
    """Return the thread and the namespace within it, which is empty except in subgraphs."""
    place = config["configurable"]
    return str(place["thread_id"]), str(place.get("checkpoint_ns", ""))


def open_saver(database: Database) -> OnlyWriter:
    """Return a saver with strict msgpack for a process that alone writes the threads that it reads.

    It does not reject objects: nodes check that state is JSON.
    """
    return OnlyWriter(database)


# Serialiser of checkpoints: strict msgpack, without the texts of errors.


class StrictSerializer(JsonPlusSerializer):
    """Deserialises only JSON types and LangGraph's own types.

    LangGraph stores `repr()` of an exception that a node raised, and a library's (such as a validation error)
    may quote the document. Only its class is stored.
    """

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        return super().dumps_typed(type(obj).__name__ if isinstance(obj, BaseException) else obj)
