"""An office with a small library, for reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config import load_settings
from services.context import Context
from tests.support.research.research_library import put_papers
from tests.support.site import tidy_context


@pytest.fixture
def chosen(tmp_path: Path, database_url: str, redis_url: str) -> dict[str, Any]:
    """The settings of a report's test."""
    return {
        "_env_file": None,
        "var_dir": tmp_path,
        "database_url": database_url,
        "redis_url": redis_url,
        "secret_key": "test",
        "lease_seconds": 30,
    }


@pytest.fixture
def context(chosen: dict[str, Any]) -> Iterator[Context]:
    """Opened parts with the library's papers, no model, no key of any provider."""
    with tidy_context(load_settings(**chosen)) as opened:
        opened.redis.flushdb()
        put_papers(opened.database)
        yield opened
