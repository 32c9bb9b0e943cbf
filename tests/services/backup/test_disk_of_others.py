"""Another account that can write beside or into a backup leads neither its writer nor its reader anywhere."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from commands.data import restore
from core.config import Settings
from core.errors import InvalidInputError, StorageError
from services.backup.backup import make_backup
from services.backup.restore import is_sealed, open_backup, restore_backup
from services.backup.seal import DATABASE, FILES, LOCK, MANIFEST, MOST_UNPROVEN, BackupRefused
from services.context import Context
from tests.services.backup.conftest import PASSPHRASE, quiet, refused

#: An account that is not the one of the tests.
_SOMEBODY = 12345


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


def not_made(code: BackupRefused, context: Context, folder: Path) -> None:
    with pytest.raises(InvalidInputError) as caught:
        make_backup(context, folder, None, quiet)
    assert caught.value.message is not None
    assert caught.value.message.code == code


@pytest.mark.parametrize("mode", [0o777, 0o775])
@pytest.mark.parametrize("name", ["backup", "new/backup", "ours/backup", "ours/new/backup"])
def test_a_backup_is_not_made_where_others_can_rename_it(
    filled: Context, place: Path, mode: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.folders._is_own_group", lambda _: False)
    (place / "ours").mkdir()
    place.chmod(mode)
    not_made(BackupRefused.FOLDER_OF_OTHERS, filled, place / name)
    assert list(place.rglob("*")) == [place / "ours"]


def test_a_folder_with_the_sticky_bit_may_be_everybodys(filled: Context, place: Path) -> None:
    place.chmod(0o1777)
    make_backup(filled, place / "backup", None, quiet)
    assert open_backup(place / "backup", None).manifest.missing == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders to others")
@pytest.mark.parametrize("mode", [0o755, 0o1777])
def test_a_backup_is_not_made_in_a_folder_of_somebody_else(filled: Context, place: Path, mode: int) -> None:
    place.chmod(mode)
    os.chown(place, _SOMEBODY, _SOMEBODY)
    not_made(BackupRefused.FOLDER_OF_OTHERS, filled, place / "backup")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_a_folder_that_is_exchanged_when_it_was_made_leads_to_no_other_file(
    filled: Context, place: Path, tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process of a moment does: as this account, so that owner and mode may be right."""
    victim, evil, real = tmp_path / "victim", tmp_path / "evil", os.mkdir
    victim.write_text("precious")
    evil.mkdir()
    evil.chmod(mode)
    (evil / ".lock").symlink_to(victim)

    def exchange(path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        real(path, mode, dir_fd=dir_fd)
        if Path(path).name == "backup.partial":
            (place / "backup.partial").rename(place / "aside")
            evil.rename(place / "backup.partial")

    monkeypatch.setattr(os, "mkdir", exchange)
    with pytest.raises((StorageError, InvalidInputError)):
        make_backup(filled, place / "backup", None, quiet)
    assert victim.read_text() == "precious"
    assert list((place / "aside").iterdir()) == []
    assert not (place / "backup").exists()


@pytest.mark.parametrize("link", [True, False])
def test_a_folder_that_is_exchanged_while_it_is_written_gets_nothing_and_no_name(
    filled: Context, place: Path, tmp_path: Path, link: bool
) -> None:
    evil, partial = tmp_path / "evil", place / "backup.partial"
    evil.mkdir()
    (evil / "own").write_text("of somebody")

    def exchange(done: int, _count: int) -> None:
        if done == 1:
            partial.rename(place / "aside")
            partial.symlink_to(evil) if link else evil.rename(partial)

    with pytest.raises(InvalidInputError):
        make_backup(filled, place / "backup", None, exchange)
    assert [path.name for path in partial.iterdir()] == ["own"]
    assert list((place / "aside").iterdir()) == []
    assert not (place / "backup").exists()


def test_a_folder_above_that_is_exchanged_while_it_is_written_gets_no_name(
    filled: Context, place: Path, tmp_path: Path
) -> None:
    def exchange(done: int, _count: int) -> None:
        if done == 1:
            place.rename(tmp_path / "aside")
            (place / "backup").mkdir(parents=True)

    with pytest.raises((StorageError, InvalidInputError)):
        make_backup(filled, place / "backup", None, exchange)
    assert list((tmp_path / "aside").iterdir()) == []
    assert [path.name for path in place.rglob("*")] == ["backup"]


@pytest.mark.parametrize("name", ["backup", "another"])
@pytest.mark.parametrize("left", [[DATABASE], [DATABASE, f"{FILES}/a/b"]])
def test_what_a_killed_run_has_left_without_its_lock_is_removed(
    filled: Context, place: Path, name: str, left: list[str]
) -> None:
    for inner in left:
        (place / f"{name}.partial" / inner).parent.mkdir(parents=True, exist_ok=True)
        (place / f"{name}.partial" / inner).write_text("sealed")
    make_backup(filled, place / "backup", None, quiet)
    assert [path.name for path in place.iterdir()] == ["backup"]


def test_an_empty_folder_of_a_killed_run_does_not_keep_its_name(filled: Context, place: Path) -> None:
    (place / "backup.partial").mkdir(mode=0o755)
    make_backup(filled, place / "backup", None, quiet)
    assert [path.name for path in place.iterdir()] == ["backup"]
    assert stat.S_IMODE((place / "backup").stat().st_mode) == 0o700


def test_a_run_that_is_killed_when_its_backup_has_its_name_leaves_a_whole_one(
    filled: Context, elsewhere: Context, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then it is locked: another run would take it for a killed one's."""
    named, real = list[bool](), os.rename

    def look(*given: Any, **more: Any) -> None:
        named.append((place / "backup.partial" / LOCK).exists())
        real(*given, **more)

    monkeypatch.setattr(os, "rename", look)
    make_backup(filled, place / "backup", None, quiet)
    assert named == [True]
    (place / "backup" / LOCK).touch()
    restore_backup(elsewhere, open_backup(place / "backup", None), quiet)


@pytest.mark.parametrize("folder", [True, False])
def test_a_link_in_the_store_leads_to_nothing(
    filled: Context, elsewhere: Context, place: Path, tmp_path: Path, folder: bool
) -> None:
    """Of the file, or of the folder that it lies in; that all files lie elsewhere is the office's matter."""
    keys = make_backup(filled, place / "before", None, quiet).files
    key = next(key for key in sorted(keys) if key.startswith("artifacts/"))
    path = filled.store.local_path(key)
    assert path is not None
    linked = path.parent if folder else path
    linked.rename(tmp_path / "secret")
    linked.symlink_to(tmp_path / "secret")
    manifest = make_backup(filled, place / "backup", None, quiet)
    assert manifest.missing == [key] and manifest.files.keys() == keys.keys() - {key}
    assert not (place / "backup" / FILES / key).exists()


def deep(folder: Path) -> None:
    """More folders in one another than a function calls itself."""
    folder.mkdir(parents=True, exist_ok=True)
    there = os.open(folder, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("a", dir_fd=there)
        inner = os.open("a", os.O_RDONLY, dir_fd=there)
        os.close(there)
        there = inner
    os.close(there)


def test_a_backup_of_countless_folders_is_refused(
    filled: Context, elsewhere: Context, place: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_backup(filled, place / "backup", None, quiet)
    deep(place / "backup" / FILES)
    refused(BackupRefused.UNEXPECTED, elsewhere, place / "backup")
    deep(place / "next.partial" / FILES)
    not_made(BackupRefused.FOLDER_TAKEN, filled, place / "next")
    subprocess.run(["rm", "-rf", place / "backup", place / "next.partial"], check=True)


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\rb", "a\nError: none", "a\u202eb", "a\x9bb"])
def test_names_in_a_refusal_do_not_steer_the_terminal(
    filled: Context, settings: Settings, place: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commands.data.get_settings", lambda: settings)
    make_backup(filled, place / "backup", None, quiet)
    (place / "backup" / name).write_text("more")
    said = CliRunner().invoke(restore, [str(place / "backup"), "--trust-disk"]).output
    assert "does not belong" in said
    assert said.strip().isprintable()
    assert name.encode("unicode_escape").decode() in said


def test_a_manifest_is_read_only_when_its_code_is_right(filled: Context, elsewhere: Context, place: Path) -> None:
    make_backup(filled, place / "backup", PASSPHRASE, quiet)
    (place / "backup" / MANIFEST).write_text("no manifest at all")
    refused(BackupRefused.CHANGED, elsewhere, place / "backup", PASSPHRASE)


def test_a_long_manifest_that_nothing_proves_is_not_read(
    filled: Context, elsewhere: Context, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_backup(filled, place / "backup", None, quiet)
    os.truncate(place / "backup" / MANIFEST, MOST_UNPROVEN + 1)
    refused(BackupRefused.MANIFEST_LONG, elsewhere, place / "backup")
    with pytest.raises(InvalidInputError, match="64 MB"):
        is_sealed(place / "backup")
    monkeypatch.setattr("services.backup.backup.MOST_UNPROVEN", 100)
    not_made(BackupRefused.MANIFEST_LONG, filled, place / "another")
    assert [path.name for path in place.iterdir()] == ["backup"]
