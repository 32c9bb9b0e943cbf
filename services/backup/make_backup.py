"""Write a backup: the database as of one moment, and every file that its rows name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError
from core.secret_key import key_path
from services.backup.codes import BackupRefused
from services.backup.contents import SCHEMAS, applied_migrations, count_rows, named_files
from services.backup.manifest import DATABASE, FILES, FORMAT, MANIFEST, SECRET_KEY, Manifest, Stored
from services.backup.programs import run_program
from services.backup.seal import Seal, new_seal
from services.context import Context

#: Callback with the number of files done and of all files.
Progress = Callable[[int, int], None]


def make_backup(context: Context, folder: Path, passphrase: str | None, progress: Progress) -> Manifest:
    """Write a backup into a folder that does not exist yet, and return what it holds.

    The folder has the name only when the backup is complete; until then it ends in ".partial". Files are written
    after the database, in which their rows stand: a file that was removed meanwhile is listed as missing.
    Raises InvalidInputError, StorageError.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InvalidInputError(BackupRefused.FOLDER_TAKEN, folder=str(folder))
    partial = folder.with_name(f"{folder.name}.partial")
    if partial.exists() and any(partial.iterdir()):
        raise InvalidInputError(BackupRefused.FOLDER_TAKEN, folder=str(partial))
    (partial / FILES).mkdir(parents=True, mode=0o700, exist_ok=True)
    seal = new_seal(partial, passphrase)
    # The dump sees what this transaction sees, however long it takes.
    with psycopg.connect(context.database.dsn) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database = _dump(connection, context, partial, seal)
        tables, migrations = count_rows(connection), applied_migrations(connection)
        must, may = named_files(connection)
        version = connection.info.parameter_status("server_version") or ""
    files, missing = _copy(context, must, may, partial / FILES, seal, progress)
    manifest = Manifest(
        format=FORMAT,
        made_at=utcnow().isoformat(),
        server_version=version,
        migrations=migrations,
        tables=tables,
        database=database,
        files=files,
        missing=missing,
        sealed=passphrase is not None,
        secret_key=_keep_key(context, partial, seal) if passphrase is not None else None,
    )
    (partial / MANIFEST).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    if folder.exists():
        folder.rmdir()
    partial.rename(folder)
    return manifest


def _dump(connection: psycopg.Connection[Any], context: Context, folder: Path, seal: Seal) -> Stored:
    row = connection.execute("select pg_export_snapshot()").fetchone()
    assert row is not None
    target = folder / DATABASE
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    run_program(
        "pg_dump",
        ["--format=custom", "--no-owner", f"--snapshot={row[0]}", f"--file={target}", *schemas],
        context.database.dsn,
    )
    data = target.read_bytes()
    target.write_bytes(seal.close(data))
    return stored(data)


def _copy(
    context: Context, must: list[str], may: list[str], folder: Path, seal: Seal, progress: Progress
) -> tuple[dict[str, Stored], list[str]]:
    files: dict[str, Stored] = {}
    missing: list[str] = []
    wanted = [(key, True) for key in must] + [(key, False) for key in may]
    for number, (key, needed) in enumerate(wanted, 1):
        try:
            data = context.store.get(key)
        except NotFoundError:
            if needed:
                missing.append(key)
        else:
            place = folder / key
            place.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
            place.write_bytes(seal.close(data))
            files[key] = stored(data)
        progress(number, len(wanted))
    return files, missing


def _keep_key(context: Context, folder: Path, seal: Seal) -> Stored | None:
    """Store the key that encrypts what is in the database, unless the environment gives it."""
    path = key_path(context.settings)
    if context.settings.secret_key is not None or not path.exists():
        return None
    data = path.read_bytes()
    (folder / SECRET_KEY).write_bytes(seal.close(data))
    return stored(data)


def stored(data: bytes) -> Stored:
    """Return size and digest of a file."""
    return Stored(size=len(data), sha256=hashlib.sha256(data).hexdigest())
