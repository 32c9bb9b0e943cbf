"""File operations relative to a folder's descriptor, so that a link planted by another account leads nowhere."""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from core.errors import FileTooLargeError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Yield the descriptor of a folder. Raises OSError, also if the last name of the path is a link."""
    with _held(os.open(path, _FOLDER | os.O_NOFOLLOW)) as folder:
        yield folder


@contextmanager
def below(name: str, above: int, owners: Collection[int] | None = None) -> Iterator[int]:
    """Yield the descriptor of a folder in this one.

    Raises OSError: NotADirectoryError for a link, PermissionError if its owner is not one of `owners`.
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


def create_file(folder: int, name: str, mode: int = 0o600) -> BinaryIO:
    """Make a file in this folder, "a/b/file", and the private folders above it. Raises OSError where it exists."""
    inner, _, rest = name.partition("/")
    if not rest:
        return os.fdopen(os.open(name, _CREATE, mode, dir_fd=folder), "wb")
    with suppress(FileExistsError):
        os.mkdir(inner, 0o700, dir_fd=folder)
    with below(inner, folder) as there:
        return create_file(there, rest, mode)


def replace_file(folder: int, name: str, content: str) -> None:
    """Replace a file's content atomically, through a file with ".new" after its name. Raises OSError."""
    aside = f"{name}.new"
    # Remove what a killed writer left there, or a planted link.
    with suppress(FileNotFoundError):
        os.unlink(aside, dir_fd=folder)
    with create_file(folder, aside, 0o666) as file:
        file.write(content.encode())
        file.flush()
        os.fsync(file.fileno())
    os.rename(aside, name, src_dir_fd=folder, dst_dir_fd=folder)


def open_file(folder: int | None, name: str) -> BufferedReader:
    """Open a regular file for reading: "a/b/file" in this folder, or a path if `folder` is None.

    Raises OSError, also for a device and for a link, of the file or of a folder within this one.
    """
    inner, _, rest = name.partition("/")
    if folder is not None and rest:
        with below(inner, folder) as there:
            return open_file(there, rest)
    file = os.fdopen(os.open(name, _READ, dir_fd=folder), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.ELOOP, "no regular file", name)
    return file


def read_at_most(file: BinaryIO, most: int) -> bytes:
    """Return the rest of an open file. Raises FileTooLargeError, and OSError.

    Reads at most one byte beyond the limit. Asking for the size first would not do: the file may grow meanwhile.
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise FileTooLargeError(f"more than {most} bytes")
    return data


def file_names(folder: int) -> list[str]:
    """Return the names in this folder, in any order. Raises OSError."""
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def file_status(folder: int, name: str) -> os.stat_result | None:
    """Return the status of this name (of a link itself), None if nothing is there. Raises OSError."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def removable(folder: int, name: str) -> bool:
    """Whether this account may remove or rename what lies in the folder under the name. Raises OSError.

    Whoever may write in a folder may; with the sticky bit, of these only root and the owners of both (unlink(2)).
    """
    found, there = file_status(folder, name), os.fstat(folder)
    owners = {0, there.st_uid, found.st_uid if found else os.geteuid()}
    kept = there.st_mode & stat.S_ISVTX and os.geteuid() not in owners
    return not kept and os.access(".", os.W_OK | os.X_OK, dir_fd=folder)


def is_ours(found: os.stat_result, shared: bool = False) -> bool:
    """Whether only this account and root can write to the folder or, if it is `shared`, own it."""
    if found.st_uid not in (0, os.geteuid()):
        return False
    by_group = found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid)
    return shared or not (by_group or found.st_mode & stat.S_IWOTH)


def _is_own_group(number: int) -> bool:
    """Whether a group is the account's own, with nobody else in it.

    Where each account has its own group (USERGROUPS_ENAB of login.defs(5)), new folders are writable by groups.
    """
    try:
        account, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    own = (account.pw_name, account.pw_gid) == (group.gr_name, group.gr_gid)
    return own and set(group.gr_mem) <= {account.pw_name}


def keeps_names(found: os.stat_result) -> bool:
    """Whether only this account and root can rename what they have made in the folder."""
    # In a folder with the sticky bit only its owner can rename the files of others.
    return is_ours(found, shared=bool(found.st_mode & stat.S_ISVTX))


def open_to_others(folder: Path, make: bool = False) -> Path | None:
    """Return the place where accounts other than this one and root can replace a folder or its contents.

    That is the folder, one above it, or one that a link on the way leads to; None if there is none. With `make`,
    missing folders are created, private. Raises OSError.
    """
    for passed in _passed(folder):
        if make and not passed.exists():
            passed.mkdir(0o700)
        if passed.lstat().st_uid not in (0, os.geteuid()) or not keeps_names(passed.stat()):
            return passed
    return None


def require_kept(folder: Path, make: bool = False) -> None:
    """Raise PermissionError for a folder that is `open_to_others`. Raises OSError."""
    found = open_to_others(folder, make)
    if found is not None:
        raise PermissionError(errno.EPERM, f"other accounts can change the folder {found}", str(folder))


def _passed(folder: Path) -> Iterator[Path]:
    """Yield the folders through which the path leads, from the root on, with those of links on the way."""
    there = folder.absolute()
    for passed in (*reversed(there.parents), there):
        # A circle of links is not entered: whoever looks at the first of them raises OSError.
        yield passed
        if passed.is_symlink():
            yield from _passed(passed.parent / passed.readlink())


@contextmanager
def _held(folder: int) -> Iterator[int]:
    try:
        yield folder
    finally:
        os.close(folder)
