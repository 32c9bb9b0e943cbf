"""The seal of a backup: encryption, the authenticated manifest, and a folder that nobody else can write to.

Stretching a passphrase takes a second, too long for each file. So each backup has a key of its own, which the
passphrase encrypts (`identity.age`). Without the passphrase nobody can make such a key, and so neither a file
that it opens nor the code that authenticates the manifest.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pyrage
from pydantic import BaseModel, ConfigDict
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_fixed

from core.errors import InvalidInputError, StorageError
from core.folders import below, create_file, file_names, is_ours, open_file, open_to_others, opened
from core.messages import MessageCode
from core.plain_data import escaped

if TYPE_CHECKING:
    from _typeshed import SupportsRead, SupportsWrite

#: Streams that bytes are read from, and written to.
ByteSource: TypeAlias = "SupportsRead[bytes]"
Target: TypeAlias = "SupportsWrite[bytes]"

#: The line above the key of a backup with an authenticated manifest, sealed with it so that nobody can remove it.
_AUTHENTICATES = "# Second Reader, format 2: manifest.mac authenticates the manifest"


class Measured:
    """Passes on what is read or written, with its length and digest; without a stream it drops what is written."""

    def __init__(self, source: ByteSource | None = None, target: Target | None = None) -> None:
        self._source, self._target = source, target
        self._size, self._digest = 0, hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        """Return at most so many bytes, none at the end."""
        assert self._source is not None
        data = self._source.read(size)
        self._note(data)
        return data

    def write(self, data: bytes, /) -> int:
        """Take the bytes; return how many there were."""
        if self._target is not None:
            self._target.write(data)
        self._note(data)
        return len(data)

    @property
    def stored(self) -> Stored:
        """Size and digest of all that has passed."""
        return Stored(size=self._size, sha256=self._digest.hexdigest())

    def _note(self, data: bytes) -> None:
        self._size += len(data)
        self._digest.update(data)


class NoSeal:
    """A file is written and read as it is: as a stream, of which no more than a piece is in memory."""

    #: Whether the manifest has a code that only this seal makes.
    authenticates = False

    def close(self, source: ByteSource, target: Target) -> None:
        """Write the source's bytes sealed. Raises StorageError, OSError."""
        shutil.copyfileobj(source, target)

    def open(self, source: ByteSource, target: Target) -> None:
        """Write the source's bytes unsealed.

        Raises InvalidInputError if they were changed; the target then has a part of them. Raises OSError.
        """
        shutil.copyfileobj(source, target)


class Age(NoSeal):
    """Encryption to the key of one backup."""

    def __init__(self, identity: pyrage.x25519.Identity, authenticates: bool = True) -> None:
        self._identity = identity
        self.authenticates = authenticates

    def close(self, source: ByteSource, target: Target) -> None:
        try:
            pyrage.encrypt_io(source, target, [self._identity.to_public()])
        except pyrage.EncryptError as exc:
            # The library quotes the error of the stream: a full disk, a file that cannot be read.
            raise StorageError(f"cannot be encrypted: {exc}") from exc

    def open(self, source: ByteSource, target: Target) -> None:
        try:
            pyrage.decrypt_io(source, target, [self._identity])
        except pyrage.DecryptError as exc:
            raise backup_refusal(BackupRefused.CHANGED, name="?") from exc
        except OSError as exc:
            if exc.errno is not None:
                raise
            # The file was cut off or changed: the library's own errors have no number.
            raise backup_refusal(BackupRefused.CHANGED, name="?") from exc

    def code(self, manifest: bytes) -> str:
        """Return the code of a manifest, which nobody else can make."""
        return hmac.digest(str(self._identity).encode(), MANIFEST.encode() + b"\0" + manifest, "sha256").hex()


def new_seal(passphrase: str) -> tuple[Age, bytes]:
    """Return the seal of a new backup, and its key in the stored form: encrypted with the passphrase."""
    identity = pyrage.x25519.Identity.generate()
    return Age(identity), pyrage.passphrase.encrypt(f"{_AUTHENTICATES}\n{identity}\n".encode(), passphrase)


def seal_of(kept: bytes, passphrase: str) -> Age:
    """Return the seal of a stored key.

    Raises InvalidInputError for a wrong passphrase, and if this machine is far slower than that of the backup.
    """
    try:
        lines = _where_idle(pyrage.passphrase.decrypt, kept, passphrase).decode().splitlines()
    except pyrage.DecryptError as exc:
        why = BackupRefused.MACHINE_SLOW if _took_for_too_much(exc) else BackupRefused.PASSPHRASE_WRONG
        raise backup_refusal(why) from exc
    return Age(pyrage.x25519.Identity.from_str(lines[-1]), authenticates=_AUTHENTICATES in lines)


