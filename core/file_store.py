"""Files by key: the interface and the local store. The one on Supabase is `pipeline/supabase_storage.py`."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import uuid4

from core.errors import InvalidInputError, NotFoundError, StorageError

OCTETS = "application/octet-stream"
MAX_KEY = 512

#: Segments of letters, digits, `.`, `_`, `-`, none beginning with a dot: no `..`, no hidden or absolute path.
_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")


class FileStore(Protocol):
    """Stores originals and artifacts by key. Every method raises InvalidInputError for a malformed key.

    Raises StorageError for a failure that may pass, StorageRefusedError for one that will not.
    """

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """Store `data` whole or not at all, in place of what was there."""
        ...

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """Store a file of this machine, or all of an open one, as `put` does, without having it in memory."""
        ...

    def get(self, key: str) -> bytes:
        """Return the bytes stored under the key. Raises NotFoundError."""
        ...

    def exists(self, key: str) -> bool:
        """Whether there is a file of this key."""
        ...

    def size(self, key: str) -> int:
        """Its length in bytes. Raises NotFoundError."""
        ...

    def delete(self, key: str) -> None:
        """Remove the file, if it exists."""
        ...

    def delete_prefix(self, prefix: str) -> None:
        """Remove everything below the folder `prefix`: `a/1` takes `a/1/x`, never `a/12/x`."""
        ...

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """Return an address that gives the file to whoever has it, as a download, for some seconds.

        None where the store has no addresses. Raises NotFoundError where it looks for the file.
        """
        ...

    def local_path(self, key: str) -> Path | None:
        """Return where the file lies on this machine, to be read only; None where it lies elsewhere.

        Raises NotFoundError where it looks for the file.
        """
        ...

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """Yield the keys below the folder `prefix` whose files were stored longer ago than `seconds`."""
        ...

    def remove_unfinished(self, seconds: float) -> int:
        """Remove what a process that was killed has half written, longer ago than `seconds`; return how much."""
        ...


def checked_key(key: str) -> str:
    """Return the key if it is valid. Raises InvalidInputError otherwise."""
    if len(key) > MAX_KEY or _KEY.fullmatch(key) is None:
        raise InvalidInputError("not a file key")
    return key


@contextmanager
def from_beginning(source: Path | BufferedReader) -> Iterator[BufferedReader]:
    """Open a file to be read, for a block; one that is open stays so, and is read from its beginning."""
    if isinstance(source, Path):
        with source.open("rb") as opened:
            yield opened
    else:
        source.seek(0)
        yield source


def folder_of(prefix: str) -> str:
    """The folder that a prefix names, without the slash that may end it. Raises InvalidInputError."""
    return checked_key(prefix.removesuffix("/"))


class LocalFileStore:
    """Files below a folder of this machine, readable by its owner alone."""

    def __init__(self, root: Path) -> None:
        self._root = root
        #: No key begins with a dot, so half-written files are never seen.
        self._incoming = root / ".incoming"

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """See `FileStore.put`. The content type is not kept: readers know it from their own records."""
        self._store(key, lambda file: file.write(data))

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """See `FileStore.put_file`."""
        with from_beginning(source) as opened:
            self._store(key, lambda file: shutil.copyfileobj(opened, file))

    def get(self, key: str) -> bytes:
        """See `FileStore.get`."""
        try:
            return self._path(key).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as exc:
            raise NotFoundError(f"no file {key}") from exc
        except OSError as exc:
            raise StorageError(f"cannot read: {exc.strerror}") from exc

    def exists(self, key: str) -> bool:
        """See `FileStore.exists`."""
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        """See `FileStore.size`."""
        path = self._path(key)
        if not path.is_file():
            raise NotFoundError(f"no file {key}")
        return path.stat().st_size

    def delete(self, key: str) -> None:
        """See `FileStore.delete`."""
        path = self._path(key)
        try:
            if path.is_file():
                path.unlink(missing_ok=True)
        except OSError as exc:
            raise StorageError(f"cannot delete: {exc.strerror}") from exc

    def delete_prefix(self, prefix: str) -> None:
        """See `FileStore.delete_prefix`."""
        folder = self._root / folder_of(prefix)
        try:
            if folder.is_dir():
                shutil.rmtree(folder)
        except OSError as exc:
            raise StorageError(f"cannot delete: {exc.strerror}") from exc

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """See `FileStore.link`."""
        return None

    def local_path(self, key: str) -> Path | None:
        """See `FileStore.local_path`."""
        path = self._path(key)
        if not path.is_file():
            raise NotFoundError(f"no file {key}")
        return path

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """See `FileStore.older_keys`."""
        for path in _older(self._root / folder_of(prefix), seconds):
            yield path.relative_to(self._root).as_posix()

    def remove_unfinished(self, seconds: float) -> int:
        """See `FileStore.remove_unfinished`."""
        unfinished = list(_older(self._incoming, seconds))
        for path in unfinished:
            path.unlink(missing_ok=True)
        return len(unfinished)

    def _path(self, key: str) -> Path:
        return self._root / checked_key(key)

    def _make_folder(self, folder: Path) -> None:
        """Create the folder and its parents with a private mode; `Path.mkdir` gives the umask's to parents."""
        missing = [folder, *folder.parents]
        for path in reversed(missing[: missing.index(self._root) + 1]):
            path.mkdir(mode=0o700, parents=path == self._root, exist_ok=True)

    def _store(self, key: str, write: Callable[[BinaryIO], object]) -> None:
        path = self._path(key)
        try:
            self._make_folder(path.parent)
            self._make_folder(self._incoming)
            self._write(path, write)
        except OSError as exc:
            raise StorageError(f"cannot write: {exc.strerror}") from exc

    def _write(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        """Write to a temporary file, sync, rename: a reader sees the old bytes or the new, even after a crash."""
        temporary = self._incoming / uuid4().hex
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)


def _older(folder: Path, seconds: float) -> Iterator[Path]:
    """Yield the files below a folder that were written longer ago than `seconds`."""
    latest = time.time() - seconds
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above) / name
            # Files come and go meanwhile.
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < latest:
                    yield path


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
