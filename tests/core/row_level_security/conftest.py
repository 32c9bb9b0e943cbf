"""The world that clients look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.row_level_security.clients import World, open_world


@pytest.fixture(scope="module")
def world(database_url: str) -> Iterator[World]:
    """Rows of three people, gone at the end of the module."""
    with open_world(database_url) as opened:
        yield opened
