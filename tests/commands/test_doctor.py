"""`flask doctor` says what it found, and ends with 1 when something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import commands.tending
from core.config import Settings
from tests.support.site import tidy_context


@pytest.fixture
def examined(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)

    def run(*given: str, **values: object) -> Result:
        chosen = settings.model_copy(update=values)
        monkeypatch.setattr(commands.tending, "get_settings", lambda: chosen)
        return CliRunner().invoke(commands.tending.doctor, given)

    with tidy_context(settings):
        yield run


def test_all_is_well(examined) -> None:  # type: ignore[no-untyped-def]
    done = examined()
    assert done.exit_code == 0, done.output
    assert "OK           The database is responding: PostgreSQL" in done.output and "ms)" in done.output
    assert "No traces are sent." in done.output
    assert "No traces are sent." not in examined("--here").output


def test_what_is_wrong_ends_it_with_one(examined, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / ".env").write_text("GROQ_API_KEI=gsk_very_secret_0000\n")
    done = examined("--here")
    assert done.exit_code == 1 and "gsk_very_secret_0000" not in done.output
    assert (
        "Problem      GROQ_API_KEI in .env is not a setting and is ignored. Did you mean GROQ_API_KEY?"
        in done.output
    )


def test_a_server_that_is_away(examined) -> None:  # type: ignore[no-untyped-def]
    done = examined("--here", redis_url="redis://127.0.0.1:1")
    assert done.exit_code == 1 and "The queue is not responding (ConnectionError)." in done.output
