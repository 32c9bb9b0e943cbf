"""Restore a backup into an empty installation: checked before anything is written, counted afterwards."""

from __future__ import annotations

import tempfile
from pathlib import Path

import psycopg
from pydantic import ValidationError

from core.embedded.files import make_once
from core.errors import InvalidInputError
from core.file_store import checked_key
from core.migrations import make_roles, read_migrations, upgrade
from core.secret_key import key_path
from services.backup.codes import BackupRefused
from services.backup.contents import count_rows
from services.backup.make_backup import Progress, stored
from services.backup.manifest import DATABASE, FILES, FORMAT, MANIFEST, SECRET_KEY, Manifest, Stored
from services.backup.programs import run_program
from services.backup.seal import Seal, seal_of
from services.context import Context


def read_manifest(folder: Path) -> Manifest:
    """Return what the backup in this folder holds.

    Raises InvalidInputError where it is none, or of a newer version.
    """
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValidationError) as exc:
        raise InvalidInputError(BackupRefused.NO_BACKUP, folder=str(folder)) from exc
    known = {migration.version for migration in read_migrations()}
    if manifest.format > FORMAT or not known.issuperset(manifest.migrations):
        raise InvalidInputError(BackupRefused.FORMAT_UNKNOWN)
    return manifest


def restore_backup(
    context: Context, folder: Path, passphrase: str | None, progress: Progress
) -> tuple[Manifest, list[str]]:
    """Restore a backup and bring it to this version; return what it holds, and the migrations that were applied.

    Every file is checked before anything is written. Files are written before the database, so that what breaks
    off leaves an empty database, into which it can be restored again. Raises InvalidInputError, StorageError.
    """
    manifest = read_manifest(folder)
    seal = seal_of(folder, passphrase)
    _require_empty(context)
    database = _checked(folder / DATABASE, manifest.database, seal)
    for key, file in manifest.files.items():
        _checked(folder / FILES / checked_key(key), file, seal)
    if manifest.secret_key is not None and context.settings.secret_key is None:
        _put_key(context, _checked(folder / SECRET_KEY, manifest.secret_key, seal))
    for number, (key, file) in enumerate(manifest.files.items(), 1):
        context.store.put(key, _checked(folder / FILES / key, file, seal))
        progress(number, len(manifest.files))
    with psycopg.connect(context.database.dsn) as connection:
        make_roles(connection)
    _load(context, database)
    with psycopg.connect(context.database.dsn) as connection:
        counted = count_rows(connection)
    if counted != manifest.tables:
        differ = sorted({name for name, _ in counted.items() ^ manifest.tables.items()})
        raise InvalidInputError(BackupRefused.COUNTS_DIFFER, tables=differ)
    return manifest, upgrade(context.database.dsn)


def _require_empty(context: Context) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        if count_rows(connection):
            raise InvalidInputError(BackupRefused.NOT_EMPTY)


def _put_key(context: Context, key: bytes) -> None:
    """Replace the key that this installation has made for itself and that nothing depends on yet."""
    path = key_path(context.settings)
    path.unlink(missing_ok=True)
    make_once(path, key)


def _checked(path: Path, file: Stored, seal: Seal) -> bytes:
    try:
        data = seal.open(path.read_bytes())
    except (OSError, InvalidInputError) as exc:
        raise InvalidInputError(BackupRefused.CHANGED, name=path.name) from exc
    if stored(data) != file:
        raise InvalidInputError(BackupRefused.CHANGED, name=path.name)
    return data


def _load(context: Context, database: bytes) -> None:
    dsn = context.database.dsn
    with tempfile.TemporaryDirectory() as scratch:
        dump, listed = Path(scratch) / DATABASE, Path(scratch) / "list"
        dump.write_bytes(database)
        entries = run_program("pg_restore", ["--list", str(dump)], dsn).splitlines()
        # Schema public is there already, in every database.
        listed.write_text("\n".join(line for line in entries if " SCHEMA - public " not in line), encoding="utf-8")
        run_program(
            "pg_restore",
            [
                "--no-owner",
                "--exit-on-error",
                "--single-transaction",
                f"--use-list={listed}",
                f"--dbname={psycopg.conninfo.conninfo_to_dict(dsn).get('dbname', 'postgres')}",
                str(dump),
            ],
            dsn,
        )
