"""A database before its first migration."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.embedded.handles import PostgresHandle
from tests.support.services import empty_database


@pytest.fixture
def empty_database_url(postgres_server: PostgresHandle, slot: int) -> Iterator[str]:
    """The URL of a database with nothing in it."""
    with empty_database(postgres_server.dsn, slot, "empty") as url:
        yield url
