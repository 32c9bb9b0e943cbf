"""The app factory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import flask_app
from core.config import ROOT, load_settings
from tests.support.long import some


def test_making_the_app_starts_nothing(tmp_path: Path) -> None:
    flask_app.create_app(load_settings(_env_file=None, var_dir=tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret_key"]


def test_the_command_line_finds_app_and_commands(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "flask_app", "users", "--help"],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert "create-admin" in found.stdout


@pytest.mark.parametrize("command", ["routes", "shell"])
def test_commands_of_flask_know_the_pages(tmp_path: Path, command: str) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "flask_app", command],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "PATH": ""},
        input="print(app.url_map)",
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert "review.queue" in found.stdout


TWICE = "import flask_app; flask_app.create_app(); flask_app.create_app()"


@pytest.mark.long
@pytest.mark.parametrize(
    "start", some([("-c", TWICE), ("-m", "flask", "--app", "flask_app", "routes"), ("-m", "jobs.worker")], 2)
)
def test_every_process_says_once_which_settings_have_no_effect(tmp_path: Path, start: tuple[str, ...]) -> None:
    """The worker ends because there is no queue at that address."""
    environment = {
        "VAR_DIR": str(tmp_path),
        "PATH": "",
        "OCR_PROVIDER": "none",
        "DATABASE_URL": "postgresql://127.0.0.1:9/none",
        "SECRET_KEY": "test",
        "REDIS_URL": "redis://127.0.0.1:9",
        "GROQ_API_KEY": "k",
        "DEEP_THINKING_BUDGET": "8000",
    }
    done = subprocess.run(
        [sys.executable, *start],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told = [line for line in (done.stdout + done.stderr).splitlines() if "setting_ignored" in line]
    assert len(told) == 1 and "DEEP_THINKING_BUDGET" in told[0] and "groq" in told[0]
