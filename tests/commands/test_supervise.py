"""`flask supervise FILE` on a terminal, without a worker or an account."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from commands.research import supervise
from core.config import Settings
from core.models import Profile, Report, ReportRevision
from services.context import Context
from tests.support.office import make_person
from tests.support.research.research_library import put_papers
from tests.support.research.theory_library import DOCUMENT, THEORY_PAPERS
from tests.support.servers.supervising_model import SupervisingModel
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    with SupervisingModel() as model, tidy_context(settings.model_copy(update=model.settings)) as opened:
        monkeypatch.setattr("commands.research.get_settings", lambda: opened.settings)
        put_papers(opened.database, THEORY_PAPERS)
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evenings.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def test_a_document_is_deepened_here_and_now(context: Context, file: Path) -> None:
    done = CliRunner().invoke(supervise, [str(file), "--tier", "standard", "--library-only"])
    assert done.exit_code == 0, done.output
    assert "1. attachment theory: integrated" in done.stdout
    assert "2. scaffolding: integrated" in done.stdout
    assert "Ended: max_iterations; 2 iterations, 2 integrated" in done.stdout
    revised = (file.parent / "evenings.revised.md").read_text(encoding="utf-8")
    assert "attachment theory" in revised.casefold()
    assert "## References" in revised
    assert file.read_text(encoding="utf-8") == DOCUMENT
    with context.database.session() as session:
        assert session.scalars(select(Report.providers)).one() == ["library"]
        assert not session.scalars(select(Profile.is_active)).one(), "nobody can sign in to the terminal's account"


def test_each_revision_is_decided_here(context: Context, file: Path, tmp_path: Path) -> None:
    admin = make_person(context, "admin")
    out = tmp_path / "out.md"
    done = CliRunner().invoke(supervise, [str(file), "--mode", "supervised", "--out", str(out)], input="n\ny\n")
    assert done.exit_code == 0, done.output
    assert "Ended: max_iterations; 2 iterations, 1 integrated" in done.stdout
    revised = out.read_text(encoding="utf-8")
    assert "attachment theory" not in revised.casefold() and "scaffolding" in revised.casefold()
    rows = context.database.scalars(select(ReportRevision).order_by(ReportRevision.iteration))
    assert [(row.status, row.decided_by) for row in rows] == [("rejected", admin), ("accepted", admin)]


def test_a_file_that_is_too_large_is_one_line(context: Context, file: Path) -> None:
    os.truncate(file, 1 << 42)
    done = CliRunner().invoke(supervise, [str(file)])
    assert done.exit_code == 1 and done.output == "Error: more than 52428800 bytes\n"


def test_what_cannot_be_read_is_one_line(context: Context, tmp_path: Path) -> None:
    blank = tmp_path / "blank.md"
    blank.write_text(" \n", encoding="utf-8")
    done = CliRunner().invoke(supervise, [str(blank)])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: ")
    assert context.database.scalar(select(Report.id)) is None


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_front_matter_stays_byte_for_byte(context: Context, tmp_path: Path, end: bytes) -> None:
    front = end.join(
        [b"---", b"title:  Reading evenings with fathers", "tags: [años, leer]  # ours".encode(), b"---", b""]
    )
    path = tmp_path / "evenings.md"
    path.write_bytes(front + DOCUMENT.partition("\n")[2].encode())
    done = CliRunner().invoke(supervise, [str(path), "--tier", "quick", "--library-only"])
    assert done.exit_code == 0, done.output
    revised = (tmp_path / "evenings.revised.md").read_bytes()
    assert revised.startswith(front + end + b"## What the evenings are"), "the title is given once"
    assert b"attachment theory" in revised.lower()


@pytest.mark.parametrize("lies", ["file", "link"])
def test_what_lies_under_the_name_of_the_revised_file_is_left_alone(
    context: Context, file: Path, lies: str
) -> None:
    there = file.parent / "evenings.revised.md"
    if lies == "file":
        there.write_text("mine")
    else:
        there.symlink_to(file.parent / "elsewhere")
    done = CliRunner().invoke(supervise, [str(file), "--library-only"])
    assert done.exit_code == 1 and "is there already" in done.stderr
    assert there.read_text() == "mine" if lies == "file" else not (file.parent / "elsewhere").exists()
    assert context.database.scalar(select(Report.id)) is None


def test_without_a_model_nothing_is_begun(
    settings: Settings, context: Context, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commands.research.get_settings", lambda: settings)
    done = CliRunner().invoke(supervise, [str(file), "--library-only"])
    assert done.exit_code == 1 and "Supervision needs a language model" in done.stderr
    assert not (file.parent / "evenings.revised.md").exists()
