"""Write a backup: the database as of one moment, and every file that its rows name."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import psycopg

from core.clock import utcnow
from core.errors import InvalidInputError, NotFoundError, StorageError
from core.secret_key import key_path
from services.backup.codes import BackupRefused
from services.backup.contents import SCHEMAS, applied_migrations, count_rows, named_files
from services.backup.manifest import (
    CODE,
    DATABASE,
    FILES,
    FORMAT,
    IDENTITY,
    MANIFEST,
    SECRET_KEY,
    TOP,
    Manifest,
    Stored,
)
from services.backup.programs import printed_by
from services.backup.seal import Age, Measured, Plain, Seal, Source, new_seal
from services.context import Context

#: Callback with the number of files done and of all files.
Progress = Callable[[int, int], None]
_PARTIAL = ".partial"
#: In a folder that is being written: locked for as long as the process lives.
_LOCK = ".lock"


def make_backup(context: Context, folder: Path, passphrase: str | None, progress: Progress) -> Manifest:
    """Write a backup into a folder that does not exist yet, and return what it holds.

    The folder has the name only when the backup is complete; until then it ends in ".partial", and nobody but
    its owner can open it. Nothing is written before it is sealed. Files are written after the database, in which
    their rows stand: a file that was removed meanwhile is listed as missing. What breaks off leaves nothing; what
    a killed run has left beside the folder is removed. Raises InvalidInputError, StorageError.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InvalidInputError(BackupRefused.FOLDER_TAKEN, folder=str(folder))
    try:
        with _private(), _partial(folder) as partial:
            return _write(context, partial, passphrase, progress)
    except OSError as exc:
        raise StorageError(f"cannot write the backup: {exc.strerror}") from exc


def _write(context: Context, folder: Path, passphrase: str | None, progress: Progress) -> Manifest:
    seal: Age | Plain = Plain()
    if passphrase is not None:
        seal, kept = new_seal(passphrase)
        _keep(folder / IDENTITY, io.BytesIO(kept), Plain())
    # The dump sees what this transaction sees, however long it takes.
    with psycopg.connect(context.database.dsn) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database = _dump(connection, context, folder, seal)
        tables, migrations = count_rows(connection), applied_migrations(connection)
        must, may = named_files(connection)
        version = connection.info.parameter_status("server_version") or ""
    files, missing = _copy(context, must, may, folder / FILES, seal, progress)
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
    _keep(folder / MANIFEST, io.BytesIO(written), Plain())
    if isinstance(seal, Age):
        _keep(folder / CODE, io.BytesIO(seal.code(written).encode()), Plain())
    return manifest


@contextmanager
def _private() -> Iterator[None]:
    """Keep everybody but the owner from what this process and its programs make."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _partial(folder: Path) -> Iterator[Path]:
    """Give the folder to write into; with the block it gets its name, or is removed where that raised."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f"*{_PARTIAL}"):
        _remove_dead(left)
    partial = folder.with_name(f"{folder.name}{_PARTIAL}")
    try:
        partial.mkdir(mode=0o700)
    except FileExistsError as exc:
        raise InvalidInputError(BackupRefused.FOLDER_TAKEN, folder=str(partial)) from exc
    with (partial / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield partial
            (partial / _LOCK).unlink()
            if folder.exists():
                folder.rmdir()
            partial.rename(folder)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise


def _remove_dead(partial: Path) -> None:
    """Remove what a killed run has left: it is ours, holds nothing but a backup, and no process locks it."""
    if partial.lstat().st_uid != os.geteuid() or partial.is_symlink() or not (partial / _LOCK).is_file():
        return
    if any(path.name not in (*TOP, _LOCK) for path in partial.iterdir()):
        return
    with (partial / _LOCK).open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        shutil.rmtree(partial)


def _keep(path: Path, source: Source, seal: Seal) -> Stored:
    """Write a file, sealed as it is written, and return what it was before."""
    measured = Measured(source)
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as target:
        seal.close(measured, target)
        target.flush()
        os.fsync(target.fileno())
    return measured.stored


def _dump(connection: psycopg.Connection[Any], context: Context, folder: Path, seal: Seal) -> Stored:
    row = connection.execute("select pg_export_snapshot()").fetchone()
    assert row is not None
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    arguments = ["--format=custom", "--no-owner", f"--snapshot={row[0]}", *schemas]
    with printed_by("pg_dump", arguments, context.database.dsn) as dump:
        return _keep(folder / DATABASE, dump, seal)


def _copy(
    context: Context, must: list[str], may: list[str], folder: Path, seal: Seal, progress: Progress
) -> tuple[dict[str, Stored], list[str]]:
    files: dict[str, Stored] = {}
    missing: list[str] = []
    wanted = [(key, True) for key in must] + [(key, False) for key in may]
    for number, (key, needed) in enumerate(wanted, 1):
        try:
            with _opened(context, key) as source:
                files[key] = _keep(folder / key, source, seal)
        except NotFoundError:
            if needed:
                missing.append(key)
        progress(number, len(wanted))
    return files, missing


def _opened(context: Context, key: str) -> BinaryIO:
    """Open a file of the store. Raises NotFoundError, StorageError."""
    try:
        path = context.store.local_path(key)
        return io.BytesIO(context.store.get(key)) if path is None else path.open("rb")
    except FileNotFoundError as exc:
        raise NotFoundError(f"no file {key}") from exc


def _keep_key(context: Context, folder: Path, seal: Seal) -> Stored | None:
    """Store the key that encrypts what is in the database, unless the environment gives it."""
    path = key_path(context.settings)
    if context.settings.secret_key is not None or not path.exists():
        return None
    with path.open("rb") as key:
        return _keep(folder / SECRET_KEY, key, seal)
