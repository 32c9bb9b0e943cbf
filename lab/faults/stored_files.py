"""Orphan files: files without a row, rows without their file, and what a killed process had half written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import psycopg

Row = dict[str, Any]
#: Emptied at any time, and filled again: nothing refers to it.
_CACHE = "cache/"


class Files(Protocol):
    """What a file store holds, read without the product."""

    def all_keys(self) -> set[str]:
        """The keys of all files, half-written ones included."""
        ...

    def digest(self, key: str) -> str | None:
        """The SHA-256 of a file; None if there is none."""
        ...


class FilesInFolder:
    """The files of a local store."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all_keys(self) -> set[str]:
        """See `Files.all_keys`."""
        return {str(path.relative_to(self._folder)) for path in self._folder.rglob("*") if path.is_file()}

    def digest(self, key: str) -> str | None:
        """See `Files.digest`."""
        path = self._folder / key
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


class FilesInMemory:
    """The files of a bucket on this machine."""

    def __init__(self, objects: Mapping[str, tuple[bytes, str]]) -> None:
        self._objects = objects

    def all_keys(self) -> set[str]:
        """See `Files.all_keys`."""
        return set(self._objects)

    def digest(self, key: str) -> str | None:
        """See `Files.digest`."""
        found = self._objects.get(key)
        return None if found is None else hashlib.sha256(found[0]).hexdigest()


def orphan_files(cursor: psycopg.Cursor[Row], files: Files) -> list[str]:
    """Return a sentence on each file without a row, and on each row without its file."""
    keys = {key for key in files.all_keys() if not key.startswith(_CACHE)}
    named = {
        row["key"]
        for row in cursor.execute(
            "select storage_key as key from uploads union select pdf_key from uploads where pdf_key is not null"
        ).fetchall()
    }
    runs = {
        f"artifacts/{row['submission_id']}/{row['run_no']}/"
        for row in cursor.execute("select submission_id, run_no from runs").fetchall()
    }
    found = [f"row without its file: {key}" for key in sorted(named - keys)]
    for key in sorted(keys - named - _library(cursor)):
        folder = key.rpartition("/")[0] + "/"
        if _run_of(folder) not in runs:
            found.append(f"file without a row: {key}")
    return found


def _run_of(folder: str) -> str:
    """The first three parts of a path: where a run keeps its artifacts."""
    return "/".join(folder.split("/")[:3]) + "/"


def _library(cursor: psycopg.Cursor[Row]) -> set[str]:
    """The keys of the library's documents: settled entries put their essays there."""
    rows = cursor.execute("select storage_key as key from library_documents").fetchall()
    return {row["key"] for row in rows}
