"""Make a backup: the database and the files, with a manifest."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from core.auth.keys import key_path
from core.clock import utcnow
from core.database import applied_migrations
from core.embedded.place import postgres_clients
from core.embedded.process import plain_environment
from core.errors import InvalidInputError, NotFoundError, StorageError
from core.folders import create_file, open_file, opened
from services.backup.seal import (
    CODE,
    DATABASE,
    FILES,
    FORMAT,
    IDENTITY,
    MANIFEST,
    MOST_PROVEN,
    MOST_UNPROVEN,
    SECRET_KEY,
    Age,
    BackupRefused,
    ByteSource,
    Manifest,
    Measured,
    NoSeal,
    Stored,
    backup_refusal,
    new_folder,
    new_seal,
    require_readable,
)
from services.context import Context

#: Characters of a passphrase: whoever has the backup may try as many as they like.
LEAST_PASSPHRASE = 12
#: Callback with the number of files done and of all files.
Progress = Callable[[int, int], None]
#: libpq's variables for parts of a connection string. On the command line anybody could read a password.
_VARIABLES = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "dbname": "PGDATABASE",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "options": "PGOPTIONS",
}


def make_backup(context: Context, folder: Path, passphrase: str | None, progress: Progress) -> Manifest:
    """Write a backup into a folder that does not exist yet, and return what it holds.

    Until the backup is complete the folder's name ends in ".partial", and only its owner can open it. Nothing is
    written unsealed. Files are written after the database, which has their rows: a file that was removed meanwhile
    is listed as missing. A failed run leaves nothing; what a killed run left beside the folder is removed. Raises
    InvalidInputError, also if the passphrase is too short or other accounts can write to the parent folder, and
    StorageError.
    """
    if passphrase is not None and len(passphrase.strip()) < LEAST_PASSPHRASE:
        raise backup_refusal(BackupRefused.PASSPHRASE_SHORT, least=LEAST_PASSPHRASE)
    if folder.exists() and any(folder.iterdir()):
        raise backup_refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder))
    try:
        with _private(), new_folder(folder) as partial:
            return _write(context, partial, passphrase, progress)
    except OSError as exc:
        raise StorageError(f"cannot write the backup: {exc.strerror}") from exc


def _write(context: Context, folder: int, passphrase: str | None, progress: Progress) -> Manifest:
    seal = NoSeal()
    if passphrase is not None:
        seal, kept = new_seal(passphrase)
        _keep(folder, IDENTITY, io.BytesIO(kept), NoSeal())
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
    _keep(folder, MANIFEST, io.BytesIO(written), NoSeal())
    if isinstance(seal, Age):
        _keep(folder, CODE, io.BytesIO(seal.code(written).encode()), NoSeal())
    return manifest


@contextmanager
def _private() -> Iterator[None]:
    """Let only the owner read what this process and its programs write."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _keep(folder: int, name: str, source: ByteSource, seal: NoSeal) -> Stored:
    """Write a file, sealed as it is written; return its size and digest before that."""
    measured = Measured(source)
    with create_file(folder, name) as target:
        seal.close(measured, target)
        target.flush()
        os.fsync(target.fileno())
    return measured.stored


def _dump(connection: psycopg.Connection[Any], context: Context, folder: int, seal: NoSeal) -> Stored:
    row = connection.execute("select pg_export_snapshot()").fetchone()
    assert row is not None
    schemas = [f"--schema={schema}" for schema in SCHEMAS]
    arguments = ["--format=custom", "--no-owner", f"--snapshot={row[0]}", *schemas]
    with printed_by("pg_dump", arguments, context.database.dsn) as dump:
        return _keep(folder, DATABASE, dump, seal)


