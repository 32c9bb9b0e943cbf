"""Nobody else reads a backup while it is written, and whoever can write to its disk chooses nothing."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pyrage
import pytest
from click.testing import CliRunner
from sqlalchemy import select
from tenacity import wait_none

from commands.data import restore
from core.config import Settings
from core.database import upgrade
from core.errors import InvalidInputError, StorageError
from core.models import Erasure, ErasureReason, Submission, Upload
from services.backup.backup import count_rows, make_backup
from services.backup.restore import open_backup, restore_backup
from services.backup.seal import (
    CODE,
    DATABASE,
    FILES,
    IDENTITY,
    MANIFEST,
    Age,
    BackupRefused,
    Manifest,
    Stored,
    seal_of,
)
from services.context import Context
from services.erasure.erase import erase_submissions
from tests.services.backup.conftest import CONTENT, NAME, PASSPHRASE, quiet, refused
from tests.support.backup_process import BEGUN, run_backup
from tests.support.full_disk import files_of_at_most
from tests.support.office import environment, wait_until
from tests.support.processes import PROCESSES

#: Bytes that no file may exceed where the disk is full: some files of a backup are written, and not all of it.
_ROOM = 20_000


def modes(folder: Path) -> dict[str, set[int]]:
    """The permissions of a folder and all folders in it, and of all files."""
    paths = [folder, *folder.rglob("*")]
    return {
        "folders": {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()},
        "files": {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()},
    }


def content(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def sealed(filled: Context, tmp_path: Path) -> Path:
    """A sealed backup."""
    make_backup(filled, tmp_path / "backup", PASSPHRASE, quiet)
    return tmp_path / "backup"


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_a_backup_is_its_owners_from_the_first_byte_and_sealed_as_it_is_written(
    filled: Context, tmp_path: Path, passphrase: str | None
) -> None:
    folder, seen = tmp_path / "backup", list[bytes]()

    def look(_done: int, _count: int) -> None:
        partial = tmp_path / "backup.partial"
        assert modes(partial) == {"folders": {0o700}, "files": {0o600}}
        seen.append(content(partial))

    before = os.umask(0o022)
    try:
        make_backup(filled, folder, passphrase, look)
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert modes(folder) == {"folders": {0o700}, "files": {0o600}}
    assert seen
    assert (CONTENT in b"".join(seen)) == (passphrase is None)
    assert all((b"PGDMP" in one) == (passphrase is None) for one in seen)


def test_a_killed_run_leaves_nothing_to_read_and_the_next_one_removes_it(filled: Context, tmp_path: Path) -> None:
    place, partial = tmp_path / "place", tmp_path / "place" / "first.partial"
    arguments = (environment(filled.settings), str(place / "first"), PASSPHRASE)
    process = PROCESSES.Process(target=run_backup, args=arguments)
    process.start()
    try:
        wait_until((place / BEGUN).exists, "the backup", 60)
        make_backup(filled, place / "beside", PASSPHRASE, quiet)
        assert partial.exists(), "another run is at work on it"
    finally:
        process.kill()
        process.join()
    assert modes(partial) == {"folders": {0o700}, "files": {0o600}}
    assert b"PGDMP" not in content(partial) and CONTENT not in content(partial)
    with pytest.raises(InvalidInputError):
        open_backup(partial, PASSPHRASE)
    (place / "own.partial").mkdir()
    (place / "own.partial" / "notes").write_text("of somebody")
    make_backup(filled, place / "second", None, quiet)
    assert sorted(path.name for path in place.iterdir()) == [BEGUN, "beside", "own.partial", "second"]


@pytest.mark.parametrize("passphrase", [None, PASSPHRASE])
def test_a_full_disk_leaves_no_backup_and_no_part_of_one(
    filled: Context, tmp_path: Path, passphrase: str | None
) -> None:
    place = tmp_path / "place"
    with files_of_at_most(_ROOM), pytest.raises(StorageError):
        make_backup(filled, place / "backup", passphrase, quiet)
    assert list(place.iterdir()) == []
    make_backup(filled, place / "backup", passphrase, quiet)
    assert open_backup(place / "backup", passphrase).manifest.missing == []


def test_a_restore_on_a_full_disk_leaves_an_empty_database_and_is_done_again(
    filled: Context, elsewhere: Context, sealed: Path
) -> None:
    with files_of_at_most(_ROOM), pytest.raises(StorageError):
        restore_backup(elsewhere, open_backup(sealed, PASSPHRASE), quiet)
    with psycopg.connect(elsewhere.database.dsn) as connection:
        assert count_rows(connection) == {}
    backup = open_backup(sealed, PASSPHRASE)
    restore_backup(elsewhere, backup, quiet)
    with psycopg.connect(elsewhere.database.dsn) as connection:
        assert count_rows(connection) == backup.manifest.tables


def rewritten(folder: Path, **values: object) -> None:
    """Change the manifest as anybody can who writes to the disk."""
    path = folder / MANIFEST
    path.write_text(Manifest.model_validate_json(path.read_bytes()).model_copy(update=values).model_dump_json())


def test_a_plain_backup_in_place_of_a_sealed_one_is_refused(
    filled: Context, elsewhere: Context, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    make_backup(filled, plain, None, quiet)
    refused(BackupRefused.NOT_SEALED, elsewhere, plain, PASSPHRASE)
    rewritten(plain, sealed=True)
    refused(BackupRefused.NOT_SEALED, elsewhere, plain, PASSPHRASE)
    refused(BackupRefused.PASSPHRASE_NEEDED, elsewhere, plain)


def test_a_manifest_and_a_key_that_disagree_are_refused(elsewhere: Context, sealed: Path) -> None:
    rewritten(sealed, sealed=False)
    refused(BackupRefused.CHANGED, elsewhere, sealed, PASSPHRASE)
    refused(BackupRefused.PASSPHRASE_NEEDED, elsewhere, sealed)
    (sealed / IDENTITY).unlink()
    refused(BackupRefused.NOT_SEALED, elsewhere, sealed, PASSPHRASE)


def _other_rows(folder: Path) -> None:
    rewritten(folder, tables={"public.submissions": 0})


def _swapped(folder: Path) -> None:
    """Put a file that somebody has uploaded, sealed as it is, in place of the database."""
    manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    key = next(iter(manifest.files))
    shutil.copy(folder / FILES / key, folder / DATABASE)
    rewritten(folder, database=manifest.files[key])


def _older_format(folder: Path) -> None:
    (folder / CODE).unlink()
    rewritten(folder, format=1)


def _own_key(folder: Path) -> None:
    """Seal another database with another key, whose passphrase is another one."""
    identity = pyrage.x25519.Identity.generate()
    (folder / IDENTITY).write_bytes(pyrage.passphrase.encrypt(str(identity).encode(), "another"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_other_rows, BackupRefused.CHANGED),
        (_swapped, BackupRefused.CHANGED),
        (_older_format, BackupRefused.CHANGED),
        (_own_key, BackupRefused.PASSPHRASE_WRONG),
    ],
)
def test_who_writes_to_the_disk_does_not_choose_what_is_restored(
    elsewhere: Context, sealed: Path, change: Callable[[Path], None], code: BackupRefused
) -> None:
    change(sealed)
    refused(code, elsewhere, sealed, PASSPHRASE)


def _link(folder: Path) -> None:
    (folder / DATABASE).rename(folder.with_name("dump"))
    (folder / DATABASE).symlink_to(folder.with_name("dump"))


def _linked_folder(folder: Path) -> None:
    (folder / FILES).rename(folder.with_name("elsewhere-files"))
    (folder / FILES).symlink_to(folder.with_name("elsewhere-files"))


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / FILES / "pipe")


def _pipe_as_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    os.mkfifo(folder / MANIFEST)


def _more(folder: Path) -> None:
    (folder / FILES / "more").write_bytes(b"more")


def _key_of_signatures(folder: Path) -> None:
    (folder / "secret_key").write_bytes(b"chosen")


def _outside(folder: Path) -> None:
    """Name a file outside of the backup, and of the store that it is restored into."""
    data = b"chosen"
    (folder.parent / "out").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    rewritten(folder, files={"../../out": Stored(size=len(data), sha256=digest)})


def _longer(folder: Path) -> None:
    os.truncate(folder / DATABASE, 1 << 40)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_link, BackupRefused.UNEXPECTED),
        (_linked_folder, BackupRefused.UNEXPECTED),
        (_pipe, BackupRefused.UNEXPECTED),
        (_pipe_as_manifest, BackupRefused.NO_BACKUP),
        (_more, BackupRefused.UNEXPECTED),
        (_key_of_signatures, BackupRefused.UNEXPECTED),
        (_outside, BackupRefused.UNEXPECTED),
        (_longer, BackupRefused.CHANGED),
    ],
)
def test_what_does_not_belong_into_a_backup_is_refused(
    filled: Context, elsewhere: Context, tmp_path: Path, change: Callable[[Path], None], code: BackupRefused
) -> None:
    folder = tmp_path / "plain"
    make_backup(filled, folder, None, quiet)
    change(folder)
    refused(code, elsewhere, folder)


def as_of_format_1(folder: Path) -> None:
    """Rewrite a sealed backup as the program wrote it before manifests were authenticated."""
    old = seal_of((folder / IDENTITY).read_bytes(), PASSPHRASE)
    identity = pyrage.x25519.Identity.generate()
    for path in [folder / DATABASE, *(path for path in (folder / FILES).rglob("*") if path.is_file())]:
        data = io.BytesIO()
        old.open(io.BytesIO(path.read_bytes()), data)
        path.write_bytes(pyrage.encrypt(data.getvalue(), [identity.to_public()]))
    (folder / IDENTITY).write_bytes(pyrage.passphrase.encrypt(str(identity).encode(), PASSPHRASE))
    (folder / CODE).unlink()
    rewritten(folder, format=1)


def test_a_sealed_backup_of_the_format_before_is_restored_and_proves_nothing(
    elsewhere: Context, sealed: Path
) -> None:
    as_of_format_1(sealed)
    backup = open_backup(sealed, PASSPHRASE)
    assert not backup.authentic
    rewritten(sealed, sealed=False)
    refused(BackupRefused.SEAL_DIFFERS, elsewhere, sealed, PASSPHRASE)
    restore_backup(elsewhere, backup, quiet)
    with psycopg.connect(elsewhere.database.dsn) as connection:
        row = connection.execute("select student_name from submissions where student_name = %s", [NAME])
        assert row.fetchone() == (NAME,)


def test_the_command_asks_before_it_restores_what_nothing_proves(
    filled: Context, elsewhere: Context, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = settings.model_copy(update={"database_url": elsewhere.database.dsn, "var_dir": tmp_path / "var"})
    monkeypatch.setattr("commands.data.get_settings", lambda: there)
    make_backup(filled, tmp_path / "plain", None, quiet)
    asked = CliRunner().invoke(restore, [str(tmp_path / "plain")], input="n\n")
    assert asked.exit_code == 1
    assert "Nothing proves" in asked.output
    with psycopg.connect(elsewhere.database.dsn) as connection:
        assert count_rows(connection) == {}
    done = CliRunner().invoke(restore, [str(tmp_path / "plain"), "--trust-disk"])
    assert done.exit_code == 0, done.output


def test_an_application_that_starts_during_a_restore_waits_for_its_end_and_can_erase(
    filled: Context, elsewhere: Context, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without waiting it would make tables of its own, in the middle of those that come back."""
    with filled.database.session() as session:
        entry = session.scalars(select(Submission).where(Submission.student_name == NAME)).one()
        key = session.get_one(Upload, entry.upload_id).storage_key
    started, applied, real = list[threading.Thread](), list[list[str]](), Age.open

    def application() -> None:
        applied.append(upgrade(elsewhere.database.dsn))
        erase_submissions(elsewhere, [entry.id], None, ErasureReason.MISTAKE)

    def start(seal: Age, source: io.BytesIO, target: io.BytesIO) -> None:
        if not started and isinstance(target, io.BufferedWriter):
            started.append(threading.Thread(target=application))
            started[0].start()
            started[0].join(1)
            assert started[0].is_alive(), "it waits"
        real(seal, source, target)

    monkeypatch.setattr(Age, "open", start)
    restore_backup(elsewhere, open_backup(sealed, PASSPHRASE), quiet)
    started[0].join(60)
    assert applied == [[]], "there was nothing to apply"
    with elsewhere.database.session() as session:
        assert session.get(Submission, entry.id) is None
        assert session.scalars(select(Erasure)).one().submission_ids == [entry.id]
    assert not elsewhere.store.exists(key)
    assert filled.store.exists(key)


def test_a_machine_that_is_far_slower_says_so(
    elsewhere: Context, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that the passphrase is wrong: the library refuses what would take it a quarter of an hour."""
    monkeypatch.setattr("services.backup.seal._where_idle.wait", wait_none())
    kept = (sealed / IDENTITY).read_bytes()
    (sealed / IDENTITY).write_bytes(re.sub(rb"(-> scrypt \S+) \d+", rb"\1 30", kept))
    refused(BackupRefused.MACHINE_SLOW, elsewhere, sealed, PASSPHRASE)
