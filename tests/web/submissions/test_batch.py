"""The changing part of a batch's page."""

from __future__ import annotations

from sqlalchemy import update

from core.models import PageRange, Upload
from services.context import Context
from tests.support import factories


def test_nothing_is_sent_while_nothing_changed(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, factories.make_batch(session, people["uploader"]), status="stored")
    client, url = signed_in("uploader"), f"/batches/{upload.batch_id}/progress"
    first = client.get(url)
    assert 'data-working="yes"' in first.text and "<html" not in first.text
    again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    with context.database.session() as session:
        session.execute(update(Upload).values(status="split"))
    after = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert after.status_code == 200 and 'data-working="no"' in after.text


def test_entries_show_what_became_of_them(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, factories.make_batch(session, people["uploader"]))
        factories.make_submission(session, upload, status="completed", student_name="Ana Ruiz")
        factories.make_submission(session, upload, status="failed", chunk_index=1, error_code="recognition_failed")
    page = signed_in("uploader").get(f"/batches/{upload.batch_id}").text
    for text in (
        "Ana Ruiz",
        "Completed · 1",
        "Failed · 1",
        "The text of a page could not be recognised.",
        "The file is done",
    ):
        assert text in page


def test_pages_of_a_long_file_are_counted(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch, status="analysing", page_count=10)
        session.add(PageRange(upload_id=upload.id, first_page=1, last_page=4, outlines={"pages": []}))
        session.add(PageRange(upload_id=upload.id, first_page=5, last_page=10))
    client = signed_in("uploader")
    assert "4 of 10 pages" in client.get(f"/batches/{batch.id}").text


def test_without_javascript_the_page_reloads_itself_until_done(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        working = factories.make_upload(
            session, factories.make_batch(session, people["uploader"]), status="stored"
        )
        done = factories.make_upload(session, factories.make_batch(session, people["uploader"]))
    client = signed_in("uploader")
    assert 'http-equiv="refresh"' in client.get(f"/batches/{working.batch_id}").text
    assert 'http-equiv="refresh"' not in client.get(f"/batches/{done.batch_id}").text
