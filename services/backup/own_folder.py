"""Write into a new folder that nobody else can exchange meanwhile: by its descriptor, never by its name."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from services.backup.codes import BackupRefused, refusal

PARTIAL = ".partial"
#: In a folder that is being written: locked for as long as the process lives.
LOCK = ".lock"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def new_folder(folder: Path, ours: tuple[str, ...]) -> Iterator[int]:
    """Give the descriptor of a folder to write into, which is named ".partial" until the block ends.

    With the block it gets its name, or is removed where that raised. What a killed run has left beside it, which
    has nothing but files of the names `ours`, is removed. Raises InvalidInputError where the name is taken, and
    where other accounts than this one and root can rename what lies there. Raises OSError.
    """
    with _above(folder) as above:
        for name in _names(above):
            if name.endswith(PARTIAL):
                _remove_dead(name, above, ours)
        partial = f"{folder.name}{PARTIAL}"
        try:
            os.mkdir(partial, 0o700, dir_fd=above)
        except FileExistsError as exc:
            raise refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder.with_name(partial))) from exc
        with _opened(partial, above) as made:
            if not _is_ours(os.fstat(made)):
                raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
            try:
                yield from _locked(made)
                _name(made, partial, folder, above)
            except BaseException:
                _remove(made, partial, above)
                raise


def create(folder: int, name: str) -> BinaryIO:
    """Make a private file in this folder, "a/b/file", and the folders above it. Raises OSError where it exists."""
    inner, _, rest = name.partition("/")
    if not rest:
        return os.fdopen(os.open(name, _CREATE, 0o600, dir_fd=folder), "wb")
    with suppress(FileExistsError):
        os.mkdir(inner, 0o700, dir_fd=folder)
    with _opened(inner, folder) as below:
        return create(below, rest)


@contextmanager
def _above(folder: Path) -> Iterator[int]:
    """Give the folder in which the new one will lie; it is made where it is missing."""
    there = next(path for path in (folder.parent, *folder.parent.absolute().parents) if path.exists())
    _require_ours(there.stat(), there)
    folder.parent.mkdir(parents=True, exist_ok=True)
    above = os.open(folder.parent, _FOLDER)
    try:
        _require_ours(os.fstat(above), folder.parent)
        yield above
    finally:
        os.close(above)


def _require_ours(found: os.stat_result, folder: Path) -> None:
    # In a folder with the sticky bit nobody but its owner renames what others have made.
    if not _is_ours(found, shared=bool(found.st_mode & stat.S_ISVTX)):
        raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder))


def _is_ours(found: os.stat_result, shared: bool = False) -> bool:
    """Whether nobody but this account and root can write to the folder, or where it is shared, owns it."""
    return found.st_uid in (0, os.geteuid()) and (shared or not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@contextmanager
def _opened(name: str, above: int) -> Iterator[int]:
    descriptor = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _locked(made: int) -> Iterator[int]:
    """Give the folder while its lock is held, and remove the lock."""
    with create(made, LOCK) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield made
        os.unlink(LOCK, dir_fd=made)


def _name(made: int, partial: str, folder: Path, above: int) -> None:
    """Give the complete folder its name, where an empty one may be. Raises InvalidInputError, OSError."""
    with suppress(FileNotFoundError):
        os.rmdir(folder.name, dir_fd=above)
    if not os.path.samestat(os.fstat(made), os.stat(partial, dir_fd=above, follow_symlinks=False)):
        raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
    os.rename(partial, folder.name, src_dir_fd=above, dst_dir_fd=above)


def _remove_dead(name: str, above: int, ours: tuple[str, ...]) -> None:
    """Remove what a killed run has left: it is ours, holds nothing but a backup, and no process locks it."""
    # Not a folder, or another account's, or gone since: nothing of ours.
    with suppress(NotADirectoryError, PermissionError, FileNotFoundError), _opened(name, above) as left:
        if os.fstat(left).st_uid != os.geteuid() or set(_names(left)).difference((*ours, LOCK)):
            return
        with suppress(BlockingIOError), _file(LOCK, left) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(left, name, above)


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _file(name: str, folder: int) -> BinaryIO:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.fdopen(os.open(name, flags, dir_fd=folder), "rb")


def _remove(folder: int, name: str, above: int) -> None:
    """Empty a folder, and remove its name where that is still an empty folder."""
    for inner in _names(folder):
        if stat.S_ISDIR(os.stat(inner, dir_fd=folder, follow_symlinks=False).st_mode):
            shutil.rmtree(inner, dir_fd=folder, ignore_errors=True)
        else:
            os.unlink(inner, dir_fd=folder)
    with suppress(OSError):
        os.rmdir(name, dir_fd=above)
