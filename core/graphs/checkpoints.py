"""LangGraph's checkpoints in a schema of their own, `langgraph`, that no API publishes."""

from __future__ import annotations

import time
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
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


class _OnlyWriter(PostgresSaver):
    """A saver that asks the database no more for threads that were empty when it asked first.

    A thread is written under a lease, by one process with one saver: what it has not written is not there.
    """

    def __init__(self, pool: ConnectionPool[Any]) -> None:
        super().__init__(pool, serde=StrictSerializer())
        #: For each thread that was asked for the namespaces written since if it was empty, else None.
        self._written: dict[str, set[str] | None] = {}

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """See `BaseCheckpointSaver.get_tuple`."""
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
        """See `BaseCheckpointSaver.put`."""
        thread, namespace = _place(config)
        if (written := self._written.get(thread)) is not None:
            written.add(namespace)
        return super().put(config, checkpoint, metadata, new_versions)

    def _has(self, thread: str) -> bool:
        """Whether the thread has a checkpoint; planned in a fraction of the time that `get_tuple` takes."""
        with self._cursor() as cursor:
            return cursor.execute("select from checkpoints where thread_id = %s limit 1", [thread]).rowcount > 0


def _place(config: RunnableConfig) -> tuple[str, str]:
    """Return the thread and the namespace within it, which is empty but for subgraphs."""
    place = config["configurable"]
    return str(place["thread_id"]), str(place.get("checkpoint_ns", ""))


def open_saver(pool: ConnectionPool[Any]) -> PostgresSaver:
    """Return a saver with strict msgpack for a process that alone writes the threads that it reads.

    It does not reject objects: nodes check that state is JSON.
    """
    return _OnlyWriter(pool)
