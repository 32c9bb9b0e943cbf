from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

import commands.data
from core.clock import utcnow
from core.config import Settings
from core.errors import NotFoundError
from core.models import SecurityEvent
from scripts.regression_check import main as regression_check
from services.context import Context
from services.exports import labels as exporting
from services.exports.labels import export_labels
from services.seasons import current_season
from tests.support import factories
from tests.support.review import desk


@pytest.fixture
def season(context: Context) -> str:
    """One entry that a person settled, two audited, of one of which it cannot be told, and one unseen."""
    with context.database.session() as session:
        desk.make_entry(context, session, status="resolved", grade="4", student_name="Ana Ruiz")
        auditor = factories.make_profile(session, "auditor").id
        for finding in ("auditor", "unclear"):
            entry = desk.make_entry(context, session, status="completed", grade="4")
            factories.make_audit(
                session,
                entry.submission,
                status="settled",
                auditor_id=auditor,
                typed_at=utcnow(),
                settled_at=utcnow(),
                fields={"grade": ("4", "5", finding), "student_name": ("Ana", "Ana", "same")},
            )
        desk.make_entry(context, session, status="completed", grade="4")
        return current_season(session).name


def test_what_people_found_is_exported(context: Context, season: str, tmp_path: Path) -> None:
    out = tmp_path / "labels"
    assert export_labels(context, season, out).entries == 2
    labels = json.loads((out / "labels.json").read_text(encoding="utf-8"))
    assert sorted(label["entries"][0]["grade"] for label in labels.values()) == ["4", "5"]
    for digest, label in labels.items():
        assert hashlib.sha256((out / label["file"]).read_bytes()).hexdigest() == digest
        assert label["entries"][0]["essay_text"] == desk.ESSAY
    assert json.loads((out / "policy.json").read_text(encoding="utf-8"))["complete_confidence"] == 0.9
    assert "CHILDREN" in (out / "README.txt").read_text(encoding="utf-8")
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()} == {0o600}
    event = context.database.one(select(SecurityEvent).where(SecurityEvent.kind == "exported"))
    assert event.details == {"what": "labels", "rows": 2, "season": season}


def test_the_regression_script_takes_the_labels(context: Context, season: str, tmp_path: Path) -> None:
    out, read = tmp_path / "out", tmp_path / "read"
    export_labels(context, season, out)
    given = ["--pdf-dir", str(out), "--labels", str(out / "labels.json"), "--policy", str(out / "policy.json")]
    regression_check(["--output-dir", str(read), "--workers", "1", "--ocr-provider", "none", *given])
    predictions = json.loads((read / "predictions.json").read_text(encoding="utf-8"))
    assert len(predictions) == 2
    labels = json.loads((out / "labels.json").read_text(encoding="utf-8"))
    assert set(predictions) == set(labels), predictions


def test_what_is_refused(context: Context, season: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        export_labels(context, "No such season", tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    with pytest.raises(FileExistsError):
        export_labels(context, season, tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["something"]


@pytest.mark.parametrize("name", ["out", "ours/out", "ours"])
def test_nothing_is_written_where_others_can_exchange_it(
    context: Context, season: str, settings: Settings, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands.data, "get_settings", lambda: settings)
    (tmp_path / "open" / "ours").mkdir(parents=True)
    (tmp_path / "open").chmod(0o777)
    out = tmp_path / "open" / name
    refused = CliRunner().invoke(commands.data.export_labels_command, ["--season", season, "--out", str(out)])
    assert refused.exit_code == 1 and f"other accounts can change the folder {tmp_path / 'open'}" in refused.output
    assert [path.name for path in (tmp_path / "open").rglob("*")] == ["ours"]


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_link_in_its_place_leads_nowhere(
    context: Context, season: str, tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, elsewhere, real = tmp_path / "out", tmp_path / "elsewhere", exporting.file_label
    elsewhere.mkdir(mode=0o755)

    def exchange(*given: Any) -> Any:
        if not out.is_symlink():
            out.rename(tmp_path / "aside")
            out.symlink_to(elsewhere)
        return real(*given)

    if when == "before":
        out.symlink_to(elsewhere)
        with pytest.raises(NotADirectoryError):
            export_labels(context, season, out)
    else:
        monkeypatch.setattr(exporting, "file_label", exchange)
        export_labels(context, season, out)
        assert (tmp_path / "aside" / "labels.json").exists()
    assert list(elsewhere.iterdir()) == []
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders to others")
def test_an_empty_folder_of_somebody_else_is_refused(context: Context, season: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    os.chown(tmp_path / "out", 12345, -1)
    with pytest.raises(PermissionError):
        export_labels(context, season, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
