"""How many entries were sent, beside how many came."""

from __future__ import annotations

import io
import uuid

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, update

from core.models import Profile, Upload, UploadBatch
from services.context import Context
from tests.support import factories
from tests.web.conftest import Signed


@pytest.fixture
def batch_id(context: Context, people: dict[str, Profile]) -> uuid.UUID:
    """A file with two entries that were read."""
    with context.database.session() as session:
        owner = session.get_one(Profile, people["uploader"].id)
        batch = factories.make_batch(session, owner)
        upload = factories.make_upload(session, batch, status="split", entry_count=2)
        for place in range(2):
            factories.make_submission(session, upload, chunk_index=place, status="completed")
        return batch.id


def save(client: FlaskClient, batch_id: uuid.UUID, typed: str) -> tuple[int, str]:
    response = client.post(
        f"/batches/{batch_id}/expected", data={"expected_entries": typed}, follow_redirects=True
    )
    return response.status_code, " ".join(response.text.split())


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3", "3 entries were sent, 2 were found. <strong>1 is missing.</strong>"),
        ("1", "1 entry was sent, 2 were found. <strong>1 too many.</strong>"),
        (" 2 ", "2 entries were sent, 2 were found. All are here."),
    ],
)
def test_what_came_is_held_against_it(signed_in: Signed, batch_id: uuid.UUID, typed: str, said: str) -> None:
    assert said in save(signed_in("uploader"), batch_id, typed)[1]


def test_what_was_uploaded_before_is_not_missing(
    context: Context, people: dict[str, Profile], signed_in: Signed, batch_id: uuid.UUID
) -> None:
    with context.database.session() as session:
        first = session.scalars(select(Upload).where(Upload.batch_id == batch_id)).one()
        owner = session.get_one(Profile, people["uploader"].id)
        again = factories.make_batch(session, owner)
        factories.make_upload(session, again, status="duplicate", duplicate_of=first.id)
        other = factories.make_upload(session, factories.make_batch(session))
        factories.make_submission(session, other)
        factories.make_upload(session, again, status="duplicate", duplicate_of=other.id)
        again_id = again.id
    said = "3 entries were sent, 0 were found, 2 had been uploaded before."
    uploader = save(signed_in("uploader"), again_id, "3")[1]
    assert f"{said} <strong>1 is missing.</strong> It may be in the file that someone else" in uploader
    reviewer = save(signed_in("reviewer"), again_id, "3")[1]
    assert "0 were found, 3 had been uploaded before. All are here." in reviewer


def test_nothing_is_said_before_all_is_read(context: Context, signed_in: Signed, batch_id: uuid.UUID) -> None:
    context.database.execute(update(Upload).where(Upload.batch_id == batch_id).values(status="analysing"))
    assert "is missing" not in save(signed_in("uploader"), batch_id, "9")[1]


def test_it_can_be_taken_back(signed_in: Signed, batch_id: uuid.UUID) -> None:
    client = signed_in("uploader")
    save(client, batch_id, "3")
    assert "were found" not in save(client, batch_id, "")[1]


@pytest.mark.parametrize("typed", ["0", "-1", "many", "1.5", "100001", "9" * 30])
def test_no_number(signed_in: Signed, batch_id: uuid.UUID, typed: str) -> None:
    status, page = save(signed_in("uploader"), batch_id, typed)
    assert status == 400 and "Type how many entries were sent" in page


def test_a_batch_of_somebody_else(signed_in: Signed, context: Context) -> None:
    with context.database.session() as session:
        other = factories.make_batch(session).id
    assert save(signed_in("uploader"), other, "3")[0] == 404
    assert save(signed_in("reviewer"), other, "3")[0] == 200


def test_with_the_files(context: Context, signed_in: Signed) -> None:
    client = signed_in("uploader")
    sent = {"files": (io.BytesIO(b"%PDF-1.7 of an invented entry"), "entry.pdf"), "expected_entries": "24"}
    assert client.post("/upload", data=sent).status_code == 302
    assert context.database.one(select(UploadBatch.expected_entries)) == 24


def test_no_file_is_taken_with_a_wrong_number(context: Context, signed_in: Signed) -> None:
    sent = {"files": (io.BytesIO(b"%PDF-1.7"), "entry.pdf"), "expected_entries": "lots"}
    assert signed_in("uploader").post("/upload", data=sent).status_code == 400
    assert context.database.scalars(select(UploadBatch)) == []
