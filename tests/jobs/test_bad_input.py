"""Bad input by HTTP through a real worker: the sentence, the code, and the original byte for byte."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Iterator, Sequence
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from core.config import load_settings
from core.errors import (
    AppError,
    DamagedDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    NotADocumentError,
    PictureTooLargeError,
    TooManyFilesError,
    TooManyPagesError,
    UnpacksTooLargeError,
)
from flask_app import create_app
from services.context import Context
from tests.jobs.conftest import opened, settings_of_a_job
from tests.support.long import some
from tests.support.office import entries_of, settled, uploads_of, wait_until, working
from tests.support.reading import bad_files
from tests.support.reading.documents import essay_pdf
from tests.support.site import person, sign_in_as

#: (name, bytes)
Files = Sequence[tuple[str, bytes]]
KINDS: list[tuple[Callable[[], list[bytes]], type[AppError]]] = [
    (bad_files.no_documents, NotADocumentError),
    (bad_files.encrypted, EncryptedDocumentError),
    (bad_files.truncated, DamagedDocumentError),
    (bad_files.without_pages, EmptyDocumentError),
    (bad_files.too_many_pages, TooManyPagesError),
    (bad_files.too_large_pictures, PictureTooLargeError),
    (bad_files.zip_bombs, UnpacksTooLargeError),
]


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory, database_url: str, redis_url: str) -> Iterator[Context]:
    """Opened parts of all tests of this file: each looks at its own batch alone."""
    chosen = settings_of_a_job(tmp_path_factory.mktemp("bad input"), database_url, redis_url)
    yield from opened(load_settings(**chosen, max_unpacked_bytes=bad_files.MOST_UNPACKED))


@pytest.fixture(scope="module")
def app(context: Context) -> Iterator[Flask]:
    """The site; one worker reads what all tests hand in."""
    made = create_app(context.settings, context)
    made.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    with working(context):
        yield made


@pytest.fixture
def office_worker(app: Flask, context: Context) -> FlaskClient:
    client = app.test_client()
    sign_in_as(client, person(context, "uploader"))
    return client


def upload(client: FlaskClient, files: Files) -> uuid.UUID:
    parts = MultiDict(("files", FileStorage(io.BytesIO(data), name)) for name, data in files)
    boundary, body = encode_multipart(parts)
    kind = f'multipart/form-data; boundary="{boundary}"'
    answer = client.post("/upload", data=body, content_type=kind, headers={"Accept": "application/json"})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return uuid.UUID(answer.get_json()["batch_id"])


def finish(context: Context, batch: uuid.UUID) -> None:
    wait_until(lambda: settled(context, batch), "the end of the batch", seconds=120)


def assert_kept(
    context: Context, client: FlaskClient, batch: uuid.UUID, files: Sequence[tuple[str, bytes]]
) -> None:
    for row, (_, data) in zip(uploads_of(context, batch), files, strict=True):
        assert client.get(f"/uploads/{row.id}/original").data == data


@pytest.mark.parametrize(("make", "error"), KINDS, ids=[error.code for _, error in KINDS])
def test_what_cannot_be_read_says_so_and_is_kept(
    context: Context, office_worker: FlaskClient, make: Callable[[], list[bytes]], error: type[AppError]
) -> None:
    files = [(f"entry-{number}.pdf", data) for number, data in enumerate(make())]
    assert len(files) >= 8
    batch = upload(office_worker, files)
    finish(context, batch)
    assert [row.error_code for row in uploads_of(context, batch)] == [error.code] * len(files)
    page = unescape(office_worker.get(f"/batches/{batch}").get_data(as_text=True))
    assert page.count(error.code.label) >= len(files)
    assert_kept(context, office_worker, batch, files)


def test_names_that_climb_are_shown_without_their_path(context: Context, office_worker: FlaskClient) -> None:
    files = [(name, essay_pdf()) for name in bad_files.climbing_names()]
    batch = upload(office_worker, files)
    finish(context, batch)
    for row in uploads_of(context, batch):
        assert row.status == "split"
        assert not set("/\\") & set(row.original_filename)
    assert len(entries_of(context, batch)) == len(files)
    assert_kept(context, office_worker, batch, files)


def test_two_hundred_files_at_once_are_all_kept(
    context: Context, office_worker: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 20
    few = context.settings.model_copy(update={"max_files_per_upload": limit})
    monkeypatch.setattr(context, "settings", few)
    files = [(f"note-{number}.txt", b"Note %d" % number) for number in range(200)]
    batch = upload(office_worker, files)
    finish(context, batch)
    codes = [row.error_code for row in uploads_of(context, batch)]
    assert codes == [NotADocumentError.code] * limit + [TooManyFilesError.code] * (200 - limit)
    assert TooManyFilesError.code.label in unescape(office_worker.get(f"/batches/{batch}").get_data(as_text=True))
    assert_kept(context, office_worker, batch, files)


@pytest.mark.long
@pytest.mark.parametrize("surplus", some(range(1, 9), every=4))
def test_files_beyond_the_limit_can_be_retried(
    context: Context, office_worker: FlaskClient, monkeypatch: pytest.MonkeyPatch, surplus: int
) -> None:
    limit = 3
    few = context.settings.model_copy(update={"max_files_per_upload": limit})
    monkeypatch.setattr(context, "settings", few)
    files = [(f"{number}.txt", b"Note %d of %d" % (number, limit + surplus)) for number in range(limit + surplus)]
    batch = upload(office_worker, files)
    finish(context, batch)
    late = uploads_of(context, batch)[limit:]
    assert [row.error_code for row in late] == [TooManyFilesError.code] * surplus
    office_worker.post(f"/uploads/{late[0].id}/retry")
    finish(context, batch)
    assert uploads_of(context, batch)[limit].error_code == NotADocumentError.code


def test_the_same_file_twice_is_read_once(context: Context, office_worker: FlaskClient) -> None:
    files = [(f"entry-{number}.pdf", essay_pdf()) for number in range(8)]
    first = upload(office_worker, files)
    second = upload(office_worker, [(f"again-{name}", data) for name, data in files])
    for batch in (first, second):
        finish(context, batch)
    assert [row.status for row in uploads_of(context, second)] == ["duplicate"] * 8
    originals = [row.id for row in uploads_of(context, first)]
    assert [row.duplicate_of for row in uploads_of(context, second)] == originals
    assert (len(entries_of(context, first)), len(entries_of(context, second))) == (8, 0)
    assert_kept(context, office_worker, second, files)
