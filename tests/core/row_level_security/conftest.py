"""The world that clients look at, in the embedded server and in a Supabase project."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core.row_level_security.clients import World, open_world


@pytest.fixture(scope="module", params=["database_url", "session_url"], ids=["embedded", "supabase"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Rows of three people, gone at the end of the module."""
    with open_world(request.getfixturevalue(request.param)) as opened:
        yield opened
