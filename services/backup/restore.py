"""Open a backup, check that it is complete and unchanged, and restore it."""

from __future__ import annotations

import hmac
import io
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

import psycopg
from pydantic import ValidationError

from core.auth.keys import key_path
from core.database import (
    FIRST_OF_OLD,
    LAST_OF_OLD,
    adopt_baseline,
    kept_from_upgrades,
    make_roles,
    read_migrations,
    upgrade,
)
from core.embedded.account import make_once
from core.errors import InvalidInputError, StorageError
from core.file_store import MAX_KEY, checked_key
from core.folders import open_file, opened
from services.backup.backup import Progress, count_rows, run_program
from services.backup.seal import (
    AUTHENTICATED,
    CODE,
    DATABASE,
    FILES,
    FORMAT,
    IDENTITY,
    LOCK,
    MANIFEST,
    MOST_PROVEN,
    MOST_UNPROVEN,
    SECRET_KEY,
    Age,
    BackupRefused,
    Manifest,
    Measured,
    NoSeal,
    Stored,
    Target,
    backup_refusal,
    require_readable,
    seal_of,
)
from services.context import Context


def restore_backup(context: Context, backup: Backup, progress: Progress) -> list[str]:
    """Restore a backup and bring it to this version; return the migrations that were applied.

    Every file is checked before anything is written. Files are written before the database, so that a failed
    run leaves an empty database and can be repeated. Processes that start on the database meanwhile wait until it
    is complete. Files are written unsealed into the store alone. Raises InvalidInputError, StorageError.
    """
    _require_empty(context)
    context.settings.var_dir.mkdir(parents=True, exist_ok=True)
    try:
        # A file without a name leaves nothing behind, and nobody can change it after the check.
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
    """Check all files, and copy the dump of the database, still sealed."""
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
    """Return the unsealed bytes: no file of the store is larger than an upload may be."""
    target = io.BytesIO()
    with backup.opened(name, file) as kept:
        backup.unseal(kept, name, file, target)
    return target.getvalue()


def _require_empty(context: Context) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        if count_rows(connection):
            raise backup_refusal(BackupRefused.NOT_EMPTY)


def _require_counts(context: Context, backup: Backup) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        counted = count_rows(connection)
    if counted != backup.manifest.tables:
        differ = sorted({name for name, _ in counted.items() ^ backup.manifest.tables.items()})
        raise backup_refusal(BackupRefused.COUNTS_DIFFER, tables=differ)


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


# Open a backup and check it before anything is restored: whoever can write to its disk is not trusted.


#: Most bytes of a code or a key.
_MOST_OTHERS = 64 * 1024
#: Bytes that the age format adds at most: its head, and 16 for each 64 kB.
_HEAD, _PIECE = 4096, 4096
#: Characters of a file's name at most.
_LONGEST = len(FILES) + 1 + MAX_KEY


@dataclass(frozen=True)
class Backup:
    """A backup in a folder, as it was when it was opened."""

    folder: Path
    manifest: Manifest
    seal: NoSeal

    @property
    def authentic(self) -> bool:
        """Whether the passphrase proves that the backup is unchanged."""
        return self.seal.authenticates

    def opened(self, name: str, file: Stored) -> BinaryIO:
        """Open a file, still sealed. Raises InvalidInputError if it cannot be the one in the manifest."""
        source = _open(self.folder, name)
        if os.fstat(source.fileno()).st_size > file.size + file.size // _PIECE + _HEAD:
            source.close()
            raise backup_refusal(BackupRefused.CHANGED, name=name)
        return source

    def unseal(self, source: BinaryIO, name: str, file: Stored, target: Target | None = None) -> None:
        """Unseal a file into `target`, or only check it.

        Raises OSError, and InvalidInputError, perhaps only at its end, if it is not the one in the manifest.
        """
        measured = Measured(target=target)
        try:
            self.seal.open(source, measured)
        except InvalidInputError as exc:
            raise backup_refusal(BackupRefused.CHANGED, name=name) from exc
        if measured.stored != file:
            raise backup_refusal(BackupRefused.CHANGED, name=name)


def is_sealed(folder: Path) -> bool:
    """Whether the backup in this folder needs a passphrase. Raises InvalidInputError if it is no backup."""
    return os.path.lexists(folder / IDENTITY) or _parsed(folder, _written(folder), NoSeal()).sealed


