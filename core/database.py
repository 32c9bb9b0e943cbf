"""Connections to PostgreSQL: one engine a process, made after a fork, and transactions as a context."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import NullPool


def sqlalchemy_url(dsn: str) -> str:
    """Name psycopg 3 as the driver of a `postgresql://` or `postgres://` URL."""
    scheme, _, rest = dsn.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else dsn


class Database:
    """A PostgreSQL database; engines are made on first use in each process."""

    def __init__(self, dsn: str, transaction_pooler: bool = False, pool_size: int = 8) -> None:
        """`transaction_pooler`: behind pgbouncer in transaction mode; no prepared statements, no pool here."""
        self.dsn = dsn
        self._transaction_pooler = transaction_pooler
        self._pool_size = pool_size
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._pid = 0

    @property
    def engine(self) -> Engine:
        """The engine of this process; a forked child never uses its parent's connections."""
        with self._lock:
            if self._engine is None or self._pid != os.getpid():
                if self._engine is not None:
                    self._engine.dispose(close=False)
                self._engine = self._make()
                self._pid = os.getpid()
            return self._engine

    def _make(self) -> Engine:
        # Parameters hold personal data: an error that is logged must not quote them.
        url = sqlalchemy_url(self.dsn)
        if self._transaction_pooler:
            return create_engine(
                url, poolclass=NullPool, connect_args={"prepare_threshold": None}, hide_parameters=True
            )
        return create_engine(
            url, pool_size=self._pool_size, max_overflow=4, pool_pre_ping=True, hide_parameters=True
        )

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back when it raises."""
        with sessionmaker(self.engine, expire_on_commit=False).begin() as session:
            yield session

    def dispose(self) -> None:
        """Close this process's connections."""
        with self._lock:
            if self._engine is not None and self._pid == os.getpid():
                self._engine.dispose()
            self._engine = None
