"""A full disk, a slow store and a long queue refuse an upload, and nothing of it is stored."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from core.config import Settings
from core.errors import AppError, QueueFullError, StorageFullError, StorageSlowError
from core.file_store import OCTETS, LocalFileStore
from core.models import LibraryDocument, LibraryKind, Upload
from services.context import Context
from services.library.documents import GivenMetadata, add_document
from services.uploads import room
from services.uploads.submit import IncomingFile, submit_files
from tests.support.queued import queue_depth
from tests.support.site import person, unreachable_redis

FILE = IncomingFile("a.txt", b"some text")


def limited(context: Context, **limits: Any) -> Context:
    return replace(context, settings=context.settings.model_copy(update=limits))


def refused(context: Context, error: type[AppError]) -> None:
    """Neither an upload nor a document is taken in, and nothing of either is there."""
    actor = person(context, "uploader").id
    with pytest.raises(error):
        submit_files(context, actor, [FILE])
    with pytest.raises(error):
        add_document(context, actor, FILE, GivenMetadata(LibraryKind.WEB))
    files = [path for path in (context.settings.var_dir / "files").rglob("*") if path.is_file()]
    with context.database.session() as session:
        rows = session.scalar(select(func.count(Upload.id))) or session.scalar(
            select(func.count(LibraryDocument.id))
        )
    assert files == [] and not rows


def test_a_disk_with_too_little_left(context: Context) -> None:
    free = shutil.disk_usage(context.settings.var_dir).free
    refused(limited(context, min_free_mb=(free >> 20) + 1024), StorageFullError)
    submit_files(limited(context, min_free_mb=0), person(context, "uploader").id, [FILE])


def test_a_disk_that_is_full_at_the_last_byte(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(context, StorageFullError)


def test_a_queue_that_is_full(context: Context) -> None:
    actor = person(context, "uploader").id
    submit_files(context, actor, [FILE])
    assert queue_depth(context.redis) == 1
    with pytest.raises(QueueFullError):
        submit_files(limited(context, max_queued_jobs=1), actor, [IncomingFile("b.txt", b"other text")])
    submit_files(limited(context, max_queued_jobs=2), actor, [IncomingFile("b.txt", b"other text")])


def test_a_queue_that_is_away_refuses_nothing(context: Context) -> None:
    away = replace(limited(context, max_queued_jobs=1), redis=unreachable_redis())
    assert submit_files(away, person(context, "uploader").id, [FILE])


class _Stuck(LocalFileStore):
    """A store that answers nobody until it may."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.var_dir / "files")
        self.may, self.begun = threading.Event(), threading.Semaphore(0)

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        self.begun.release()
        assert self.may.wait(60)
        super().put(key, data, content_type)


def test_a_slow_store_keeps_few_waiting(context: Context) -> None:
    actor = person(context, "uploader").id
    store = _Stuck(context.settings)
    slow = replace(limited(context, store_wait_seconds=0.1), store=store)
    files = [IncomingFile("a.txt", f"text {number}".encode()) for number in range(room.AT_ONCE)]
    threads = [threading.Thread(target=submit_files, args=(slow, actor, [file])) for file in files]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert store.begun.acquire(timeout=60)
    refused(slow, StorageSlowError)
    store.may.set()
    for thread in threads:
        thread.join()
    submit_files(slow, actor, [FILE])
    assert context.database.scalar(select(func.count(Upload.id))) == len(files) + 1