def _took_for_too_much(error: BaseException) -> bool:
    """Whether the library refused to try: it measures the machine's speed first, which is low on a busy one."""
    return isinstance(error, pyrage.DecryptError) and str(error).startswith("Excessive work")


_where_idle = Retrying(
    retry=retry_if_exception(_took_for_too_much), stop=stop_after_attempt(8), wait=wait_fixed(0.5), reraise=True
)


# Write into a new folder that nobody else can replace meanwhile: by its descriptor, never by its name.


PARTIAL = ".partial"
#: In a folder that is being written: locked for as long as the process lives.
LOCK = ".lock"


@contextmanager
def new_folder(folder: Path) -> Iterator[int]:
    """Yield the descriptor of a folder to write into, which is named ".partial" until the block ends.

    At its end the folder gets its name, or is removed if the block raised. Remains of killed runs beside it, with
    no files but those of a backup, are removed; an empty folder is not, because another run may just have made
    it, but one with this name is used. Raises InvalidInputError if the name is taken, or if accounts other than
    this one and root can rename something on its path. Raises OSError.
    """
    with _above(folder) as above:
        for name in file_names(above):
            if name.endswith(PARTIAL):
                _remove_dead(name, above)
        partial = f"{folder.name}{PARTIAL}"
        with suppress(FileExistsError):
            os.mkdir(partial, 0o700, dir_fd=above)
        with below(partial, above) as made:
            if not is_ours(os.fstat(made)):
                raise backup_refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
            if file_names(made):
                raise backup_refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder.with_name(partial)))
            os.fchmod(made, 0o700)
            try:
                with create_file(made, LOCK) as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield made
                    _name(made, partial, folder, above)
                    # Last: without its lock the folder would be taken for a killed run's.
                    os.unlink(LOCK, dir_fd=made)
            except BaseException:
                _remove(made, partial, above)
                raise


@contextmanager
def _above(folder: Path) -> Iterator[int]:
    """Yield the parent of the new folder, which is made if it is missing."""
    found = open_to_others(folder.parent, make=True)
    if found is not None:
        raise backup_refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(found))
    with opened(folder.parent.resolve()) as above:
        yield above


def _name(made: int, partial: str, folder: Path, above: int) -> None:
    """Give the complete folder its name, replacing an empty one. Raises InvalidInputError, OSError.

    Raises them also if the path that is reported to the user does not lead to it.
    """
    with suppress(FileNotFoundError):
        os.rmdir(folder.name, dir_fd=above)
    if not os.path.samestat(os.fstat(made), folder.with_name(partial).lstat()):
        raise backup_refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
    os.rename(partial, folder.name, src_dir_fd=above, dst_dir_fd=above)


