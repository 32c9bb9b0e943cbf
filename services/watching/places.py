"""Where folders are watched, so that an erasure finds the files that were taken from them, or refused."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import StorageError
from core.folders import names, open_file, seen
from core.models import Upload, WatchedFolderPlace
from services.context import Context
from services.watching.folder import ID, OWN, REFUSED, TAKEN, WatchedFolder, place_in, read_text


class WatchedFile(NamedTuple):
    """A file in a watched folder."""

    root: Path
    #: The folders in it that lead to the file; none for one that was not taken yet.
    inside: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Watched:
    """What was found in watched folders."""

    files: list[WatchedFile] = field(default_factory=list)
    #: Paths of the folders that could not be searched, or hold a file that cannot be removed from here.
    not_reached: list[str] = field(default_factory=list)


def record_place(context: Context, folder: WatchedFolder) -> None:
    """Record that a folder is watched. Raises OSError."""
    values = {"path": str(folder.path), "seen_at": func.now()}
    row = insert(WatchedFolderPlace).values(id=folder.id, **values)
    with context.database.session() as session:
        session.execute(row.on_conflict_do_update(index_elements=["id"], set_=values))


def find_watched(
    session: Session, upload_ids: Collection[uuid.UUID], is_called_after: Callable[[str], bool]
) -> Watched:
    """Find the files of these uploads in all folders, and others that are called after the child.

    A file of the name with the bytes of another upload belongs to somebody else.
    """
    rows = session.execute(select(Upload.sha256, Upload.byte_size).where(Upload.id.in_(upload_ids)))
    digests = {row.sha256: row.byte_size for row in rows}
    found = Watched()
    for place in session.scalars(select(WatchedFolderPlace).order_by(WatchedFolderPlace.path)):
        try:
            root = Path(place.path)
            for inside in _folders(root, str(place.id)):
                found.files.extend(_wanted(session, root, inside, digests, is_called_after))
        except OSError:
            found.not_reached.append(place.path)
    return found


def remove_watched(watched: Watched) -> None:
    """Remove files, with the texts beside those that were refused. Raises StorageError."""
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
    """Yield the folder itself and those of the watcher in it: what was not taken yet may be taken meanwhile.

    Raises OSError where the folder is not here, cannot be listed, or has a link in place of one of the watcher's.
    """
    with place_in(root, OWN) as own:
        try:
            here = read_text(own, ID)
        except ValueError as exc:
            raise OSError(errno.EILSEQ, "its id is none", str(root)) from exc
        if here != place_id:
            raise FileNotFoundError(str(root))
    yield ()
    with suppress(FileNotFoundError), place_in(root, TAKEN) as taken:
        for day in sorted(names(taken)):
            now = seen(taken, day)
            if now is not None and stat.S_ISDIR(now.st_mode):
                yield TAKEN, day
    with suppress(FileNotFoundError), place_in(root, REFUSED):
        yield (REFUSED,)


def _wanted(
    session: Session,
    root: Path,
    inside: tuple[str, ...],
    digests: dict[str, int],
    is_called_after: Callable[[str], bool],
) -> list[WatchedFile]:
    """Return the files of one folder that are to go. Raises OSError, also where they cannot be removed."""
    with place_in(root, *inside) as folder:
        wanted = [
            WatchedFile(root, inside, name)
            for name in sorted(names(folder))
            if _is_wanted(session, folder, name, digests, inside != () and is_called_after(name))
        ]
        if wanted and not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
            raise PermissionError(str(root.joinpath(*inside)))
    return wanted


def _is_wanted(session: Session, folder: int, name: str, digests: dict[str, int], named: bool) -> bool:
    now = seen(folder, name)
    # Files come and go meanwhile.
    if now is None or not stat.S_ISREG(now.st_mode) or not (named or now.st_size in digests.values()):
        return False
    if now.st_size not in digests.values() and _is_nobodys(session, Upload.byte_size == now.st_size):
        # No upload has its bytes, however many they are: they need not be read.
        return True
    try:
        with open_file(folder, name) as file:
            digest = _digest(file, now.st_size)
    except FileNotFoundError:
        return False
    return digest in digests or (named and _is_nobodys(session, Upload.sha256 == digest))


def _digest(file: BinaryIO, size: int) -> str:
    """Return the SHA-256 of the first `size` bytes: a file may grow while it is read."""
    digest = hashlib.sha256()
    while size > 0 and (block := file.read(min(size, 1 << 20))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest()


def _is_nobodys(session: Session, same: ColumnElement[bool]) -> bool:
    return session.scalar(select(Upload.id).where(same).limit(1)) is None
