"""Folders by their descriptors: what another account puts there under a name leads nowhere else."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Give the descriptor of a folder, which is not reached by a link of the last name. Raises OSError."""
    with _held(os.open(path, _FOLDER | os.O_NOFOLLOW)) as folder:
        yield folder


@contextmanager
def below(name: str, above: int, owners: Collection[int] | None = None) -> Iterator[int]:
    """Give the descriptor of a folder in this one.

    Raises OSError: NotADirectoryError for a link, PermissionError for a folder of none of the `owners`.
    """
    try:
        found = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
    except OSError as exc:
        if exc.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        raise NotADirectoryError(errno.ENOTDIR, "it is a link, or no folder", name) from exc
    with _held(found) as folder:
        if owners is not None and os.fstat(folder).st_uid not in owners:
            raise PermissionError(errno.EPERM, "it belongs to another account", name)
        yield folder


def create(folder: int, name: str, mode: int = 0o600) -> BinaryIO:
    """Make a file in this folder, "a/b/file", and the private folders above it. Raises OSError where it exists."""
    inner, _, rest = name.partition("/")
    if not rest:
        return os.fdopen(os.open(name, _CREATE, mode, dir_fd=folder), "wb")
    with suppress(FileExistsError):
        os.mkdir(inner, 0o700, dir_fd=folder)
    with below(inner, folder) as there:
        return create(there, rest, mode)


def replace(folder: int, name: str, content: str) -> None:
    """Write a file anew, whole or not at all, by way of one with ".new" behind its name. Raises OSError."""
    aside = f"{name}.new"
    # Whatever lies there, a killed writer's or a link, goes by its name.
    with suppress(FileNotFoundError):
        os.unlink(aside, dir_fd=folder)
    with create(folder, aside, 0o666) as file:
        file.write(content.encode())
        file.flush()
        os.fsync(file.fileno())
    os.rename(aside, name, src_dir_fd=folder, dst_dir_fd=folder)


def open_file(folder: int | None, name: str) -> BufferedReader:
    """Open a regular file of this folder, or at a path where no folder is given, for reading.

    Raises OSError, also for a link or a device.
    """
    file = os.fdopen(os.open(name, _READ, dir_fd=folder), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.ELOOP, "no regular file", name)
    return file


def names(folder: int) -> list[str]:
    """Return the names in this folder, in any order. Raises OSError."""
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def seen(folder: int, name: str) -> os.stat_result | None:
    """Return what lies under the name, itself where it is a link; None for nothing. Raises OSError."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def is_ours(found: os.stat_result, shared: bool = False) -> bool:
    """Whether nobody but this account and root can write to the folder, or where it is shared, owns it."""
    return found.st_uid in (0, os.geteuid()) and (shared or not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def keeps_names(found: os.stat_result) -> bool:
    """Whether nobody but this account and root renames in the folder what these two have made."""
    # In a folder with the sticky bit nobody but its owner renames what others have made.
    return is_ours(found, shared=bool(found.st_mode & stat.S_ISVTX))


def keeps_way(path: Path) -> bool:
    """Whether nobody but this account and root renames in any folder above the path. Raises OSError."""
    return all(keeps_names(above.stat()) for above in path.absolute().parents)


@contextmanager
def _held(folder: int) -> Iterator[int]:
    try:
        yield folder
    finally:
        os.close(folder)