def _copy(
    context: Context, must: list[str], may: list[str], folder: int, seal: NoSeal, progress: Progress
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
            # A link may lead out of the store: it is left out and listed as missing.
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


def _keep_key(context: Context, folder: int, seal: NoSeal) -> Stored | None:
    """Store the key that encrypts what is in the database, unless the environment gives it."""
    path = key_path(context.settings)
    if context.settings.secret_key is not None or not path.exists():
        return None
    with path.open("rb") as key:
        return _keep(folder, SECRET_KEY, key, seal)


# What a backup must hold: the rows of the tables, and the files that rows name.


#: Schemas that are ours: tables, checkpoints, the ledger of migrations.
SCHEMAS = ("public", "langgraph", "supabase_migrations")

#: Queries for the keys of files that rows name. Files below `cache/` are made again when needed.
_KEYS = (
    "select storage_key from public.uploads",
    "select pdf_key from public.uploads where pdf_key is not null",
    "select blank_key from public.form_profiles where blank_key is not null",
    "select 'form-drafts/' || id || '/blank' from public.form_drafts",
    "select storage_key from public.library_documents",
    "select 'reports/' || id || '/original' from public.reports where origin = 'uploaded'",
)
#: Keys of artifacts and of converted blanks; not every run has each of them, nor every draft.
_ARTIFACTS = """
    select 'artifacts/' || submission_id || '/' || run_no || '/' || name
    from public.runs, unnest(array['reading.json', 'text.txt', 'first.json']) as name
    union all select 'form-drafts/' || id || '/blank.pdf' from public.form_drafts
"""


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Return the number of rows of each table, "schema.table"."""
    tables = connection.execute(
        "select schemaname, tablename from pg_tables where schemaname = any(%s) order by 1, 2", [list(SCHEMAS)]
    ).fetchall()
    return {f"{schema}.{table}": _count(connection, schema, table) for schema, table in tables}


def _count(connection: psycopg.Connection[Any], schema: str, table: str) -> int:
    row = connection.execute(sql.SQL("select count(*) from {}").format(sql.Identifier(schema, table))).fetchone()
    return int(row[0]) if row else 0


def named_files(connection: psycopg.Connection[Any]) -> tuple[list[str], list[str]]:
    """Return the keys that must be there, and those that may be."""
    must = {row[0] for query in _KEYS for row in connection.execute(query).fetchall()}
    may = {row[0] for row in connection.execute(_ARTIFACTS).fetchall()}
    return sorted(must), sorted(may - must)


@contextmanager
def printed_by(program: str, arguments: Sequence[str], dsn: str) -> Iterator[IO[bytes]]:
    """Yield the program's output as a stream, and end the program with the block.

    Raises InvalidInputError with the program's last line of output if it fails.
    """
    process = _started(program, arguments, dsn, subprocess.DEVNULL)
    assert process.stdout is not None
    errors: list[bytes] = []
    listening = _in_thread(lambda: errors.append(process.stderr.read() if process.stderr else b""))
    try:
        yield process.stdout
        process.stdout.close()
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        listening.join()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
    _require_done(program, process.returncode, errors[0])


def run_program(program: str, arguments: Sequence[str], dsn: str, feed: Callable[[IO[bytes]], None]) -> str:
    """Return what the program prints; `feed` writes its input.

    The program may end before it has read all input; if `feed` fails, the input is cut short. Raises
    InvalidInputError with the program's last line of output if it fails.
    """
    process = _started(program, arguments, dsn, subprocess.PIPE)
    stdin, process.stdin = process.stdin, None
    assert stdin is not None
    feeding = _in_thread(lambda: _feed(feed, stdin))
    try:
        printed, errors = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        feeding.join()
    _require_done(program, process.returncode, errors)
    return printed.decode()


def _started(program: str, arguments: Sequence[str], dsn: str, stdin: int) -> subprocess.Popen[bytes]:
    given = conninfo_to_dict(dsn).items()
    named = {_VARIABLES[key]: str(value) for key, value in given if key in _VARIABLES and value is not None}
    return subprocess.Popen(
        [postgres_clients() / program, *arguments],
        env=plain_environment() | named,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _in_thread(do: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


def _feed(feed: Callable[[IO[bytes]], None], stdin: IO[bytes]) -> None:
    with suppress(OSError, InvalidInputError), stdin:
        feed(stdin)


def _require_done(program: str, code: int, output: bytes) -> None:
    if code:
        last = (output.decode(errors="replace").strip().splitlines() or [f"code {code}"])[-1]
        raise backup_refusal(BackupRefused.PROGRAM_FAILED, program=program, said=last)