def open_backup(folder: Path, passphrase: str | None) -> Backup:
    """Return the backup in this folder.

    Raises InvalidInputError if it is no backup, or of a newer version, or older than the last before 1.0; if the
    passphrase is missing or wrong, or is given for a backup that is not sealed; if the manifest was changed; if
    there is a link, a device, or a file that the manifest does not name.
    """
    # A run that was killed just after it named its backup has left its lock.
    written, found = _written(folder), set(_names(folder)) - {LOCK}
    sealed = IDENTITY in found
    if passphrase is None and sealed:
        raise backup_refusal(BackupRefused.PASSPHRASE_NEEDED)
    if passphrase is not None and not sealed:
        raise backup_refusal(BackupRefused.NOT_SEALED)
    seal = NoSeal() if passphrase is None else _seal(folder, written, passphrase)
    manifest = _parsed(folder, written, seal)
    if manifest.sealed and not sealed:
        raise backup_refusal(BackupRefused.PASSPHRASE_NEEDED)
    if sealed != manifest.sealed:
        raise backup_refusal(BackupRefused.SEAL_DIFFERS)
    expected = _expected(manifest, seal)
    if strange := sorted(found - expected):
        raise backup_refusal(BackupRefused.UNEXPECTED, name=strange[0])
    if lost := sorted(expected - found):
        raise backup_refusal(BackupRefused.CHANGED, name=lost[0])
    return Backup(folder, manifest, seal)


def _written(folder: Path) -> bytes:
    """Return the manifest's bytes, unchecked. Raises InvalidInputError."""
    try:
        with _open(folder, MANIFEST) as file:
            return file.read(MOST_PROVEN + 1)
    except InvalidInputError as exc:
        raise backup_refusal(BackupRefused.NO_BACKUP, folder=str(folder)) from exc


def _parsed(folder: Path, written: bytes, seal: NoSeal) -> Manifest:
    """Return the manifest, whose code was checked where the seal has one. Raises InvalidInputError."""
    require_readable(written, MOST_PROVEN if seal.authenticates else MOST_UNPROVEN)
    try:
        manifest = Manifest.model_validate_json(written)
    except ValidationError as exc:
        raise backup_refusal(BackupRefused.NO_BACKUP, folder=str(folder)) from exc
    if manifest.format > FORMAT:
        raise backup_refusal(BackupRefused.FORMAT_UNKNOWN)
    _require_known(manifest.migrations)
    if isinstance(seal, Age) and seal.authenticates != (manifest.format >= AUTHENTICATED):
        raise backup_refusal(BackupRefused.CHANGED, name=MANIFEST)
    return manifest


def _require_known(applied: list[str]) -> None:
    """Raise InvalidInputError for a database that this version cannot bring up to its own schema."""
    if {migration.key for migration in read_migrations()}.issuperset(applied):
        return
    if applied[-1] in (LAST_OF_OLD, LAST_OF_OLD[:3]):
        return
    old = applied[0] in (FIRST_OF_OLD, FIRST_OF_OLD[:3])
    raise backup_refusal(BackupRefused.BEFORE_BASELINE if old else BackupRefused.FORMAT_UNKNOWN)


def _seal(folder: Path, written: bytes, passphrase: str) -> Age:
    """Return the seal of a sealed backup, after it has authenticated the manifest.

    The key says whether there must be a code, so that writing an older format into the manifest does not help.
    """
    seal = seal_of(_read(folder, IDENTITY, _MOST_OTHERS), passphrase)
    if seal.authenticates:
        code = _read(folder, CODE, _MOST_OTHERS)
        if not hmac.compare_digest(code, seal.code(written).encode()):
            raise backup_refusal(BackupRefused.CHANGED, name=MANIFEST)
    return seal


def _expected(manifest: Manifest, seal: NoSeal) -> set[str]:
    """Return the names of all files of a backup. Raises InvalidInputError for a name that leads out of it."""
    names = {MANIFEST, DATABASE}
    if manifest.sealed:
        names.add(IDENTITY)
    if seal.authenticates:
        names.add(CODE)
    if manifest.secret_key is not None:
        names.add(SECRET_KEY)
    for key in manifest.files:
        try:
            names.add(f"{FILES}/{checked_key(key)}")
        except InvalidInputError as exc:
            raise backup_refusal(BackupRefused.UNEXPECTED, name=key) from exc
    return names


def _names(folder: Path) -> Iterator[str]:
    """Yield the names of all files.

    Raises InvalidInputError for what is neither a file nor a folder, and for folders deeper than any key's.
    """
    for above, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(above) / name
            shown, mode = path.relative_to(folder).as_posix(), path.lstat().st_mode
            if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)) or len(shown) > _LONGEST:
                raise backup_refusal(BackupRefused.UNEXPECTED, name=shown)
            if stat.S_ISREG(mode):
                yield shown


def _read(folder: Path, name: str, most: int) -> bytes:
    """Return a short file. Raises InvalidInputError if it is missing or longer."""
    with _open(folder, name) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise backup_refusal(BackupRefused.CHANGED, name=name)
    return data


def _open(folder: Path, name: str) -> BinaryIO:
    """Open a file to read, never a link or a device. Raises InvalidInputError."""
    try:
        with opened(folder.resolve()) as inside:
            return open_file(inside, name)
    except OSError as exc:
        raise backup_refusal(BackupRefused.CHANGED, name=name) from exc
