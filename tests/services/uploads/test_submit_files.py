"""All files of a request are there afterwards, or none; what cannot be confirmed is not called lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError

from core.errors import InvalidInputError, StorageError, UploadUnconfirmedError
from core.file_store import LocalFileStore
from core.models import Season, Upload, UploadBatch
from services.context import Context
from services.season_admin.seasons import close_season, open_season
from services.seasons import current_season
from services.uploads.submit import IncomingFile, submit_files
from tests.support.queued import queue_depth
from tests.support.site import person

FILES = [IncomingFile("a.pdf", b"a"), IncomingFile("b.pdf", b"b")]


def there(context: Context) -> tuple[int, int, int]:
    """Batches, files in the database, files in the file store."""
    stored = [path for path in (context.settings.var_dir / "files").rglob("*") if path.is_file()]
    with context.database.session() as session:
        batches, uploads = session.scalars(select(UploadBatch)).all(), session.scalars(select(Upload)).all()
    return len(batches), len(uploads), len(stored)


class FullAtTheSecond(LocalFileStore):
    """A file store whose disk has room for one file."""

    puts = 0

    def put(self, key: str, data: bytes, content_type: str = "") -> None:
        self.puts += 1
        if self.puts == 2:
            raise StorageError("No space left on device")
        super().put(key, data, content_type)


@contextmanager
def lost_at(context: Context, beginning: str, word: str = "") -> Iterator[None]:
    """The connection is lost at statements that begin so and hold the word."""

    def look(_connection, _cursor, statement, _parameters, _context, _many) -> None:  # type: ignore[no-untyped-def]
        if statement.startswith(beginning) and word in statement:
            raise OperationalError(statement, {}, psycopg.OperationalError("the connection is lost"))

    with listening(context, "before_cursor_execute", look):
        yield


@contextmanager
def lost_at_commit(context: Context, number: int) -> Iterator[None]:
    """The connection is lost at this commit, from 1."""
    commits = 0

    def look(_connection: object) -> None:
        nonlocal commits
        commits += 1
        if commits == number:
            raise OperationalError("commit", {}, psycopg.OperationalError("the connection is lost"))

    with listening(context, "commit", look):
        yield


@contextmanager
def listening(context: Context, name: str, look: Callable[..., None]) -> Iterator[None]:
    event.listen(context.database.engine, name, look)
    try:
        yield
    finally:
        event.remove(context.database.engine, name, look)


def test_a_disk_that_is_full_at_the_second_file(context: Context) -> None:
    sender = person(context, "uploader")
    full = replace(context, store=FullAtTheSecond(context.settings.var_dir / "files"))
    with pytest.raises(StorageError):
        submit_files(full, sender.id, FILES)
    assert there(context) == (0, 0, 0)
    submit_files(context, sender.id, FILES)
    assert there(context) == (1, 2, 2)


class ClosesTheSeason(LocalFileStore):
    """A file store that takes so long that the season is closed meanwhile."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.settings.var_dir / "files")
        self._context = context

    def put(self, key: str, data: bytes, content_type: str = "") -> None:
        with self._context.database.session() as session:
            season = current_season(session)
        if season.closed_at is None:
            close_season(self._context, None, season.id)
        super().put(key, data, content_type)


def test_a_season_that_is_closed_while_files_are_stored_takes_none(context: Context) -> None:
    sender = person(context, "uploader")
    own = submit_files(context, sender.id, [IncomingFile("c.pdf", b"c")])
    slow = replace(context, store=ClosesTheSeason(context))
    for batch_id in (own, None):
        with context.database.session() as session:
            season = current_season(session).id
        if batch_id is None:
            open_season(context, None, season)
        with pytest.raises(InvalidInputError, match="is closed"):
            submit_files(slow, sender.id, FILES, batch_id=batch_id)
        assert there(context) == (1, 1, 1)


def test_a_season_is_not_closed_while_files_are_recorded(context: Context) -> None:
    refused = []

    def look(_connection, _cursor, statement, _parameters, _context, _many) -> None:  # type: ignore[no-untyped-def]
        if statement.startswith("INSERT INTO upload_batches"):
            with pytest.raises(OperationalError, match="lock"), context.database.session() as session:
                session.execute(select(Season.id).with_for_update(nowait=True))
            refused.append(statement)

    with listening(context, "before_cursor_execute", look):
        submit_files(context, person(context, "uploader").id, FILES)
    assert refused


def test_a_database_that_is_gone_before_the_files_are_recorded(context: Context) -> None:
    sender = person(context, "uploader")
    with lost_at(context, "INSERT INTO uploads"), pytest.raises(OperationalError):
        submit_files(context, sender.id, FILES)
    assert there(context) == (0, 0, 0)


def test_files_that_may_be_recorded_are_kept(context: Context) -> None:
    sender = person(context, "uploader")
    # The first transaction only reads what the person may hand in.
    with lost_at_commit(context, 2), pytest.raises(UploadUnconfirmedError):
        submit_files(context, sender.id, FILES)
    assert there(context)[2] == 2


def test_a_database_that_is_gone_when_the_files_are_queued(context: Context) -> None:
    """They are recorded, so that the request is answered; the reconciler sees to the rest."""
    sender = person(context, "uploader")
    with lost_at(context, "UPDATE uploads", "enqueued_at"):
        submit_files(context, sender.id, FILES)
    assert there(context) == (1, 2, 2)
    assert queue_depth(context.redis) == 1
