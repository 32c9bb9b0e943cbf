"""A context on the test's own database, queue and files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from core.config import load_settings
from services.context import Context, open_context


@pytest.fixture
def context(tmp_path: Path, database_url: str, redis_url: str) -> Iterator[Context]:
    """Opened parts; a lease runs out after two seconds, so that recovery need not be waited for."""
    settings = load_settings(
        _env_file=None,
        var_dir=tmp_path,
        database_url=database_url,
        redis_url=redis_url,
        secret_key="test",
        lease_seconds=2,
        audit_share=0.0,
    )
    Redis.from_url(redis_url).flushdb()
    opened = open_context(settings)
    yield opened
    opened.close()
