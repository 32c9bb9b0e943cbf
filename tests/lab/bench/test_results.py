"""Results are written as JSON and shown on one page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lab.bench.measure import at_most, measured
from lab.bench.results import write_results

FAST = measured("time", 2.5, "s", at_most(3), "by the clock")
SLOW = measured("time", 4, "s", at_most(3), "by the clock")
SIZE = measured("size", 12, "MB", at_most(10), "by the scale")


def test_a_missed_target_is_told(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    assert write_results("reading", [FAST], folder=tmp_path / "results", page=page)
    assert not write_results("desk", [SIZE], folder=tmp_path / "results", page=page)
    text = page.read_text(encoding="utf-8")
    assert re.search(r"\| `time` \| 2.5 s \| ≤ 3 \| yes \| 20\d\d-\d\d-\d\d [0-9a-f]* ?\| by the clock \|", text)
    assert re.search(r"\| `size` \| 12 MB \| ≤ 10 \| no \| [^|]+ \| by the scale \|", text)


def test_a_figure_taken_before_its_code_changed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, page = tmp_path / "results", tmp_path / "benchmarks.md"
    commits: list[str] = []

    def git(command: str, *arguments: str) -> str:
        """The first commit is followed by another of the code that is measured, the second by none."""
        if command == "rev-parse":
            commits.append(f"{len(commits)}a1b2c3d")
            return commits[-1]
        assert command == "rev-list" and arguments[-1] == "pipeline"
        return str(len(commits) - 1 - commits.index(arguments[1].removesuffix("..HEAD")))

    monkeypatch.setattr("lab.bench.results._git", git)
    write_results("reading", [FAST], folder=folder, page=page)
    assert ", older code" not in page.read_text(encoding="utf-8")
    write_results("reading", [SIZE], keep=True, folder=folder, page=page)
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line.split(" | ")[0] for line in lines if ", older code" in line] == ["| `time`"]


def test_part_of_a_run_keeps_the_rest(tmp_path: Path) -> None:
    folder, page = tmp_path / "results", tmp_path / "benchmarks.md"
    table = {"title": "Settings", "columns": ["a"], "rows": [[1]]}
    write_results("reading", [FAST, SIZE], [table], folder=folder, page=page)
    write_results("reading", [SLOW], keep=True, folder=folder, page=page)
    found = json.loads((folder / "reading.json").read_text(encoding="utf-8"))
    assert [(m["measure"], m["value"], m["holds"]) for m in found["measures"]] == [
        ("time", 4.0, False), ("size", 12.0, False)
    ]  # fmt: skip
    assert found["tables"] == [table]
    assert "### Settings" in page.read_text(encoding="utf-8")


def test_a_whole_run_replaces_all(tmp_path: Path) -> None:
    folder, page = tmp_path / "results", tmp_path / "benchmarks.md"
    write_results("reading", [FAST, SIZE], folder=folder, page=page)
    write_results("reading", [FAST], folder=folder, page=page)
    assert len(json.loads((folder / "reading.json").read_text(encoding="utf-8"))["measures"]) == 1
