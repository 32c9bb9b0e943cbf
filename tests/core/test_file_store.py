"""What the local folder promises beyond the contract (`tests/pipeline/test_supabase_storage.py` holds that)."""

import os
import stat
from pathlib import Path

import pytest

from core.errors import NotFoundError, StorageError
from core.file_store import LocalFileStore, checked_key


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "var" / "with space" / "files"


def test_files_and_folders_are_the_owners_alone(root: Path) -> None:
    before = os.umask(0)
    try:
        LocalFileStore(root).put("a/b/c.pdf", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "a/b/c.pdf").stat().st_mode) == 0o600
    assert {stat.S_IMODE((root / folder).stat().st_mode) for folder in ("", "a", "a/b")} == {0o700}


def test_failed_write_leaves_the_old_file_and_no_other(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = LocalFileStore(root)
    store.put("a/x", b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError) as caught:
        store.put("a/x", b"new")
    assert caught.value.retryable
    assert store.get("a/x") == b"old"
    assert [path.name for path in root.rglob("*") if path.is_file()] == ["x"]


def test_where_a_file_lies(root: Path) -> None:
    store = LocalFileStore(root)
    store.put("a/x", b"x")
    assert store.local_path("a/x") == root / "a/x"
    with pytest.raises(NotFoundError):
        store.local_path("a/y")


def test_a_folder_is_no_file(root: Path) -> None:
    store = LocalFileStore(root)
    store.put("a/b/c", b"x")
    assert not store.exists("a/b")


def test_longest_key(root: Path) -> None:
    assert checked_key("a" * 512)
