"""Folders that are watched, and the files in them."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import stat
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import ConflictError, FileTooLargeError, InvalidInputError, StorageError
from core.folders import (
    below,
    create_file,
    file_names,
    file_status,
    is_ours,
    open_file,
    open_to_others,
    opened,
    read_at_most,
    removable,
    replace_file,
)
from core.messages import Message, say
from core.models import Upload, WatchedFolderPlace
from services.context import Context
from services.messages.entries import WatchRefused

#: Most bytes of a folder that are hashed to find the files of an upload.
_MOST_HASHED = 2 * 1024**3


class WatchedFile(NamedTuple):
    root: Path
    #: The folders in it that lead to the file; empty for one that was not taken yet.
    inside: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Watched:
    """The files found in watched folders."""

    files: list[WatchedFile] = field(default_factory=list)
    #: Paths of the folders that could not be searched, or hold a file that cannot be removed from here.
    not_reached: list[str] = field(default_factory=list)


def record_place(context: Context, folder: WatchedFolder) -> None:
    """Record that a folder is watched. Raises OSError."""
    values = {"path": str(folder.path), "seen_at": func.now()}
    row = insert(WatchedFolderPlace).values(id=folder.id, **values)
    context.database.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))


def find_watched(
    session: Session, upload_ids: Collection[uuid.UUID], is_called_after: Callable[[str], bool]
) -> Watched:
    """Find the files of these uploads in all folders, and others that are called after the child.

    A file of that name with the bytes of another upload belongs to somebody else.
    """
    found = Watched()
    places = session.scalars(select(WatchedFolderPlace).order_by(WatchedFolderPlace.path)).all()
    if not places:
        return found
    rows = session.execute(select(Upload.sha256, Upload.byte_size).where(Upload.id.in_(upload_ids)))
    digests = {row.sha256: row.byte_size for row in rows}
    for place in places:
        try:
            root, digesting = Path(place.path), _Digesting(_MOST_HASHED)
            for inside in _folders(root, str(place.id)):
                with place_in(root, *inside) as folder:
                    wanted = [
                        WatchedFile(root, inside, name)
                        for name in sorted(file_names(folder))
                        if _is_wanted(
                            session, folder, name, digests, digesting, inside != () and is_called_after(name)
                        )
                    ]
                    if not all(removable(folder, file.name) for file in wanted):
                        raise PermissionError(str(root.joinpath(*inside)))
                found.files.extend(wanted)
        except OSError:
            found.not_reached.append(place.path)
    return found


def remove_watched(watched: Watched) -> None:
    """Remove files, with the texts beside refused ones. Raises StorageError."""
    try:
        for root, inside, name in watched.files:
            with suppress(FileNotFoundError), place_in(root, *inside) as folder:
                _remove(folder, name)
                if inside == (REFUSED,):
                    _remove(folder, f"{name}.txt")
    except OSError as exc:
        raise StorageError(f"cannot delete in a watched folder: {exc.strerror}") from exc


def _remove(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _folders(root: Path, place_id: str) -> Iterator[tuple[str, ...]]:
    """Yield the folder, then the watcher's subfolders: files not taken yet may be moved there meanwhile.

    Raises OSError if the folder is not here, cannot be listed, or has a link in place of a subfolder.
    """
    with place_in(root, OWN) as own:
        try:
            here = read_own_text(own, ID)
        except ValueError as exc:
            raise OSError(errno.EILSEQ, "its id is none", str(root)) from exc
        if here != place_id:
            raise FileNotFoundError(str(root))
    yield ()
    with suppress(FileNotFoundError), place_in(root, TAKEN) as taken:
        for day in sorted(file_names(taken)):
            now = file_status(taken, day)
            if now is not None and stat.S_ISDIR(now.st_mode):
                yield TAKEN, day
    with suppress(FileNotFoundError), place_in(root, REFUSED):
        yield (REFUSED,)


def _is_wanted(
    session: Session, folder: int, name: str, digests: dict[str, int], digesting: _Digesting, named: bool
) -> bool:
    now = file_status(folder, name)
    # Files may come and go meanwhile.
    if now is None or not stat.S_ISREG(now.st_mode) or not (named or now.st_size in digests.values()):
        return False
    if now.st_size not in digests.values() and _is_nobodys(session, Upload.byte_size == now.st_size):
        # No upload has its bytes, however many they are: they need not be read.
        return True
    try:
        with open_file(folder, name) as file:
            digest = digesting.digest(file, now.st_size)
    except FileNotFoundError:
        return False
    return digest in digests or (named and _is_nobodys(session, Upload.sha256 == digest))


class _Digesting:
    """Digests of the files of a folder, up to a limit of bytes read.

    Somebody may put thousands of large files there; a person then has to search the folder.
    """

    def __init__(self, most: int) -> None:
        self._left = most

    def digest(self, file: BinaryIO, size: int) -> str:
        """Return the SHA-256 of the first `size` bytes: a file may grow. Raises OSError past the limit."""
        self._left -= size
        if self._left < 0:
            raise OSError(errno.EFBIG, "the files of this folder are too large to be compared")
        digest = hashlib.sha256()
        while size > 0 and (block := file.read(min(size, 1 << 20))):
            digest.update(block)
            size -= len(block)
        return digest.hexdigest()


def _is_nobodys(session: Session, same: ColumnElement[bool]) -> bool:
    return session.scalar(select(Upload.id).where(same).limit(1)) is None


TAKEN, REFUSED, OWN, ID = "taken", "refused", ".second-reader", "id"
#: Most bytes of a file of the watcher's own, such as the journal, which names the files of some batches.
_LONGEST_TEXT = 16 * 1024 * 1024
#: Endings of files that programs rename when they are complete.
_UNFINISHED = (".tmp", ".temp", ".part", ".partial", ".filepart", ".crdownload", ".download", ".opdownload", "~")
#: Beginning of the names of lock files in which Office programs note who has a document open. LibreOffice's
#: (`.~lock.name#`) are hidden files, like all whose names begin with a dot.
_OWNER_FILE = "~$"


@dataclass(frozen=True)
class FoundFile:
    """One item in the folder; equal name, size and time mean the same file."""

    name: str
    size: int
    mtime_ns: int
    #: Whether it is an ordinary file, not a link or a device.
    ordinary: bool = True

    @property
    def unfinished(self) -> bool:
        """Whether its name says that a program has not finished it."""
        return self.name.lower().endswith(_UNFINISHED)


class FolderListing(NamedTuple):
    """The contents of the folder, by name."""

    files: list[FoundFile]
    #: Names of the folders in it, which are not read.
    folders: list[str]
    #: Names of items that could not be examined.
    unseen: list[str]


class WatchedFolder:
    """A folder with `taken/<date>/`, `refused/` and a hidden folder for the watcher's own files.

    It is accessed by descriptors, so that the folder's owner cannot lead the watcher elsewhere.
    """

    def __init__(self, path: Path) -> None:
        """Make the missing subfolders.

        Raises InvalidInputError if the folder cannot be written to, and when run as root, if another account can.
        """
        self.path = path
        _require_roots(path)
        try:
            with self.place(OWN):
                pass
        except OSError as exc:
            raise InvalidInputError(WatchRefused.NO_FOLDER, technical=exc.strerror or type(exc).__name__) from exc

    def place(self, *names: str, make: bool = True) -> AbstractContextManager[int]:
        """Yield the descriptor of a subfolder, as `place_in` does; it is made if it is missing."""
        return place_in(self.path, *names, make=make)

    @property
    def id(self) -> uuid.UUID:
        """The folder's own id, made once: its path may be another folder on another machine. Raises OSError."""
        with self.place(OWN) as own:
            with suppress(FileNotFoundError, ValueError):
                return uuid.UUID(read_own_text(own, ID))
            made = uuid.uuid4()
            replace_file(own, ID, str(made))
            return made

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other watchers of this machine; the lock ends with the process.

        Raises ConflictError if another one has it.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with self.place(OWN) as own:
            handle = os.open("lock", flags, 0o600, dir_fd=own)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as exc:
                raise ConflictError(WatchRefused.WATCHED_ALREADY) from exc
            yield
        finally:
            os.close(handle)

    def found(self) -> FolderListing:
        """Return the contents of the folder, without hidden files and the locks of Office programs.

        Raises OSError if the folder cannot be listed.
        """
        files, folders, unseen = [], [], []
        with self.place() as root, os.scandir(root) as listed:
            for one in listed:
                if one.name.startswith((".", _OWNER_FILE)) or one.name in (TAKEN, REFUSED):
                    continue
                try:
                    now = one.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                except OSError:
                    # A stale name in a network folder must not hide the others.
                    unseen.append(one.name)
                    continue
                if stat.S_ISDIR(now.st_mode):
                    folders.append(one.name)
                    continue
                files.append(FoundFile(one.name, now.st_size, now.st_mtime_ns, stat.S_ISREG(now.st_mode)))
        return FolderListing(sorted(files, key=lambda one: one.name), sorted(folders), sorted(unseen))

    def read(self, found: FoundFile) -> bytes | None:
        """Return the file's bytes; None if it is not what was found any more. Raises OSError."""
        with self._open(found) as file:
            try:
                data = read_at_most(file, found.size)
            except FileTooLargeError:
                return None
            now = os.fstat(file.fileno())
        whole = (now.st_size, now.st_mtime_ns) == (found.size, found.mtime_ns) and len(data) == found.size
        return data if whole else None

    def is_being_written(self, found: FoundFile) -> bool:
        """Whether a process of this machine has the file open for writing, as far as the system tells."""
        try:
            file = self._open(found)
        except OSError:
            return False
        with file:
            return _is_open_for_writing(file.fileno())

    def _open(self, found: FoundFile) -> BinaryIO:
        with self.place() as root:
            return open_file(root, found.name)

    def is_there(self, found: FoundFile) -> bool:
        """Whether the same file is still in the folder. Raises OSError if that cannot be determined."""
        with self.place() as root:
            return _is_as_found(root, found.name, found)

    def can_be_moved(self, found: FoundFile) -> bool:
        """Whether this account may take the file out of the folder. Raises OSError."""
        with self.place() as root:
            return removable(root, found.name)

    def move_taken(self, found: FoundFile, day: date) -> Path:
        """Move a file that was uploaded; return its new path in the folder. Raises OSError."""
        with self.place() as root, self.place(TAKEN, day.isoformat()) as folder:
            name = _free_name(folder, found.name)
            os.rename(found.name, name, src_dir_fd=root, dst_dir_fd=folder)
        return Path(TAKEN, day.isoformat(), name)

    def put_back_changed(self, moved: Path, found: FoundFile) -> str | None:
        """Move a file back if it was written to after it was taken; return its name, None if it was not.

        A program that has a file open continues to write to it after it was moved. Raises OSError.
        """
        with self.place() as root, self.place(*moved.parts[:-1], make=False) as folder:
            if file_status(folder, moved.name) is None or _is_as_found(folder, moved.name, found):
                return None
            name = _free_name(root, found.name)
            os.rename(moved.name, name, src_dir_fd=folder, dst_dir_fd=root)
            return name

    def refuse(self, found: FoundFile, why: Message) -> None:
        """Move a file aside, with the reason in a text beside it; or raise OSError and leave nothing there."""
        with self.place() as root, self.place(REFUSED) as folder:
            name = _free_name(folder, found.name)
            beside = f"{name}.txt"
            try:
                with create_file(folder, beside, 0o666) as text:
                    text.write(f"{say(why)}\n".encode())
                os.rename(found.name, name, src_dir_fd=root, dst_dir_fd=folder)
            except OSError:
                with suppress(OSError):
                    os.unlink(beside, dir_fd=folder)
                raise


