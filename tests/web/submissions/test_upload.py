"""Upload files and follow them."""

from __future__ import annotations

import errno
import io
import uuid

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.http import parse_options_header

from core.clock import utcnow
from core.models import Upload, UploadBatch
from services.context import Context
from services.season_admin.seasons import close_season
from services.seasons import current_season
from services.uploads import room
from tests.support import factories
from tests.support.queued import queue_depth
from tests.support.review.desk import entry_pdf
from web.security import sent_form

_NAMES = ("señal.pdf", "エッセイ 😀.pdf", "x\u2028y.pdf", 'q"; filename=z.pdf', "\u202efdp.exe")
_JSON = {"Accept": "application/json"}


def send(client: FlaskClient, *files: tuple[bytes, str], headers: dict[str, str] | None = None, **values: str):
    data = {"files": [(io.BytesIO(content), name) for content, name in files], **values}
    return client.post("/upload", data=data, headers=headers)


def uploads(context: Context) -> list[Upload]:
    return context.database.scalars(select(Upload).order_by(Upload.created_at, Upload.position))


def test_files_are_kept_and_queued_and_the_batch_shown(signed_in, context: Context) -> None:
    client, content = signed_in("uploader"), entry_pdf()
    response = send(client, (content, "one.pdf"), (b"notes", "../../two.pdf"))
    assert response.status_code == 302
    page = client.get(response.location)
    assert "one.pdf" in page.text and "two.pdf" in page.text and ".." not in page.text
    first, _ = uploads(context)
    original = client.get(f"/uploads/{first.id}/original")
    assert original.data == content
    assert queue_depth(context.redis) == 2
    assert "one.pdf" in client.get("/upload").text


def test_a_script_sends_them_one_by_one(signed_in, context: Context) -> None:
    client = signed_in("uploader")
    first = send(client, (b"a", "a.pdf"), headers=_JSON)
    assert first.status_code == 201
    second = send(client, (b"b", "b.pdf"), headers=_JSON, batch_id=first.json["batch_id"])
    assert second.json == first.json
    assert [upload.position for upload in uploads(context)] == [0, 1]


def test_the_page_says_that_the_season_is_closed(signed_in, context: Context) -> None:
    with context.database.session() as session:
        season_id = current_season(session).id
    close_season(context, None, season_id)
    page = signed_in("uploader").get("/upload").text
    assert (
        f"The season {utcnow().year} is closed" in page
        and 'type="file"' not in page
        and "/admin/seasons" not in page
    )
    assert "/admin/seasons" in signed_in("admin").get("/upload").text


def test_files_of_one_entry(signed_in, context: Context) -> None:
    send(signed_in("uploader"), (b"a", "a.png"), (b"b", "b.png"), one_entry="yes")
    assert context.database.scalars(select(UploadBatch.one_entry)) == [True]


def test_no_file(signed_in) -> None:
    response = send(signed_in("uploader"), headers=_JSON)
    assert (response.status_code, response.json["error"]["code"]) == (400, "no_file")


def test_a_batch_of_somebody_else(app, signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["reviewer"])
    client = signed_in("uploader")
    for wrong in (str(batch.id), str(uuid.uuid4()), "nonsense"):
        assert send(client, (b"a", "a.pdf"), headers=_JSON, batch_id=wrong).status_code in (400, 404)
    assert client.get(f"/batches/{batch.id}").status_code == 404
    assert signed_in("auditor").get(f"/batches/{batch.id}").status_code == 200
    assert uploads(context) == []


def test_an_original_is_saved_never_shown(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(
            session,
            factories.make_batch(session, people["uploader"]),
            original_filename='señal "1".html',
            content_type="text/html",
        )
    context.store.put(upload.storage_key, b"<script>alert(1)</script>")
    response = signed_in("uploader").get(f"/uploads/{upload.id}/original")
    assert response.headers["Content-Disposition"].startswith("attachment")
    assert response.headers["Content-Security-Policy"].startswith("sandbox")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.data == b"<script>alert(1)</script>"


@pytest.mark.parametrize("name", _NAMES)
def test_an_original_of_any_name_comes_back_under_it(signed_in, people, context: Context, name: str) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch, original_filename=name)
    context.store.put(upload.storage_key, b"bytes")
    response = signed_in("uploader").get(f"/uploads/{upload.id}/original")
    disposition = response.headers["Content-Disposition"]
    assert disposition.isascii()
    assert parse_options_header(disposition)[1]["filename"] == name
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("name", "called"),
    [("../../../etc/x.pdf", "x.pdf"), ("..\\..\\x.pdf", "x.pdf"), ("../..", "unnamed"), ("a/..", "unnamed")],
)
def test_no_name_of_an_original_is_a_path(signed_in, people, context: Context, name: str, called: str) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch, original_filename=name)
    context.store.put(upload.storage_key, b"bytes")
    disposition = signed_in("uploader").get(f"/uploads/{upload.id}/original").headers["Content-Disposition"]
    assert parse_options_header(disposition)[1]["filename"] == called


def test_files_of_others_do_not_exist_for_an_uploader(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, factories.make_batch(session, people["admin"]), status="stored")
    client = signed_in("uploader")
    assert client.get(f"/uploads/{upload.id}/original").status_code == 404
    assert client.get(f"/uploads/{upload.id}/pages/1.webp").status_code == 404
    assert client.post(f"/uploads/{upload.id}/retry").status_code == 404


def test_a_failed_file_can_be_tried_again(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch, status="failed", error_code="encrypted_document")
    client = signed_in("uploader")
    page = client.get(f"/batches/{batch.id}").text
    assert "This file is locked with a password." in page and "encrypted_document" not in page
    back = client.post(f"/uploads/{upload.id}/retry", data={"next": f"/batches/{batch.id}"})
    assert back.location == f"/batches/{batch.id}"
    assert uploads(context)[0].status == "stored"
    again = client.post(f"/uploads/{upload.id}/retry")
    assert again.status_code == 409
    assert "Nothing to retry" in again.text and "Someone" not in again.text


@pytest.mark.parametrize("number", ["0", "2147483648", "9" * 30])
def test_a_page_that_cannot_be(signed_in, people, context: Context, number: str) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, factories.make_batch(session, people["uploader"]))
    assert signed_in("uploader").get(f"/uploads/{upload.id}/pages/{number}.webp").status_code == 404


def test_without_room_a_person_is_told(signed_in, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "queued_count", lambda _redis: context.settings.max_queued_jobs)
    page = send(signed_in("uploader"), (b"a", "a.pdf"))
    assert (page.status_code, page.headers["Retry-After"]) == (503, "300")
    assert "None of your files were stored" in page.text
    assert uploads(context) == []


def test_a_file_that_was_stored_before_the_disk_was_full_is_not_to_be_sent_again(
    signed_in, people, context: Context
) -> None:
    """What a worker derives of it found no room; its original is there."""
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        factories.make_upload(session, batch, status="failed", error_code="storage_full")
    page = signed_in("uploader").get(f"/batches/{batch.id}").text
    assert "Tell an admin, then try again." in page and "upload them again" not in page


def test_a_disk_that_is_full_while_a_request_comes_in(signed_in, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sent_form, "TemporaryFile", full)
    answer = send(signed_in("uploader"), (b"a", "a.pdf"), headers=_JSON)
    assert (answer.status_code, answer.json["error"]["code"]) == (507, "storage_full")
    assert answer.headers["Retry-After"] == "300"
