"""Forty committed entries, read as an upload is read, against the committed baseline.

What was read rightly once must be read rightly again. Where a loss is meant (a better rule that costs a value,
other samples), `make baseline` renews tests/data/reading-baseline.json; the review of that change is the place to
argue.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.config import Settings
from scripts.regression_check import main

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (ROOT / "samples", ROOT / "tests" / "data" / "entries")
BASELINE = ROOT / "tests" / "data" / "reading-baseline.json"


@pytest.fixture
def default_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No language model and no other recognition, whatever the environment or a developer's `.env` say."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.slow
@pytest.mark.usefixtures("default_settings")
def test_nothing_is_read_worse_than_the_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--pdf-dir", *map(str, FOLDERS), "--output-dir", str(tmp_path / "out"), "--workers", "2"]
    status = main([*options, "--ocr-provider", "rapidocr", "--baseline", str(BASELINE), "--strict"])
    printed = capsys.readouterr()
    found = [line for line in printed.out.splitlines() if line.startswith(("worse:", "lost:"))]
    assert status == 0, "\n".join((*found, printed.err[-600:], "If that is meant: make baseline"))


def test_the_subset_has_forty_entries_of_every_writing() -> None:
    files = json.loads(BASELINE.read_text(encoding="utf-8"))["modes"]["orchestrator"]["files"]
    assert sum(len(file["entries"]) for file in files) == 40
    kinds = {file["kind"] for file in files}
    wanted = {"acroform", "flattened", "gdocs", "freeform", "vector", "scan", "photo", "docx"}
    assert wanted <= {kind.partition("_")[0] for kind in kinds}


def test_the_baseline_lets_nothing_wrong_pass() -> None:
    summary = json.loads(BASELINE.read_text(encoding="utf-8"))["modes"]["orchestrator"]["summary"]
    assert (summary["silent_wrong"], summary["bad_values_on_passed"], summary["errors"]) == (0, 0, 0)
