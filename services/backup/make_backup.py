"""Write a backup: the database as of one moment, and every file that its rows name."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import psycopg

from core.clock import utcnow
from core.errors import NotFoundError, StorageError
from core.folders import create, open_file, opened
from core.migrations import applied_migrations
from core.secret_key import key_path
from services.backup.codes import BackupRefused, refusal
from services.backup.contents import SCHEMAS, count_rows, named_files
from services.backup.manifest import (
    CODE,
    DATABASE,
    FILES,
    FORMAT,
    IDENTITY,
    MANIFEST,
    MOST_PROVEN,
    MOST_UNPROVEN,
    SECRET_KEY,
    TOP,
    Manifest,
    Stored,
    require_readable,
)
from services.backup.own_folder import new_folder
from services.backup.programs import printed_by
from services.backup.seal import Age, Measured, Plain, Seal, Source, new_seal
from services.context import Context

#: Characters of a passphrase: whoever has the backup may try as many as they like.
LEAST_PASSPHRASE = 12
#: Callback with the number of files done and of all files.
Progress = Callable[[int, int], None]


def make_backup(context: Context, folder: Path, passphrase: str | None, progress: Progress) -> Manifest:
    """Write a backup into a folder that does not exist yet, and return what it holds.

    The folder has the name only when the backup is complete; until then it ends in ".partial", and nobody but
    its owner can open it. Nothing is written before it is sealed. Files are written after the database, in which
    their rows stand: a file that was removed meanwhile is listed as missing. What breaks off leaves nothing; what
    a killed run has left beside the folder is removed. Raises InvalidInputError, also where the passphrase is too
    short and where other accounts can write to the folder above, and StorageError.
    """
    if passphrase is not None and len(passphrase.strip()) < LEAST_PASSPHRASE:
        raise refusal(BackupRefused.PASSPHRASE_SHORT, least=LEAST_PASSPHRASE)
    if folder.exists() and any(folder.iterdir()):
        raise refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder))
    try:
        with _private(), new_folder(folder, TOP) as partial:
            return _write(context, partial, passphrase, progress)
    except OSError as exc:
        raise StorageError(f"cannot write the backup: {exc.strerror}") from exc


def _write(context: Context, folder: int, passphrase: str | None, progress: Progress) -> Manifest:
    seal: Age | Plain = Plain()
    if passphrase is not None:
        seal, kept = new_seal(passphrase)
        _keep(folder, IDENTITY, io.BytesIO(kept), Plain())
    # The dump sees what this transaction sees, however long it takes.
    with psycopg.connect(context.database.dsn) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database = _dump(connection, context, folder, seal)
        tables, migrations = count_rows(connection), applied_migrations(connection)
        must, may = named_files(connection)
        version = connection.info.parameter_status("server_version") or ""
    files, missing = _copy(context, must, may, folder, seal, progress)
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
        secret_key=_keep_key(context, folder, seal) if passphrase is not None else None,
    )
    written = manifest.model_dump_json(indent=1).encode()
    require_readable(written, MOST_PROVEN if seal.authenticates else MOST_UNPROVEN)
    _keep(folder, MANIFEST, io.BytesIO(written), Plain())
    if isinstance(seal, Age):
        _keep(folder, CODE, io.BytesIO(seal.code(written).encode()), Plain())
    return manifest


@contextmanager
def _private() -> Iterator[None]:
    """Keep everybody but the owner from what this process and its programs make."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _keep(folder: int, name: str, source: Source, seal: Seal) -> Stored:
    """Write a file, sealed as it is written, and return what it was before."""
    measured = Measured(source)
    with create(folder, name) as target:
        seal.close(measured, target)
        target.flush()
        os.fsync(target.fileno())
    return measured.stored


def _dump(connection: psycopg.Connection[Any], context: Context, folder: int, seal: Seal) -> Stored:
    row = connection.execute("select pg_export_snapshot()").fetchone()
    assert row is not None
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    arguments = ["--format=custom", "--no-owner", f"--snapshot={row[0]}", *schemas]
    with printed_by("pg_dump", arguments, context.database.dsn) as dump:
        return _keep(folder, DATABASE, dump, seal)


def _copy(
    context: Context, must: list[str], may: list[str], folder: int, seal: Seal, progress: Progress
) -> tuple[dict[str, Stored], list[str]]:
    files: dict[str, Stored] = {}
    missing: list[str] = []
    wanted = [(key, True) for key in must] + [(key, False) for key in may]
    for number, (key, needed) in enumerate(wanted, 1):
        try:
            with _opened(context, key) as source:
                files[key] = _keep(folder, f"{FILES}/{key}", source, seal)
        except NotFoundError:
            if needed:
                missing.append(key)
        except OSError as exc:
            # A link in the store leads to what is not this product's: it is left out, and said.
            if exc.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
            missing.append(key)
        progress(number, len(wanted))
    return files, missing


def _opened(context: Context, key: str) -> BinaryIO:
    """Open a file of the store. Raises NotFoundError, StorageError, OSError: ELOOP or ENOTDIR for a link."""
    path = context.store.local_path(key)
    if path is None:
        return io.BytesIO(context.store.get(key))
    try:
        with opened(path.parents[key.count("/")].resolve()) as store:
            return open_file(store, key)
    except FileNotFoundError as exc:
        raise NotFoundError(f"no file {key}") from exc


def _keep_key(context: Context, folder: int, seal: Seal) -> Stored | None:
    """Store the key that encrypts what is in the database, unless the environment gives it."""
    path = key_path(context.settings)
    if context.settings.secret_key is not None or not path.exists():
        return None
    with path.open("rb") as key:
        return _keep(folder, SECRET_KEY, key, seal)
