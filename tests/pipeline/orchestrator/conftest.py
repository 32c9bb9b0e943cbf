"""Runs of processes that were killed are left in the database: what is due among them is no other test's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.tables import empty_tables_at


@pytest.fixture(autouse=True)
def tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "database_url" in request.fixturenames:
        empty_tables_at(request.getfixturevalue("database_url"))
