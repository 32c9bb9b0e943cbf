"""Write into a new folder that nobody else can exchange meanwhile: by its descriptor, never by its name."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import BufferedReader
from pathlib import Path

from core.folders import below, create, is_ours, names, open_file, open_to_others, opened
from services.backup.codes import BackupRefused, refusal

PARTIAL = ".partial"
#: In a folder that is being written: locked for as long as the process lives.
LOCK = ".lock"


@contextmanager
def new_folder(folder: Path, ours: tuple[str, ...]) -> Iterator[int]:
    """Give the descriptor of a folder to write into, which is named ".partial" until the block ends.

    With the block it gets its name, or is removed where that raised. What a killed run has left beside it, which
    has nothing but files of the names `ours`, is removed; an empty folder is not, which another run may just have
    made, but under the name of this one it is taken. Raises InvalidInputError where the name is taken, and where
    other accounts than this one and root can rename what lies there, or a folder that leads there. Raises OSError.
    """
    with _above(folder) as above:
        for name in names(above):
            if name.endswith(PARTIAL):
                _remove_dead(name, above, ours)
        partial = f"{folder.name}{PARTIAL}"
        with suppress(FileExistsError):
            os.mkdir(partial, 0o700, dir_fd=above)
        with below(partial, above) as made:
            if not is_ours(os.fstat(made)):
                raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
            if names(made):
                raise refusal(BackupRefused.FOLDER_TAKEN, folder=str(folder.with_name(partial)))
            os.fchmod(made, 0o700)
            try:
                with create(made, LOCK) as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield made
                    _name(made, partial, folder, above)
                    # Not before: without it the folder would be taken for a killed run's.
                    os.unlink(LOCK, dir_fd=made)
            except BaseException:
                _remove(made, partial, above)
                raise


@contextmanager
def _above(folder: Path) -> Iterator[int]:
    """Give the folder in which the new one will lie; it is made where it is missing."""
    found = open_to_others(folder.parent, make=True)
    if found is not None:
        raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(found))
    with opened(folder.parent.resolve()) as above:
        yield above


def _name(made: int, partial: str, folder: Path, above: int) -> None:
    """Give the complete folder its name, where an empty one may be. Raises InvalidInputError, OSError.

    Both, too, where its path, which will be said, does not lead to it.
    """
    with suppress(FileNotFoundError):
        os.rmdir(folder.name, dir_fd=above)
    if not os.path.samestat(os.fstat(made), folder.with_name(partial).lstat()):
        raise refusal(BackupRefused.FOLDER_OF_OTHERS, folder=str(folder.parent))
    os.rename(partial, folder.name, src_dir_fd=above, dst_dir_fd=above)


def _remove_dead(name: str, above: int, ours: tuple[str, ...]) -> None:
    """Remove what a killed run has left: it is ours, holds nothing but a backup, and no process locks it."""
    # Not a folder, or another account's, or gone since, or deeper than what this program writes: nothing of ours.
    kept = NotADirectoryError, PermissionError, FileNotFoundError, RecursionError
    with suppress(*kept), below(name, above) as left:
        found = set(names(left))
        if not found or os.fstat(left).st_uid != os.geteuid() or found.difference((*ours, LOCK)):
            return
        with suppress(BlockingIOError), _lock_of(left, found) as lock:
            if lock is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(left, name, above)


def _lock_of(left: int, found: set[str]) -> BufferedReader | nullcontext[None]:
    """Open the lock of a folder of these names; it has none where it was being removed when its run was killed."""
    return open_file(left, LOCK) if LOCK in found else nullcontext()


def _remove(folder: int, name: str, above: int) -> None:
    """Empty a folder, of its lock last, and remove its name where that is still an empty folder."""
    for inner in sorted(names(folder), key=LOCK.__eq__):
        if stat.S_ISDIR(os.stat(inner, dir_fd=folder, follow_symlinks=False).st_mode):
            shutil.rmtree(inner, dir_fd=folder, ignore_errors=True)
        else:
            os.unlink(inner, dir_fd=folder)
    with suppress(OSError):
        os.rmdir(name, dir_fd=above)
