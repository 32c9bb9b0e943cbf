"""What every use case works with: settings, database, queue's server and file store, opened once a process."""

from __future__ import annotations

from dataclasses import dataclass

from redis import Redis

from core.config import Settings
from core.database import Database
from core.embedded import PostgresHandle, ValkeyHandle, start_postgres, start_valkey
from core.file_store import FileStore
from core.tracing import configure_tracing
from pipeline.supabase_storage import open_file_store


@dataclass
class Context:
    """The open parts of this process. Safe to carry over a fork: connections are made anew in the child."""

    settings: Settings
    database: Database
    redis: Redis
    store: FileStore
    _servers: list[PostgresHandle | ValkeyHandle]

    def close(self) -> None:
        """Close connections and let go of the embedded servers; the last owner stops them."""
        self.database.dispose()
        self.redis.close()
        while self._servers:
            self._servers.pop().release()


def open_context(settings: Settings) -> Context:
    """Open what the settings name, starting the embedded servers where no URL of one's own is given."""
    configure_tracing(settings)
    servers: list[PostgresHandle | ValkeyHandle] = []
    if settings.database_url is None:
        postgres = start_postgres(settings.var_dir)
        servers.append(postgres)
        dsn = postgres.dsn
    else:
        dsn = settings.database_url
    if settings.redis_url is None:
        valkey = start_valkey(settings.var_dir)
        servers.append(valkey)
        redis_url = valkey.url
    else:
        redis_url = settings.redis_url
    return Context(
        settings=settings,
        database=Database(dsn, settings.database_transaction_pooler),
        redis=Redis.from_url(redis_url),
        store=open_file_store(settings),
        _servers=servers,
    )
