"""`flask export` writes a new file, and says what is wrong."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

import commands.data
import services.exports.making
from core.config import Settings
from core.errors import StorageError
from core.models import SecurityEvent
from services.context import Context
from services.seasons import current_season
from tests.support.review import desk


@pytest.fixture
def run(context: Context, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setattr(commands.data, "get_settings", lambda: settings)
    with context.database.session() as session:
        desk.make_entry(context, session, status="completed", student_name="Ana Ruiz", grade="4")
        season = current_season(session).name
    return lambda *given: CliRunner().invoke(commands.data.export, ["--season", season, *map(str, given)])


def test_a_new_file(run: Callable[..., Result], context: Context, tmp_path: Path) -> None:
    out = tmp_path / "entries.csv"
    done = run("--format", "csv", "--status", "completed", "--column", "student_name", "--out", out)
    assert done.exit_code == 0 and "1 entries" in done.output, done.output
    assert out.read_text() == '"student_name"\n"Ana Ruiz"\n'
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    details = context.database.scalars(select(SecurityEvent.details).where(SecurityEvent.kind == "exported"))
    assert {"what": "entries.csv", "rows": 1, "filters": ["status=completed"]}.items() <= details[-1].items()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--format", "csv", "--kind", "judges"), "the format must be one of"),
        (("--format", "csv", "--column", "shoe"), "no such column: shoe"),
        (("--format", "csv", "--season", "no such"), "no season"),
    ],
)
def test_refused(run: Callable[..., Result], tmp_path: Path, given: tuple[str, ...], said: str) -> None:
    failed = run(*given, "--out", tmp_path / "out")
    assert failed.exit_code == 1 and said in failed.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("above", ["", "ours"])
def test_nothing_is_written_where_others_can_exchange_it(
    run: Callable[..., Result], tmp_path: Path, above: str
) -> None:
    (tmp_path / "theirs" / "ours").mkdir(parents=True)
    (tmp_path / "theirs").chmod(0o777)
    out = tmp_path / "theirs" / above / "out"
    failed = run("--format", "csv", "--out", out)
    assert failed.exit_code == 1 and f"other accounts can change the folder {tmp_path / 'theirs'}" in failed.output
    assert not out.exists()


def test_what_is_put_in_its_place_gets_nothing(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, real = tmp_path / "out", services.exports.making.ChosenSubmissions

    def exchange(*given: Any) -> Any:
        out.rename(tmp_path / "aside")
        out.write_text("of somebody")
        return real(*given)

    monkeypatch.setattr("services.exports.making.ChosenSubmissions", exchange)
    run("--format", "csv", "--column", "student_name", "--out", out)
    assert out.read_text() == "of somebody"
    assert "Ana Ruiz" in (tmp_path / "aside").read_text()


def test_nothing_is_written_beside_it(run: Callable[..., Result], tmp_path: Path) -> None:
    """A workbook's rows are, while it is made; in a folder of all accounts a link may lie under their name."""
    place, victim = tmp_path / "place", tmp_path / "victim"
    place.mkdir()
    place.chmod(0o1777)
    victim.write_text("precious")
    (place / "out.xlsx.rows").symlink_to(victim)
    done = run("--format", "xlsx", "--out", place / "out.xlsx")
    assert done.exit_code == 0 and zipfile.is_zipfile(place / "out.xlsx"), done.output
    assert victim.read_text() == "precious"


def test_half_a_file_is_removed(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path, *given: object) -> None:
        path.write_text("half")
        raise StorageError("away")

    monkeypatch.setattr("services.exports.making.write_export", broken)
    assert run("--format", "csv", "--out", tmp_path / "out").exit_code == 1
    assert not (tmp_path / "out").exists()


def test_what_there_is_already_stays(run: Callable[..., Result], tmp_path: Path) -> None:
    out = tmp_path / "entries.csv"
    out.write_text("of old")
    failed = run("--format", "csv", "--out", out)
    assert failed.exit_code == 1 and "File exists" in failed.output
    assert out.read_text() == "of old"
