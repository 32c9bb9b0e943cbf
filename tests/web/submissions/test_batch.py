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
    context.database.execute(update(Upload).values(status="split"))
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
        "The text on a page could not be recognized.",
        "The file was read",
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


def test_files_that_could_not_be_read_are_named_without_codes(signed_in, people, context: Context) -> None:
    """Another try is offered only where it can end otherwise."""
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"], file_count=3)
        good = factories.make_upload(session, batch)
        factories.make_submission(session, good, status="completed")
        for number, code in enumerate(("encrypted_document", "storage_error"), start=1):
            factories.make_upload(
                session,
                batch,
                position=number,
                status="failed",
                error_code=code,
                original_filename=f"{code[:5]}.pdf",
            )
    page = signed_in("uploader").get(f"/batches/{batch.id}").text
    assert "1 of 3 files read, 2 could not be read:" in " ".join(page.split())
    assert "encrypted_document" not in page and "storage_error" not in page
    assert page.count("Try again<") == 1 and "with stora.pdf" in page


def test_what_was_uploaded_before_leads_to_its_entries(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        first = factories.make_upload(session, factories.make_batch(session, people["uploader"]))
        entry = factories.make_submission(session, first, status="completed", student_name="Ana Ruiz")
        batch = factories.make_batch(session, people["uploader"], file_count=1)
        factories.make_upload(session, batch, status="duplicate", duplicate_of=first.id)
        strange = factories.make_upload(session, factories.make_batch(session, people["reviewer"]))
        other = factories.make_batch(session, people["uploader"], file_count=1)
        factories.make_upload(session, other, status="duplicate", duplicate_of=strange.id)
    client = signed_in("uploader")
    assert f'Its entry: <a href="/submissions/{entry.id}"><bdi>Ana Ruiz' in " ".join(
        client.get(f"/batches/{batch.id}").text.split()
    )
    assert "Someone else has already uploaded" in client.get(f"/batches/{other.id}").text


def test_what_a_file_holds_beside_its_pages_is_said(signed_in, people, context: Context) -> None:
    note = {"code": "ATTACHMENTS", "count": 2, "names": ["second <form>.pdf"]}
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        factories.make_upload(session, batch, notes=[note])
    page = signed_in("uploader").get(f"/batches/{batch.id}").text
    assert "Files attached</strong> (2):" in page and "second &lt;form&gt;.pdf" in page and "were not read" in page