def _remove_dead(name: str, above: int) -> None:
    """Remove what a killed run has left: a folder of ours with nothing but a backup, locked by no process."""
    # Not ours: no folder, or another account's, or gone by now, or deeper than this program writes.
    kept = NotADirectoryError, PermissionError, FileNotFoundError, RecursionError
    with suppress(*kept), below(name, above) as left:
        found = set(file_names(left))
        if not found or os.fstat(left).st_uid != os.geteuid() or found.difference((*TOP, LOCK)):
            return
        with suppress(BlockingIOError), ExitStack() as held:
            # A run that was killed while removing its folder left none.
            if LOCK in found:
                fcntl.flock(held.enter_context(open_file(left, LOCK)), fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(left, name, above)


def _remove(folder: int, name: str, above: int) -> None:
    """Empty a folder, its lock last, and remove its name if that is still an empty folder."""
    for inner in sorted(file_names(folder), key=LOCK.__eq__):
        if stat.S_ISDIR(os.stat(inner, dir_fd=folder, follow_symlinks=False).st_mode):
            shutil.rmtree(inner, dir_fd=folder, ignore_errors=True)
        else:
            os.unlink(inner, dir_fd=folder)
    with suppress(OSError):
        os.rmdir(name, dir_fd=above)


# What a backup holds: `manifest.json` in its folder, by which it is checked before and after it is restored.


#: Version of the layout of a backup's folder.
FORMAT = 2
#: From this version on a sealed backup's manifest has a code (`manifest.mac`) that only its passphrase makes.
AUTHENTICATED = 2
#: What lies in the folder itself.
TOP = ("manifest.json", "manifest.mac", "database.dump", "files", "identity.age", "secret_key")
MANIFEST, CODE, DATABASE, FILES, IDENTITY, SECRET_KEY = TOP

#: Most bytes of an authenticated manifest (a million files need 200 MB), and of another one (300,000 files), with
#: which whoever can write to the disk could fill the memory.
MOST_PROVEN, MOST_UNPROVEN = 512 * 1024 * 1024, 64 * 1024 * 1024


class Stored(BaseModel):
    """One file of a backup, as it was before it was sealed."""

    model_config = ConfigDict(frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds. It has names of tables, keys of files and numbers, and nothing of an entry."""

    model_config = ConfigDict(frozen=True)

    format: int
    #: ISO 8601, UTC.
    made_at: str
    #: In PostgreSQL's form, "18.0".
    server_version: str
    #: Keys of the migrations that were applied, "001_create_people"; before 1.0 their numbers alone.
    migrations: list[str]
    #: Rows by table, "public.submissions".
    tables: dict[str, int]
    database: Stored
    #: By key of the file store.
    files: dict[str, Stored]
    #: Keys that rows name and that the store did not have.
    missing: list[str]
    sealed: bool
    #: The key of `core.auth.keys`, where it is kept in a file and the backup is sealed.
    secret_key: Stored | None


def require_readable(written: bytes, most: int) -> None:
    """Raise InvalidInputError for a manifest that is longer than is read."""
    if len(written) > most:
        raise backup_refusal(BackupRefused.MANIFEST_LONG, megabytes=most // 1024**2)


class BackupRefused(MessageCode):
    """Why a backup was not made or not restored."""

    FOLDER_TAKEN = "backup_folder_taken", "%(folder)s exists and is not empty. Name a new folder."
    FOLDER_OF_OTHERS = (
        "backup_folder_of_others",
        "Other accounts can write to %(folder)s and could replace the backup while it is being written."
        " Name a folder that only you and root can write to.",
    )
    MANIFEST_LONG = (
        "backup_manifest_long",
        "manifest.json is longer than %(megabytes)s MB, the most that is read."
        " A backup with a passphrase may have a longer one.",
    )
    NO_BACKUP = "backup_none", "%(folder)s does not have a complete backup: manifest.json is missing."
    FORMAT_UNKNOWN = (
        "backup_format",
        "This backup was made by a newer version. Install that version, then restore.",
    )
    BEFORE_BASELINE = (
        "backup_before_baseline",
        "This backup was made by a version before 1.0 that was not the last one before 1.0."
        " Restore it with the last one, make a new backup there, and restore that backup here.",
    )
    PASSPHRASE_SHORT = (
        "backup_passphrase_short",
        "The passphrase is too short. Choose one of at least %(least)s characters.",
    )
    PASSPHRASE_NEEDED = "backup_passphrase_needed", "This backup is encrypted. Enter its passphrase."
    PASSPHRASE_WRONG = "backup_passphrase_wrong", "The passphrase is incorrect."
    MACHINE_SLOW = (
        "backup_machine_slow",
        "This computer is too busy, or far slower than the one that made the backup. Try again when it is idle.",
    )
    NOT_SEALED = (
        "backup_not_sealed",
        "A passphrase was given, but this backup is not encrypted. Nothing was restored.",
    )
    SEAL_DIFFERS = (
        "backup_seal_differs",
        "This backup says that it is encrypted and is not, or the other way round. Nothing was restored.",
    )
    UNEXPECTED = (
        "backup_unexpected",
        "The backup has %(name)s, which does not belong in it. Nothing was restored.",
    )
    CHANGED = (
        "backup_changed",
        "The file %(name)s in the backup has been changed or damaged. Nothing was restored.",
    )
    NOT_EMPTY = (
        "backup_not_empty",
        "The database already has tables. Restore into an empty one: another VAR_DIR or a new database.",
    )
    PROGRAM_FAILED = "backup_program_failed", "%(program)s failed: %(said)s"
    COUNTS_DIFFER = (
        "backup_counts",
        "After the restore, these tables have a different number of rows: %(tables)s",
    )


def backup_refusal(code: BackupRefused, **params: str | int | list[str]) -> InvalidInputError:
    """Return the error to raise. Whoever writes to the disk chooses names: terminal controls are escaped."""
    return InvalidInputError(code, **{name: _shown(value) for name, value in params.items()})


def _shown(value: str | int | list[str]) -> str | int | list[str]:
    if isinstance(value, list):
        return [escaped(item) for item in value]
    return escaped(value) if isinstance(value, str) else value
