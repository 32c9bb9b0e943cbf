"""The commands ask before they erase, and tell children of one name apart."""

from __future__ import annotations

import os
import stat
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

import commands.data
from core.config import Settings
from core.models import Erasure, Season, Submission
from services.context import Context
from tests.support import factories
from tests.support.review import desk
from tests.support.site import tidy_context


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(commands.data, "get_settings", lambda: settings)
    with tidy_context(settings) as context:
        yield context, lambda command, *given, **more: CliRunner().invoke(command, given, **more)


def entry(context: Context, name: str, school: str) -> tuple[uuid.UUID, str]:
    with context.database.session() as session:
        made = factories.make_submission(session, student_name=name, school_name=school, status="completed")
        return made.id, session.get_one(Season, made.season_id).name


def numbers(context: Context) -> tuple[int, int]:
    with context.database.session() as session:
        return tuple(session.scalar(select(func.count()).select_from(row)) or 0 for row in (Submission, Erasure))  # type: ignore[return-value]


def test_a_child_is_erased_once_it_is_clear_which(run) -> None:  # type: ignore[no-untyped-def]
    context, call = run
    first, season = entry(context, "Zoë Marlow", "Juniper Hills")
    entry(context, "ZOE  MARLOW", "Cedar Bend")
    several: Result = call(commands.data.erase, "--child", "zoe marlow", "--season", season)
    assert several.exit_code == 1 and "Juniper Hills" in several.output and "Cedar Bend" in several.output
    refused = call(commands.data.erase, "--submission", str(first), input="n\n")
    assert refused.exit_code == 1 and "Entries" in refused.output and numbers(context) == (2, 0)
    done = call(commands.data.erase, "--submission", str(first), "--yes")
    assert done.exit_code == 0 and "Receipt" in done.output and numbers(context) == (1, 1)
    assert "Marlow" not in done.output
    last = call(commands.data.erase, "--child", "zoe marlow", "--season", season, input="y\n")
    assert last.exit_code == 0 and numbers(context) == (0, 2)


def test_a_child_is_exported_into_a_new_private_file(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    context, call = run
    with context.database.session() as session:
        child = desk.make_entry(context, session, status="completed", student_name="Zoë Marlow").submission.id
    out, others, link = tmp_path / "child.zip", tmp_path / "others.zip", tmp_path / "link.zip"
    others.write_bytes(b"of old")
    link.symlink_to(tmp_path / "elsewhere.zip")
    for taken in (others, link):
        refused = call(commands.data.export_child, "--submission", str(child), "--out", str(taken))
        assert refused.exit_code == 1 and "File exists" in refused.output
    assert others.read_bytes() == b"of old" and not (tmp_path / "elsewhere.zip").exists()
    before = os.umask(0)
    try:
        done = call(commands.data.export_child, "--submission", str(child), "--out", str(out))
    finally:
        os.umask(before)
    assert done.exit_code == 0, done.output
    assert f"{out.stat().st_size} bytes" in done.output
    assert zipfile.is_zipfile(out) and stat.S_IMODE(out.stat().st_mode) == 0o600


def test_what_is_put_in_place_of_a_childs_file_gets_nothing(  # type: ignore[no-untyped-def]
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, call = run
    with context.database.session() as session:
        child = desk.make_entry(context, session, status="completed", student_name="Zoë Marlow").submission.id
    out, real = tmp_path / "child.zip", commands.data.export_held

    def exchange(*given: Any) -> bytes:
        out.rename(tmp_path / "aside")
        out.write_bytes(b"of somebody")
        return real(*given)

    monkeypatch.setattr(commands.data, "export_held", exchange)
    call(commands.data.export_child, "--submission", str(child), "--out", str(out))
    assert out.read_bytes() == b"of somebody" and zipfile.is_zipfile(tmp_path / "aside")


def test_half_a_question_is_refused(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    _, call = run
    assert call(commands.data.erase, "--child", "Zoë").exit_code == 2
    gone = call(commands.data.export_child, "--submission", str(uuid.uuid4()), "--out", str(tmp_path / "a.zip"))
    assert gone.exit_code == 1 and not (tmp_path / "a.zip").exists()
    assert call(commands.data.purge, "--dry-run").exit_code == 0
