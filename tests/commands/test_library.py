"""`flask library …`, as an operator types it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

from commands import library as module
from core.config import Settings
from core.models import LibraryDocument
from services.context import Context
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    below = tmp_path / "papers" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "papers" / "one.md").write_text("# One\n\nFathers read aloud.")
    (below / "two.txt").write_text("Fathers build boats with their children.")
    (below / "three.pdf").write_bytes(b"%PDF-1.4 cut")
    (below / ".hidden.md").write_text("# Hidden")
    (below / "picture.png").write_bytes(b"x")
    return tmp_path / "papers"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(module.library, arguments)


def rows(context: Context) -> dict[str, LibraryDocument]:
    return {row.original_filename: row for row in context.database.scalars(select(LibraryDocument))}


def test_a_folder_is_added_with_all_below_it(context: Context, folder: Path) -> None:
    result = run("add", str(folder), "--kind", "web", "--collection", "Papers", "--publisher", "Fern", "--wait")
    assert result.exit_code == 0 and "3 of 3 files are new." in result.output
    assert "three.pdf: This file is damaged" in result.output
    found = rows(context)
    assert {name: row.status for name, row in found.items()} == {
        "one.md": "ready",
        "two.txt": "ready",
        "three.pdf": "failed",
    }
    assert (found["one.md"].collection, found["one.md"].publisher) == ("Papers", "Fern")
    assert "0 of 3 files are new." in run("add", str(folder), "--kind", "web").output


def test_links_in_a_folder_are_left_out_and_named(context: Context, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret_key"
    secret.write_text("the key of another")
    (folder / "minutes.txt").symlink_to(secret)
    (folder / "deep" / "again").symlink_to(".")
    (folder / "deep" / "up").symlink_to("..")
    (folder / "no\x1b[2Jthing.md").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.txt")
    result = run("add", str(folder), "--kind", "web")
    assert "3 of 3 files are new." in result.output and set(rows(context)) == {"one.md", "two.txt", "three.pdf"}
    named = [line for line in result.output.splitlines() if line.endswith("left out, it is a link")]
    assert len(named) == 4 and "\x1b" not in result.output
    pipe = run("add", str(folder / "pipe.txt"), "--kind", "web")
    assert "pipe.txt: no regular file" in pipe.output and "0 of 1 files are new." in pipe.output


@pytest.mark.parametrize("swapped", ["one.md", "deep"])
def test_a_link_that_is_planted_while_files_are_added_is_not_followed(
    context: Context, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    add_all, elsewhere = module._add_all, tmp_path / "elsewhere"
    shutil.copytree(folder, elsewhere)
    for path in (elsewhere / "one.md", elsewhere / "deep" / "two.txt", elsewhere / "deep" / "three.pdf"):
        path.write_text(f"secret {path.name}")

    def swap_before(*given: Any) -> None:
        (folder / swapped).rename(tmp_path / "away")
        (folder / swapped).symlink_to(elsewhere / swapped)
        add_all(*given)

    monkeypatch.setattr(module, "_add_all", swap_before)
    result = run("add", str(folder), "--kind", "web")
    left = {"one.md"} if swapped == "one.md" else {"two.txt", "three.pdf"}
    assert set(rows(context)) == {"one.md", "two.txt", "three.pdf"} - left, result.output


def test_a_file_that_is_too_large_is_told_and_the_others_are_added(context: Context, folder: Path) -> None:
    """Whoever writes into the folder makes a file as large as the disk lets them name it."""
    os.truncate(folder / "one.md", 1 << 42)
    result = run("add", str(folder), "--kind", "web")
    assert result.exit_code == 0 and "2 of 3 files are new." in result.output
    assert f"{folder / 'one.md'}: " in result.output
    assert set(rows(context)) == {"two.txt", "three.pdf"}


def test_without_waiting_it_is_queued(context: Context, folder: Path) -> None:
    run("add", str(folder / "one.md"), "--kind", "book")
    assert rows(context)["one.md"].status == "queued" and rows(context)["one.md"].enqueued_at


def test_list_and_remove(context: Context, folder: Path) -> None:
    run("add", str(folder / "one.md"), "--kind", "book", "--wait")
    listed = run("list", "--kind", "book").output.split()
    assert listed[1:] == ["book", "ready", "en", "One"]
    assert run("remove", listed[0]).output == "1 removed.\n"
    assert run("list").output == ""
    assert run("remove", listed[0]).exit_code == 1


def test_an_empty_folder_says_so(context: Context, tmp_path: Path) -> None:
    assert "no PDF, Word, Markdown, HTML or text file" in run("add", str(tmp_path), "--kind", "web").output


def test_essays(context: Context) -> None:
    assert run("add-essays").output == "0 essays added, 0 removed, 0 waiting for a person.\n"
