"""Write into a new folder that nobody else can exchange meanwhile: by its descriptor, never by its name."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.folders import below, create, is_ours, keeps_names, names, open_file
from services.backup.codes import BackupRefused, refusal

PARTIAL = ".partial"
#: In a folder that is being written: locked for as long as the process lives.
LOCK = ".lock"


@contextmanager
def new_folder(folder: Path, ours: tuple[str, ...]) -> Iterator[int]:
    """Give the descriptor of a folder to write into, which is named ".partial" until the block ends.

    With the block it gets its name, or is removed where that raised. What a killed run has left beside it, which
    has nothing but files of the names `ours`, is removed. Raises InvalidInputError where the name is taken, and
    where other accounts than this one and root can rename what lies there. Raises OSError.
    """
    with _above(folder) as above:
        for name in names(above):
            if name.endswith(PARTIAL):
                _remove_dead(name, above, ours)
        partial = f"{folder.name}{PARTIAL}"
        try:
            os.mkdir(partial, 0o700, dir_fd=above)
        except FileExistsError as exc:
            raise refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder.with_name(partial))) from exc
        with below(partial, above) as made:
            if not is_ours(os.fstat(made)):
                raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
            try:
                yield from _locked(made)
                _name(made, partial, folder, above)
            except BaseException:
                _remove(made, partial, above)
                raise


@contextmanager
def _above(folder: Path) -> Iterator[int]:
    """Give the folder in which the new one will lie; it is made where it is missing."""
    there = next(path for path in (folder.parent, *folder.parent.absolute().parents) if path.exists())
    _require_ours(there.stat(), there)
    folder.parent.mkdir(parents=True, exist_ok=True)
    above = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _require_ours(os.fstat(above), folder.parent)
        yield above
    finally:
        os.close(above)


def _require_ours(found: os.stat_result, folder: Path) -> None:
    if not keeps_names(found):
        raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder))


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
    with suppress(NotADirectoryError, PermissionError, FileNotFoundError), below(name, above) as left:
        if os.fstat(left).st_uid != os.geteuid() or set(names(left)).difference((*ours, LOCK)):
            return
        with suppress(BlockingIOError), open_file(left, LOCK) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(left, name, above)


def _remove(folder: int, name: str, above: int) -> None:
    """Empty a folder, and remove its name where that is still an empty folder."""
    for inner in names(folder):
        if stat.S_ISDIR(os.stat(inner, dir_fd=folder, follow_symlinks=False).st_mode):
            shutil.rmtree(inner, dir_fd=folder, ignore_errors=True)
        else:
            os.unlink(inner, dir_fd=folder)
    with suppress(OSError):
        os.rmdir(name, dir_fd=above)
