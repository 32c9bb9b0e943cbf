"""Settings come from the installation's own `.env`, and never from one of a folder above it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.config import ROOT, load_settings
from core.errors import ConfigurationError

#: What somebody who may write to the folder above leaves there.
PLANTED = "FLASK_APP=../planted.py\nMAX_PAGES=7\n"


def routes_of(folder: Path) -> str:
    """Return what `flask routes` prints in the folder."""
    around = {name: value for name, value in os.environ.items() if not name.startswith("FLASK_")}
    command = [sys.executable, "-m", "flask", "routes"]
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_made_installation_runs_no_code_of_a_folder_above(tmp_path: Path) -> None:
    for name in ("Makefile", ".flaskenv"):
        (tmp_path / "here" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "here" / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "here" / "requirements.txt").touch()
    (tmp_path / "here" / "flask_app.py").write_text('from flask import Flask\napp = Flask("ours")\n')
    (tmp_path / "planted.py").write_text('from flask import Flask\nprint("planted")\napp = Flask("theirs")\n')
    (tmp_path / ".env").write_text(PLANTED)
    assert "planted" in routes_of(tmp_path / "here")
    plan = subprocess.run(
        ["make", "-n", "install"], cwd=tmp_path / "here", capture_output=True, text=True, check=True
    )
    assert "touch .env\n" in plan.stdout
    subprocess.run(["make", "-s", ".env"], cwd=tmp_path / "here", check=True)
    assert "planted" not in routes_of(tmp_path / "here")


def test_start_up_refuses_settings_of_a_folder_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / ".env").write_text(PLANTED)
    monkeypatch.chdir(tmp_path / "here")
    load_settings()
    monkeypatch.setenv("FLASK_RUN_FROM_CLI", "true")
    with pytest.raises(ConfigurationError, match=r"touch .*\.env"):
        load_settings()
    (tmp_path / "here" / ".env").touch()
    load_settings()
