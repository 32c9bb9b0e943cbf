"""Secrets come as files, as container engines and systemd hand them over."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import load_settings
from core.errors import ConfigurationError


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "secrets"
    folder.mkdir()
    monkeypatch.setenv("SECRETS_DIR", str(folder))
    monkeypatch.delenv("SUPABASE_PUBLISHABLE_KEY", raising=False)
    return folder


def test_a_setting_comes_from_a_file_without_its_line_end(secrets: Path) -> None:
    (secrets / "smtp_password").write_text("from a file\n")
    (secrets / "supabase_anon_key").write_text("under the older name")
    (secrets / ".version").mkdir()
    found = load_settings(smtp_user="ana", smtp_host="127.0.0.1", mail_from="a@example.org", public_url="http://x")
    assert found.smtp_password is not None and found.smtp_password.get_secret_value() == "from a file"
    assert found.supabase_publishable_key is not None


def test_the_environment_wins(secrets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (secrets / "max_pages").write_text("7")
    assert load_settings().max_pages == 7
    monkeypatch.setenv("MAX_PAGES", "9")
    assert load_settings().max_pages == 9


@pytest.mark.parametrize("name", ["secret-key", "database_ulr"])
def test_a_file_of_no_setting_is_refused(secrets: Path, name: str) -> None:
    (secrets / name).write_text("x")
    with pytest.raises(ConfigurationError, match=name):
        load_settings()


def test_a_folder_that_is_not_there_is_refused(secrets: Path) -> None:
    secrets.rmdir()
    with pytest.raises(ConfigurationError, match="secrets cannot be read"):
        load_settings()
