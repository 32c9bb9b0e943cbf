"""A context with an empty queue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from services.context import Context
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings) as opened:
        opened.redis.flushdb()
        yield opened
