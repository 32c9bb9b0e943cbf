"""The folder that is watched: its places, its lock, what lies in it, and moving files out of the way."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from core.errors import ConflictError, InvalidInputError
from core.messages import Message
from core.saying import say
from services.messages.watching import WatchRefused

TAKEN, REFUSED, OWN = "taken", "refused", ".second-reader"
#: Endings under which programs write what they rename when it is whole.
_UNFINISHED = (".tmp", ".temp", ".part", ".partial", ".filepart", ".crdownload", ".download", ".opdownload", "~")
#: Beginning of the names under which Office programs note who has a document open: no document, and gone with it.
#: LibreOffice's (`.~lock.name#`) are hidden files, like all whose names begin with a dot.
_OWNER_FILE = "~$"


@dataclass(frozen=True)
class FoundFile:
    """One thing in the folder, as it is now; the same name, size and time are the same file."""

    name: str
    size: int
    mtime_ns: int
    #: Whether it is an ordinary file, not a link or a device.
    ordinary: bool = True

    @property
    def unfinished(self) -> bool:
        """Whether its name says that a program has not finished it."""
        return self.name.lower().endswith(_UNFINISHED)


class Listed(NamedTuple):
    """What lies in the folder, each by name."""

    files: list[FoundFile]
    #: Names of the folders in it, which are left alone.
    folders: list[str]
    #: Names of what could not be looked at.
    unseen: list[str]


class WatchedFolder:
    """A folder with `taken/<date>/`, `refused/` and a hidden folder for the watcher's own files."""

    def __init__(self, path: Path) -> None:
        """Make the places that are missing. Raises InvalidInputError if the folder cannot be written into."""
        self.path = path
        try:
            (path / OWN).mkdir(exist_ok=True)
        except OSError as exc:
            raise InvalidInputError(WatchRefused.NO_FOLDER, technical=_why(exc)) from exc

    @property
    def journal(self) -> Path:
        """Where the journal lies."""
        return self.path / OWN / "journal.json"

    @property
    def id(self) -> uuid.UUID:
        """The folder's own id, made once: its path may be another folder on another machine. Raises OSError."""
        kept = self.path / OWN / "id"
        with suppress(FileNotFoundError, ValueError):
            return uuid.UUID(kept.read_text(encoding="ascii"))
        made = uuid.uuid4()
        kept.write_text(str(made), encoding="ascii")
        return made

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other watchers of this machine away; the lock ends with the process, however that ends.

        Raises ConflictError if another one has it.
        """
        handle = os.open(self.path / OWN / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as exc:
                raise ConflictError(WatchRefused.WATCHED_ALREADY) from exc
            yield
        finally:
            os.close(handle)

    def found(self) -> Listed:
        """Return what lies in the folder, without hidden files and the locks of Office programs.

        Raises OSError if the folder cannot be listed.
        """
        files, folders, unseen = [], [], []
        with os.scandir(self.path) as listed:
            for one in listed:
                if one.name.startswith((".", _OWNER_FILE)) or one.name in (TAKEN, REFUSED):
                    continue
                try:
                    seen = one.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError:
                    # One name of a network folder that went stale does not keep the others.
                    unseen.append(one.name)
                    continue
                if stat.S_ISDIR(seen.st_mode):
                    folders.append(one.name)
                    continue
                files.append(FoundFile(one.name, seen.st_size, seen.st_mtime_ns, stat.S_ISREG(seen.st_mode)))
        return Listed(sorted(files, key=lambda one: one.name), sorted(folders), sorted(unseen))

    def read(self, found: FoundFile) -> bytes | None:
        """Return the file's bytes; None if it is not what was found any more. Raises OSError."""
        handle = self._open(found)
        with os.fdopen(handle, "rb") as file:
            data = file.read()
            seen = os.fstat(handle)
        whole = (seen.st_size, seen.st_mtime_ns) == (found.size, found.mtime_ns) and len(data) == found.size
        return data if whole else None

    def is_being_written(self, found: FoundFile) -> bool:
        """Whether a process of this machine has the file open for writing, as far as the system tells."""
        try:
            handle = self._open(found)
        except OSError:
            return False
        try:
            return _is_open_for_writing(handle)
        finally:
            os.close(handle)

    def _open(self, found: FoundFile) -> int:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(self.path / found.name, flags)

    def is_there(self, found: FoundFile) -> bool:
        """Whether the very file is still in the folder. Raises OSError if that cannot be seen now."""
        return _is_as_found(self.path / found.name, found)

    def move_taken(self, found: FoundFile, day: date) -> Path:
        """Move a file that was handed in; return where it lies. Raises OSError."""
        folder = self.path / TAKEN / day.isoformat()
        folder.mkdir(parents=True, exist_ok=True)
        moved = folder / _free_name(folder, found.name)
        (self.path / found.name).rename(moved)
        return moved

    def put_back_changed(self, moved: Path, found: FoundFile) -> str | None:
        """Move a file back if it was written into after it was taken; return its name, None if it was not.

        A program that has a file open goes on writing into it wherever it was moved. Raises OSError.
        """
        if not moved.exists() or _is_as_found(moved, found):
            return None
        name = _free_name(self.path, found.name)
        moved.rename(self.path / name)
        return name

    def refuse(self, found: FoundFile, why: Message) -> None:
        """Move a file aside, with a text beside it that says why; or raise OSError and leave nothing there."""
        folder = self.path / REFUSED
        folder.mkdir(exist_ok=True)
        name = _free_name(folder, found.name)
        beside = folder / f"{name}.txt"
        try:
            beside.write_text(f"{say(why)}\n", encoding="utf-8")
            (self.path / found.name).rename(folder / name)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


def _is_as_found(path: Path, found: FoundFile) -> bool:
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return False
    return (seen.st_size, seen.st_mtime_ns) == (found.size, found.mtime_ns)


def _free_name(folder: Path, name: str) -> str:
    """Return the name, with a number where the folder has one like it: nothing is ever overwritten."""
    number, free = 1, name
    while os.path.lexists(folder / free) or os.path.lexists(folder / f"{free}.txt"):
        number += 1
        free = f"{Path(name).stem}-{number}{Path(name).suffix}"
    return free


def _is_open_for_writing(handle: int) -> bool:
    """Whether the open file is open for writing elsewhere.

    Linux grants a read lease on a file that nobody has open for writing, to its owner and to root.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as exc:
        return exc.errno == errno.EAGAIN
    fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def _why(exc: OSError) -> str:
    return exc.strerror or type(exc).__name__
