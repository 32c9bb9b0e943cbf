"""Where folders are watched, so that an erasure finds the files that were taken from them, or refused."""

from __future__ import annotations

import hashlib
import os
import stat
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import StorageError
from core.models import Upload, WatchedFolderPlace
from services.context import Context
from services.watching.folder import OWN, REFUSED, TAKEN, WatchedFolder


@dataclass(frozen=True)
class Watched:
    """What was found in watched folders."""

    files: list[Path] = field(default_factory=list)
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
            for path in _files(place):
                if _is_wanted(session, path, digests, is_called_after):
                    _require_removable(path)
                    found.files.append(path)
        except OSError:
            found.not_reached.append(place.path)
    return found


def remove_watched(watched: Watched) -> None:
    """Remove files, with the texts beside those that were refused. Raises StorageError."""
    try:
        for path in watched.files:
            path.unlink(missing_ok=True)
            if path.parent.name == REFUSED:
                path.with_name(f"{path.name}.txt").unlink(missing_ok=True)
    except OSError as exc:
        raise StorageError(f"cannot delete in a watched folder: {exc.strerror}") from exc


def _files(place: WatchedFolderPlace) -> Iterator[Path]:
    """Yield the files of a folder, those that were not taken yet first: they may be taken meanwhile.

    Raises OSError where the folder is not here, or cannot be listed.
    """
    root = Path(place.path)
    if (root / OWN / "id").read_text(encoding="ascii") != str(place.id):
        raise FileNotFoundError(place.path)
    refused = [root / REFUSED] if (root / REFUSED).is_dir() else []
    days = sorted((root / TAKEN).iterdir()) if (root / TAKEN).is_dir() else []
    for folder in (root, *days, *refused):
        if not stat.S_ISDIR(folder.lstat().st_mode):
            continue
        for path in sorted(folder.iterdir()):
            # Files come and go meanwhile.
            with suppress(FileNotFoundError):
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path


def _is_wanted(
    session: Session, path: Path, digests: dict[str, int], is_called_after: Callable[[str], bool]
) -> bool:
    put_aside = path.parent.name == REFUSED or path.parent.parent.name == TAKEN
    named = put_aside and is_called_after(path.name)
    if not named and path.lstat().st_size not in digests.values():
        return False
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return digest in digests or (named and _is_nobodys(session, digest))


def _is_nobodys(session: Session, digest: str) -> bool:
    return session.scalar(select(Upload.id).where(Upload.sha256 == digest).limit(1)) is None


def _require_removable(path: Path) -> None:
    """Raise PermissionError where the file's folder cannot be written to from here."""
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(str(path.parent))
