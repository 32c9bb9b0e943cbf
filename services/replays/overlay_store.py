"""A file store over another one: what is written stays in memory, what is read comes from below."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from core.errors import NotFoundError
from core.file_store import OCTETS, FileStore, checked_key, from_beginning


class OverlayStore:
    """A `FileStore` that never changes the store below it."""

    def __init__(self, below: FileStore) -> None:
        self._below = below
        #: None for files that were deleted here.
        self._here: dict[str, bytes | None] = {}

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """Keep the file in memory."""
        self._here[checked_key(key)] = data

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """Keep the file in memory."""
        with from_beginning(source) as opened:
            self.put(key, opened.read())

    def get(self, key: str) -> bytes:
        """Return the file kept here, else that of the store below. Raises NotFoundError."""
        if key not in self._here:
            return self._below.get(key)
        data = self._here[key]
        if data is None:
            raise NotFoundError("no such file")
        return data

    def exists(self, key: str) -> bool:
        """Whether there is a file of this key here or below."""
        return self._here[key] is not None if key in self._here else self._below.exists(key)

    def size(self, key: str) -> int:
        """Return the length of the file in bytes. Raises NotFoundError."""
        return len(self.get(key)) if key in self._here else self._below.size(key)

    def delete(self, key: str) -> None:
        """Hide the file; the one below stays."""
        self._here[checked_key(key)] = None

    def delete_prefix(self, prefix: str) -> None:
        """Drop what is kept here below the folder; files below stay."""
        folder = prefix.removesuffix("/") + "/"
        for key in [key for key in self._here if key.startswith(folder)]:
            self._here[key] = None

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """Return None: files in memory have no addresses."""
        return None

    def local_path(self, key: str) -> Path | None:
        """Return None: files in memory have no path."""
        return None

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """Yield nothing: nothing here is old."""
        return iter(())

    def remove_unfinished(self, seconds: float) -> int:
        """Remove nothing and return 0."""
        return 0
