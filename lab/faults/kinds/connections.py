"""Connections that are cut: to the database, to the queue, and from people who hand files in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from redis import Redis

from lab.faults.scene import Kind, Scene

#: How often connections to the queue are cut, and uploads.
_TIMES = 5
#: How often connections to the database are cut: so often that some break in the middle of a commit.
_DATABASE_TIMES = 60
_CUT = (
    "select count(pg_terminate_backend(pid)) from pg_stat_activity"
    " where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()"
)


@contextmanager
def _database(scene: Scene) -> Iterator[str]:
    cut = 0
    for _ in range(_DATABASE_TIMES):
        time.sleep(scene.rng.uniform(0.05, 0.4))
        with psycopg.connect(scene.installation.postgres.dsn, connect_timeout=5) as connection:
            row = connection.execute(_CUT).fetchone()
            cut += row[0] if row else 0
    yield f"{cut} connections to PostgreSQL, in {_DATABASE_TIMES} goes"


@contextmanager
def _queue(scene: Scene) -> Iterator[str]:
    cut = 0
    for _ in range(_TIMES):
        time.sleep(scene.rng.uniform(0.3, 1.5))
        with Redis.from_url(scene.installation.valkey.url, socket_timeout=5) as client:
            for kind in ("normal", "pubsub"):
                cut += int(client.client_kill_filter(_type=kind, skipme=True))
    yield f"{cut} connections to Valkey, in {_TIMES} goes"


@contextmanager
def _uploads(scene: Scene) -> Iterator[str]:
    files = scene.files[:_TIMES]
    for file in files:
        scene.sender.cut_off(file)
    yield f"{len(files)} requests, each in the middle of its file"


CONNECTIONS = (
    Kind("database_cut", "every connection to PostgreSQL cut, again and again", _database),
    Kind("queue_cut", "every connection to Valkey cut, again and again", _queue),
    Kind("uploads_cut", "senders that hang up in the middle of a file", _uploads),
)
