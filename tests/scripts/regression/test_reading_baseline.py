"""Forty committed entries, read as an upload is read, against the committed baseline.

What was read rightly once must be read rightly again. Where a loss is meant (a better rule that costs a value,
other samples), `make baseline` renews tests/data/reading-baseline.json; the review of that change is the place to
argue. `make test` leaves out every second file that must be recognised; `make test-long` reads all.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.config import Settings
from scripts.regression.lost_values import changes
from scripts.regression_check import main
from tests.support.long import LONG, some

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (ROOT / "samples", ROOT / "tests" / "data" / "entries")
BASELINE = ROOT / "tests" / "data" / "reading-baseline.json"


@pytest.fixture
def default_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No language model and no other recognition, whatever the environment or a developer's `.env` say."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def recognised(file: dict[str, Any]) -> bool:
    """Whether the text of a file of the baseline is not its own."""
    return any(word in file["kind"] for word in ("scan", "photo", "vector", "garbled"))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.usefixtures("default_settings")
def test_nothing_is_read_worse_than_the_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = json.loads(BASELINE.read_text(encoding="utf-8"))["modes"]["orchestrator"]["files"]
    slow = [file for file in before if recognised(file)]
    read = [file for file in before if file not in slow or file in some(slow, 4)]
    folder = tmp_path / "in"
    folder.mkdir()
    for file in read:
        shutil.copy(next(path for source in FOLDERS if (path := source / file["file"]).is_file()), folder)
    labels = {digest: label for source in FOLDERS for digest, label in labels_of(source).items()}
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    options = ["--pdf-dir", str(folder), "--output-dir", str(tmp_path / "out"), "--workers", "2"]
    # All files can be held against the figures of the baseline, too.
    against = ["--baseline", str(BASELINE), "--strict"] if LONG else []
    status = main([*options, "--ocr-provider", "rapidocr", *against])
    printed = capsys.readouterr()
    found = [line for line in printed.out.splitlines() if line.startswith(("worse:", "lost:"))]
    assert status == 0, "\n".join((*found, printed.err[-600:], "If that is meant: make baseline"))
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    now = report["modes"]["orchestrator"]
    assert len(now["files"]) == len(read)
    assert [str(change) for change in changes(now["files"], read) if change.worse] == []
    assert (now["summary"]["silent_wrong"], now["summary"]["errors"]) == (0, 0)


def labels_of(folder: Path) -> dict[str, Any]:
    labels: dict[str, Any] = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return labels


def test_the_subset_has_forty_entries_of_every_writing() -> None:
    files = json.loads(BASELINE.read_text(encoding="utf-8"))["modes"]["orchestrator"]["files"]
    assert sum(len(file["entries"]) for file in files) == 40
    kinds = {file["kind"] for file in files}
    wanted = {"acroform", "flattened", "gdocs", "freeform", "vector", "scan", "photo", "docx"}
    assert wanted <= {kind.partition("_")[0] for kind in kinds}


def test_the_baseline_lets_nothing_wrong_pass() -> None:
    summary = json.loads(BASELINE.read_text(encoding="utf-8"))["modes"]["orchestrator"]["summary"]
    assert (summary["silent_wrong"], summary["bad_values_on_passed"], summary["errors"]) == (0, 0, 0)
