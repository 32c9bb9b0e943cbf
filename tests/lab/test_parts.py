"""A part of the system that is missing: its tests are skipped and counted in the last line, or fail under CI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.long import some

_CHECKOUT = Path(__file__).parents[2]
_TEST = """
from tests.support.parts import need

def test_that_wants_a_recogniser():
    need("tesseract")

def test_that_wants_a_browser():
    need("browser")

def test_that_wants_nothing():
    pass
"""


def run(folder: Path, **environment: str) -> tuple[int, list[str]]:
    """What pytest makes of it on a machine without any program."""
    (folder / "test_wanting.py").write_text(_TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", str(folder)]
    bare = {"PATH": str(folder), "PYTHONPATH": str(_CHECKOUT), **environment}
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.long
@pytest.mark.parametrize("environment", some([{"CI": "true", "ALLOW_MISSING": "browser,tesseract"}, {}], 2))
def test_tests_that_want_it_are_skipped_and_counted(tmp_path: Path, environment: dict[str, str]) -> None:
    code, lines = run(tmp_path, **environment)
    assert code == 0
    assert "1 passed, 2 skipped" in lines[-2]
    assert "1 for want of browser, 1 for want of tesseract" in lines[-1]


def test_they_fail_under_ci(tmp_path: Path) -> None:
    code, lines = run(tmp_path, CI="true", ALLOW_MISSING="browser")
    assert code == 1
    assert "1 failed, 1 passed, 1 skipped" in lines[-2]
    assert lines[-1].startswith("Skipped because this machine lacks what they need: 1 for want of browser")
