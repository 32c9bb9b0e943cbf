"""DATABASE_URL and REDIS_URL take the embedded servers' place: nothing is started, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from core.config import load_settings
from services.context import open_context


def test_own_servers_replace_the_embedded_ones(
    database_url: str, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("REDIS_URL", redis_url)
    context = open_context(load_settings(_env_file=None, var_dir=tmp_path, secret_key="test"))
    try:
        assert context.database.scalar(text("SELECT current_database()")) in database_url
        assert context.redis.ping()
    finally:
        context.close()
    assert not {"postgres", "valkey", "run"} & {path.name for path in tmp_path.iterdir()}
