"""`flask worker`, as an operator types it too early."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from commands import workforce as module
from core.config import Settings
from core.embedded.handles import PostgresHandle
from tests.support.services import empty_database


def test_a_database_that_was_never_migrated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, postgres_server: PostgresHandle, slot: int
) -> None:
    monkeypatch.setattr(module, "end_on_signals", lambda: None)
    with empty_database(postgres_server.dsn, slot, "unready") as url:
        monkeypatch.setattr(module, "get_settings", lambda: settings.model_copy(update={"database_url": url}))
        result = CliRunner().invoke(module.worker)
    assert result.exit_code == 1 and "Run `flask db-upgrade`" in result.output
