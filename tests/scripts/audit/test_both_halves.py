"""The audit says what it found, what it could not look up, and ends accordingly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.audit.both_halves import CLEAN, FOUND, NOT_LOOKED_UP, main

HOLE = {"id": "PYSEC-2026-1", "fix_versions": ["1.1"], "aliases": [], "description": ""}
SOUND = {"name": "flask", "version": "3.1", "vulns": []}
BROKEN = {"name": "click", "version": "1.0", "vulns": [HOLE]}
UNKNOWN = {"name": "wtforms", "skip_reason": "Dependency not found on PyPI and could not be audited"}
AWAY = None


def programs(folder: Path, dangerous: bool, packages: list[object] | None) -> Path:
    """Stand-ins for both programs, which answer as the real ones do."""
    said = "" if packages is None else json.dumps({"dependencies": packages, "fixes": []})
    holes = packages is None or BROKEN in packages
    for name, text, code in (("bandit", "", int(dangerous)), ("pip-audit", said, int(holes))):
        (folder / f"{name}.txt").write_text(text)
        program = folder / name
        error = "" if text else "echo 'ERROR: could not connect' >&2"
        program.write_text(f"#!/bin/sh\ncat {folder}/{name}.txt\n{error}\nexit {code}\n")
        program.chmod(0o700)
    return folder


@pytest.mark.parametrize(
    ("dangerous", "packages", "must_look", "code", "said"),
    [
        (False, [SOUND], True, CLEAN, "0 in 1 packages"),
        (True, [SOUND], False, FOUND, "0 in 1 packages"),
        (False, [SOUND, BROKEN], False, FOUND, "click 1.0: PYSEC-2026-1, mended in 1.1"),
        (False, [SOUND, UNKNOWN], False, FOUND, "wtforms: not in the database"),
        (False, [UNKNOWN], False, CLEAN, "NOT LOOKED UP (the database knows none"),
        (False, [UNKNOWN], True, NOT_LOOKED_UP, "NOT LOOKED UP"),
        (False, AWAY, False, CLEAN, "NOT LOOKED UP (ERROR: could not connect)"),
        (False, AWAY, True, NOT_LOOKED_UP, "NOT LOOKED UP"),
        (True, AWAY, True, FOUND, "NOT LOOKED UP"),
    ],
)
def test_what_it_says_and_how_it_ends(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    dangerous: bool,
    packages: list[object] | None,
    must_look: bool,
    code: int,
    said: str,
) -> None:
    found = main(["--must-look"] if must_look else [], programs(tmp_path, dangerous, packages))
    assert found == code
    out = capfd.readouterr().out
    assert said in out and "Dangerous calls in the code:" in out
