"""The threat model names tests that there are."""

from __future__ import annotations

import re

from core.config import ROOT

_NAMED = re.compile(r"`((?:[a-z_]+/)*test_\w+)`")


def test_every_test_that_the_threat_model_names_exists() -> None:
    text = (ROOT / "docs" / "threat_model.md").read_text(encoding="utf-8")
    rows = [line for line in text.split("## Ways, and what holds")[1].splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 15
    for row in rows:
        named = _NAMED.findall(row)
        assert named or "`make " in row, row
        assert all((ROOT / "tests" / f"{name}.py").is_file() for name in named), row
