"""Restore a backup into an empty installation: checked before anything is written, counted afterwards."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import IO, BinaryIO

import psycopg

from core.embedded.files import make_once
from core.errors import StorageError
from core.migrations import adopt_baseline, kept_from_upgrades, make_roles, upgrade
from core.secret_key import key_path
from services.backup.codes import BackupRefused, refusal
from services.backup.contents import count_rows
from services.backup.make_backup import Progress
from services.backup.manifest import DATABASE, FILES, SECRET_KEY, Stored
from services.backup.open_backup import Backup
from services.backup.programs import run_program
from services.context import Context


def restore_backup(context: Context, backup: Backup, progress: Progress) -> list[str]:
    """Restore a backup and bring it to this version; return the migrations that were applied.

    Every file is checked before anything is written. Files are written before the database, so that what breaks
    off leaves an empty database, into which it can be restored again. What starts on the database meanwhile waits
    until all of it is there. No file is written out unsealed but into the store. Raises InvalidInputError,
    StorageError.
    """
    _require_empty(context)
    context.settings.var_dir.mkdir(parents=True, exist_ok=True)
    try:
        # It has no name, so nothing is left of it, and nobody can change what was checked.
        with tempfile.TemporaryFile(dir=context.settings.var_dir) as dump:
            _check(backup, dump)
            _put_key(context, backup)
            _put_files(context, backup, progress)
            with psycopg.connect(context.database.dsn) as connection:
                make_roles(connection)
            with kept_from_upgrades(context.database.dsn):
                _require_empty(context)
                _load(context, backup, dump)
                _require_counts(context, backup)
                adopt_baseline(context.database.dsn)
    except OSError as exc:
        raise StorageError(f"cannot restore: {exc.strerror}") from exc
    return upgrade(context.database.dsn)


def _check(backup: Backup, dump: BinaryIO) -> None:
    """Check all files, and copy the database's as it is kept."""
    manifest = backup.manifest
    with backup.opened(DATABASE, manifest.database) as kept:
        shutil.copyfileobj(kept, dump)
    dump.seek(0)
    backup.unseal(dump, DATABASE, manifest.database)
    for key, file in manifest.files.items():
        name = f"{FILES}/{key}"
        with backup.opened(name, file) as kept:
            backup.unseal(kept, name, file)


def _put_files(context: Context, backup: Backup, progress: Progress) -> None:
    for number, (key, file) in enumerate(backup.manifest.files.items(), 1):
        context.store.put(key, _whole(backup, f"{FILES}/{key}", file))
        progress(number, len(backup.manifest.files))


def _whole(backup: Backup, name: str, file: Stored) -> bytes:
    """Return what a file was: no file of the store is larger than an upload may be."""
    target = io.BytesIO()
    with backup.opened(name, file) as kept:
        backup.unseal(kept, name, file, target)
    return target.getvalue()


def _require_empty(context: Context) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        if count_rows(connection):
            raise refusal(BackupRefused.NOT_EMPTY)


def _require_counts(context: Context, backup: Backup) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        counted = count_rows(connection)
    if counted != backup.manifest.tables:
        differ = sorted({name for name, _ in counted.items() ^ backup.manifest.tables.items()})
        raise refusal(BackupRefused.COUNTS_DIFFER, tables=differ)


def _put_key(context: Context, backup: Backup) -> None:
    """Replace the key that this installation has made for itself and that nothing depends on yet."""
    file = backup.manifest.secret_key
    if file is not None and context.settings.secret_key is None:
        key, path = _whole(backup, SECRET_KEY, file), key_path(context.settings)
        path.unlink(missing_ok=True)
        make_once(path, key)


def _load(context: Context, backup: Backup, dump: BinaryIO) -> None:
    """Load the database, which was checked, in one transaction."""
    dsn = context.database.dsn

    def feed(stdin: IO[bytes]) -> None:
        dump.seek(0)
        backup.seal.open(dump, stdin)

    with tempfile.TemporaryDirectory() as scratch:
        entries = run_program("pg_restore", ["--format=custom", "--list"], dsn, feed).splitlines()
        listed = Path(scratch) / "list"
        # Schema public is there already, in every database.
        listed.write_text("\n".join(line for line in entries if " SCHEMA - public " not in line), encoding="utf-8")
        arguments = [
            "--format=custom",
            "--no-owner",
            "--exit-on-error",
            "--single-transaction",
            f"--use-list={listed}",
            f"--dbname={psycopg.conninfo.conninfo_to_dict(dsn).get('dbname', 'postgres')}",
        ]
        run_program("pg_restore", arguments, dsn, feed)
