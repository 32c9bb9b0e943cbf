"""The app factory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import flask_app
from core.config import ROOT, load_settings


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
