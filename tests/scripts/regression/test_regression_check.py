"""The whole check over a folder, with a reader that only repeats what the files say."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from core.config import get_settings
from scripts.regression_check import main
from tests.scripts.regression.readers import read_json

TRUE = {
    "student_name": "Ana Ruiz",
    "school_name": "Cedar Bend Elementary School",
    "grade": "3",
    "teacher_name": None,
    "city_or_location": None,
    "father_figure_name": None,
    "phone": None,
    "email": "a.ruiz@example.org",
    "writing_about": None,
    "word_count": 80,
}
LABEL = {**TRUE, "word_count_range": [76, 84], "page_start": 1, "page_end": 1, "complete": True, "typed": True}


def read_as(**changes: Any) -> list[dict[str, Any]]:
    return [{**TRUE, "needs_review": False, "page_start": 1, "page_end": 1, **changes}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Entries read rightly, silently wrong, flagged wrong, not at all, and one that kills its process."""
    path = tmp_path / "entries"
    path.mkdir()
    contents: dict[str, Any] = {
        "right.pdf": read_as(confidences={"grade": 0.9}),
        "silent.pdf": read_as(grade="4"),
        "flagged.pdf": read_as(
            student_name=None, only_with_orchestrator={"city_or_location": "Chicago"}, needs_review=True
        ),
        "unreadable.pdf": "fail",
        "deadly.pdf": "die",
    }
    labels = {}
    for name, content in contents.items():
        (path / name).write_text(json.dumps(content), encoding="utf-8")
        digest = hashlib.sha256((path / name).read_bytes()).hexdigest()
        labels[digest] = {"file": name, "kind": "plain", "entries": [LABEL]}
    (path / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    (path / "notes.txt").write_text("no entry")
    return path


def check(folder: Path, out: Path, *more: str) -> int:
    return main(["--pdf-dir", str(folder), "--output-dir", str(out), "--workers", "2", *more], reader=read_json)


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_figures_of_a_run(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, tmp_path / "out") == 0
    summary = load(tmp_path / "out" / "report.json")["modes"]["orchestrator"]["summary"]
    assert (summary["files"], summary["entries"], summary["errors"]) == (5, 5, 2)
    assert (summary["three_right"], summary["split_right"]) == (1, 3)
    assert (summary["passed_without_review"], summary["silent_wrong"]) == (2, 1)
    assert summary["complete_typed_passed_share"] == 0.4
    assert summary["reliability"]["expected_calibration_error"] == 0.1
    assert summary["fields"]["grade"] == {"right": 2, "missed": 2, "wrong": 1, "invented": 0}
    assert summary["fields"]["city_or_location"] == {"right": 0, "missed": 0, "wrong": 0, "invented": 1}
    printed = capsys.readouterr().out
    assert "1/5  20 %" in printed
    assert "could not be read: unreadable.pdf: ValueError: not a document" in printed


def test_predictions_have_every_file_and_every_key(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(folder, tmp_path / "out", "--use-orchestrator", "both")
    assert "completed                   escalated                  3" in capsys.readouterr().out
    predictions = load(tmp_path / "out" / "predictions.json")
    direct = load(tmp_path / "out" / "predictions_direct.json")
    assert predictions.keys() == direct.keys() == load(folder / "labels.json").keys()
    digest = hashlib.sha256((folder / "right.pdf").read_bytes()).hexdigest()
    assert predictions[digest][0]["outcome"] == "completed"
    proposed = load(tmp_path / "out" / "proposals.json")
    assert proposed[digest] == [{"page_start": 1, "page_end": 1, "proposals": {}}]
    assert direct[digest][0]["outcome"] == "escalated"
    assert predictions[hashlib.sha256((folder / "unreadable.pdf").read_bytes()).hexdigest()] == []
    assert set(predictions[digest][0]) == {
        *TRUE, "needs_review", "outcome", "review_reason_codes", "doc_class", "page_start", "page_end",
    }  # fmt: skip
    diff = load(tmp_path / "out" / "report.json")["modes_diff"]
    assert diff["fields"]["city_or_location"] == diff["entries_with_other_values"] == 1
    assert "Every difference" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_baseline_that_was_better_fails_the_run(folder: Path, tmp_path: Path) -> None:
    check(folder, tmp_path / "now")
    baseline = tmp_path / "now" / "report.json"
    assert check(folder, tmp_path / "again", "--baseline", str(baseline)) == 0
    better = load(baseline)
    better["modes"]["orchestrator"]["summary"]["silent_wrong"] = 0
    (tmp_path / "better.json").write_text(json.dumps(better), encoding="utf-8")
    assert check(folder, tmp_path / "again", "--baseline", str(tmp_path / "better.json")) == 1


def test_the_setting_says_whether_the_graph_is_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for mode, outcome in (("true", "completed"), ("false", "escalated")):
        monkeypatch.setenv("USE_ORCHESTRATOR", mode)
        get_settings.cache_clear()
        check(folder, tmp_path / mode)
        digest = hashlib.sha256((folder / "right.pdf").read_bytes()).hexdigest()
        assert load(tmp_path / mode / "predictions.json")[digest][0]["outcome"] == outcome
    assert check(folder, tmp_path / "again", "--baseline", str(tmp_path / "true" / "report.json")) == 2
    assert "--use-orchestrator both" in capsys.readouterr().err
    get_settings.cache_clear()


def test_a_value_lost_where_another_was_won_fails_only_when_strict(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(folder, tmp_path / "now", "--write-baseline", str(tmp_path / "baseline.json"))
    swapped = load(tmp_path / "baseline.json")
    right, silent = (
        next(file for file in swapped["modes"]["orchestrator"]["files"] if file["file"] == name)["entries"][0]
        for name in ("right.pdf", "silent.pdf")
    )
    right["faults"], silent["faults"] = silent["faults"], right["faults"]
    (tmp_path / "swapped.json").write_text(json.dumps(swapped), encoding="utf-8")
    assert check(folder, tmp_path / "again", "--baseline", str(tmp_path / "swapped.json")) == 0
    assert check(folder, tmp_path / "again", "--baseline", str(tmp_path / "swapped.json"), "--strict") == 1
    assert (
        "lost: orchestrator: grade in 'silent.pdf' p. 1–1 (plain): before right '3', after wrong '4' for '3'"
        in capsys.readouterr().out
    )


def test_a_baseline_of_other_files_is_refused(folder: Path, tmp_path: Path) -> None:
    check(folder, tmp_path / "now")
    (folder / "right.pdf").unlink()
    assert check(folder, tmp_path / "again", "--baseline", str(tmp_path / "now" / "report.json")) == 2


def test_several_folders_are_read_with_their_labels(folder: Path, tmp_path: Path) -> None:
    second = tmp_path / "more"
    second.mkdir()
    (second / "other.pdf").write_text(json.dumps(read_as(grade="9")), encoding="utf-8")
    digest = hashlib.sha256((second / "other.pdf").read_bytes()).hexdigest()
    labels = {digest: {"file": "other.pdf", "kind": "plain", "entries": [LABEL]}}
    (second / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    (folder / "deadly.pdf").unlink()
    main(["--pdf-dir", str(folder), str(second), "--output-dir", str(tmp_path / "out")], reader=read_json)
    summary = load(tmp_path / "out" / "report.json")["modes"]["orchestrator"]["summary"]
    assert (summary["files"], summary["fields"]["grade"]["wrong"]) == (5, 2)


def test_an_empty_folder_cannot_be_checked(tmp_path: Path) -> None:
    assert check(tmp_path, tmp_path / "out") == 2


TYPED = Path(__file__).resolve().parents[2] / "data" / "entries" / "005 entry_9903.pdf"


def test_a_season_decides_by_its_own_rules(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / TYPED.name).write_bytes(TYPED.read_bytes())
    rules = tmp_path / "policy.json"
    rules.write_text(json.dumps({"auto_complete": False}), encoding="utf-8")
    passed = {}
    for name, options in (("settings", []), ("season", ["--policy", str(rules)])):
        out = tmp_path / name
        assert main(["--pdf-dir", str(tmp_path / "in"), "--output-dir", str(out), "--workers", "1", *options]) == 0
        (entries,) = json.loads((out / "predictions.json").read_text(encoding="utf-8")).values()
        passed[name] = [not entry["needs_review"] for entry in entries]
    assert passed == {"settings": [True], "season": [False]}


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"min_esay_words": 20}'])
def test_rules_that_are_none_are_refused(
    folder: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "policy.json"
    rules.write_text(text, encoding="utf-8")
    assert check(folder, tmp_path / "out", "--policy", str(rules)) == 2
    assert "policy" in capsys.readouterr().err