def read_own_text(folder: int, name: str) -> str:
    """Return the text of an own file of the watcher. Raises OSError, and ValueError for one it did not write."""
    with open_file(folder, name) as file:
        data = file.read(_LONGEST_TEXT + 1)
    if len(data) > _LONGEST_TEXT:
        raise ValueError(f"more than {_LONGEST_TEXT} bytes")
    return data.decode()


def _require_roots(path: Path) -> None:
    """Raise InvalidInputError, as root, for a folder that others can write to or replace."""
    if os.geteuid() != 0:
        return
    with suppress(FileNotFoundError):
        if not is_ours(path.lstat()) or open_to_others(path.parent):
            raise InvalidInputError(WatchRefused.NOT_AS_ROOT, folder=str(path))


@contextmanager
def place_in(root: Path, *names: str, make: bool = False) -> Iterator[int]:
    """Yield the descriptor of a subfolder of a watched folder, or without names of the folder itself.

    Raises OSError: FileNotFoundError if it is missing and not to be made, others if it is a link or belongs to an
    account other than the folder's or the watcher's.
    """
    with opened(root) as folder:
        owners = os.fstat(folder).st_uid, os.geteuid()
        with _inside(folder, names, owners, make) as found:
            yield found


@contextmanager
def _inside(folder: int, names: Sequence[str], owners: tuple[int, int], make: bool) -> Iterator[int]:
    if not names:
        yield folder
        return
    if make:
        with suppress(FileExistsError):
            os.mkdir(names[0], dir_fd=folder)
    with below(names[0], folder, owners) as inner, _inside(inner, names[1:], owners, make) as found:
        yield found


def _is_as_found(folder: int, name: str, found: FoundFile) -> bool:
    now = file_status(folder, name)
    return now is not None and (now.st_size, now.st_mtime_ns) == (found.size, found.mtime_ns)


def _free_name(folder: int, name: str) -> str:
    """Return the name, with a number if the folder has one like it: nothing is ever overwritten."""
    number, free = 1, name
    while file_status(folder, free) or file_status(folder, f"{free}.txt"):
        number += 1
        free = f"{Path(name).stem}-{number}{Path(name).suffix}"
    return free


def _is_open_for_writing(handle: int) -> bool:
    """Whether the open file is open for writing elsewhere.

    Linux grants a read lease only on a file that nobody has open for writing, to its owner and to root.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as exc:
        return exc.errno == errno.EAGAIN
    fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
