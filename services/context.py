"""The resources of a process, opened once: settings, database, the queue's Redis server and file store."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from flask import Flask
from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from core.auth.provider import AuthProvider, open_auth
from core.config import Settings
from core.confined.children import use_limits
from core.confined.limits import ConfinedLimits
from core.database import Database, bare_app, register_database
from core.embedded.handles import start_postgres, start_valkey
from core.file_store import FileStore, open_file_store
from core.tracing.log import get_logger

log = get_logger(__name__)
#: Few retries of a queue server that does not answer: a person waits meanwhile, and a failure does no harm.
_QUEUE_RETRY = Retry(ExponentialBackoff(cap=0.2, base=0.05), 2)


@dataclass
class Context:
    """The open resources of this process. Safe across a fork: the child opens its own connections."""

    settings: Settings
    #: Jobs and commands run in the context of this app.
    app: Flask
    database: Database
    redis: Redis
    store: FileStore
    #: Supabase Auth; None where this program keeps the accounts itself.
    auth: AuthProvider | None
    _parts: ExitStack

    def close(self) -> None:
        """Close connections and release the embedded servers; the last process that uses them stops them."""
        self._parts.close()


def open_context(settings: Settings, app: Flask | None = None) -> Context:
    """Open the resources that the settings name, starting the embedded servers for URLs that are not given.

    `app` must have gone through `register_database`; without it a bare app is created.
    """
    if settings.langsmith_tracing:
        log.info("traces_are_sent", project=settings.langsmith_project, content=settings.langsmith_send_content)
    use_limits(ConfinedLimits(settings.parse_memory_mb << 20, settings.parse_seconds))
    with ExitStack() as parts:
        dsn = settings.database_url or parts.enter_context(start_postgres(settings.var_dir)).dsn
        redis_url = settings.redis_url or parts.enter_context(start_valkey(settings.var_dir)).url
        app = app or register_database(bare_app(), settings)
        database = Database.of(app)
        database.dsn = dsn
        parts.callback(database.dispose)
        redis = Redis.from_url(redis_url, retry=_QUEUE_RETRY)
        parts.callback(redis.close)
        store = open_file_store(settings)
        return Context(settings, app, database, redis, store, open_auth(settings), parts.pop_all())
