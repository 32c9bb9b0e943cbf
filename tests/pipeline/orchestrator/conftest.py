"""Runs of processes that were killed are left in the database: what is due among them is no other test's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.database import Database
from tests.support.tables import empty_tables


@pytest.fixture(autouse=True)
def tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "database_url" in request.fixturenames:
        database = Database(request.getfixturevalue("database_url"))
        with database.session() as session:
            empty_tables(session)
        database.dispose()
