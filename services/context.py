"""What every use case works with: settings, database, queue's server and file store, opened once a process."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from flask import Flask
from redis import Redis

from core.config import Settings
from core.database import Database, bare_app, register_database
from core.embedded import start_postgres, start_valkey
from core.file_store import FileStore
from core.tracing import configure_tracing
from pipeline.supabase_storage import open_file_store


@dataclass
class Context:
    """The open parts of this process. Safe to carry over a fork: connections are made anew in the child."""

    settings: Settings
    #: Jobs and commands run in its context.
    app: Flask
    database: Database
    redis: Redis
    store: FileStore
    _parts: ExitStack

    def close(self) -> None:
        """Close connections and let go of the embedded servers; the last owner stops them."""
        self._parts.close()


def open_context(settings: Settings, app: Flask | None = None) -> Context:
    """Open what the settings name, starting the embedded servers where no URL of one's own is given.

    `app`: one that went through `register_database`; without it a bare one is made.
    """
    configure_tracing(settings)
    with ExitStack() as parts:
        dsn = settings.database_url or parts.enter_context(start_postgres(settings.var_dir)).dsn
        redis_url = settings.redis_url or parts.enter_context(start_valkey(settings.var_dir)).url
        app = app or register_database(bare_app(), settings)
        database = Database.of(app)
        database.dsn = dsn
        parts.callback(database.dispose)
        redis = Redis.from_url(redis_url)
        parts.callback(redis.close)
        store = open_file_store(settings)
        return Context(settings, app, database, redis, store, parts.pop_all())
