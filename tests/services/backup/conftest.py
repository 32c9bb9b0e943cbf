"""A filled installation, an empty one, and what a backup that is refused leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from core.database import Database
from core.embedded import PostgresHandle
from core.errors import InvalidInputError
from core.file_store import LocalFileStore
from services.backup.codes import BackupRefused
from services.backup.open_backup import open_backup
from services.backup.restore_backup import restore_backup
from services.context import Context
from services.supervision.upload_document import upload_document
from tests.support.factories import (
    make_field,
    make_profile,
    make_run,
    make_submission,
    make_suggestion,
    make_upload,
)
from tests.support.services import empty_database

PASSPHRASE = "six invented words of a test"
#: What the database and a file of `filled` hold.
NAME, CONTENT = "Odalys Quenneville", b"%PDF-1.7 of a test"


@pytest.fixture
def elsewhere(context: Context, postgres_server: PostgresHandle, slot: int, tmp_path: Path) -> Iterator[Context]:
    """An installation without anything: another database, another folder of files."""
    with empty_database(postgres_server.dsn, slot, "restored") as url:
        yield replace(context, database=Database(url), store=LocalFileStore(tmp_path / "elsewhere"))


@pytest.fixture
def filled(context: Context) -> Context:
    with context.database.session() as session:
        upload = make_upload(session)
        submission = make_submission(session, upload, student_name=NAME)
        make_field(session, submission, name="student_name", value=NAME)
        make_suggestion(session)
        key = upload.storage_key
        others = [row for row in session.query(type(upload)) if row.storage_key != key]
        artifact = f"artifacts/{submission.id}/{make_run(session, submission).run_no}/reading.json"
        person = make_profile(session).id
    context.store.put(key, CONTENT)
    for other in others:
        context.store.put(other.storage_key, b"another")
    context.store.put(f"cache/pages/{key}", b"made anew")
    context.store.put(artifact, b"{}")
    upload_document(context, person, "boats.md", b"# Boats\n\nFathers and children build boats.")
    return context


def quiet(_done: int, _count: int) -> None:
    pass


def refused(code: BackupRefused, context: Context, folder: Path, passphrase: str | None = None) -> None:
    with pytest.raises(InvalidInputError) as caught:
        restore_backup(context, open_backup(folder, passphrase), quiet)
    assert caught.value.message is not None
    assert caught.value.message.code == code
    with psycopg.connect(context.database.dsn) as connection:
        assert connection.execute("select to_regclass('public.uploads')").fetchone() == (None,)
