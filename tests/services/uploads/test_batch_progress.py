from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import event

from core.clock import utcnow
from core.errors import NotFoundError
from core.models import PageRange, Submission, Upload, UploadSplit
from services.accounts.person import person_of
from services.context import Context
from services.uploads import progress as module
from services.uploads.progress import BatchProgress, FileState, batch_progress
from tests.support import factories


@pytest.fixture
def made(context: Context) -> tuple[Upload, Submission, BatchProgress]:
    with context.database.session() as session:
        owner = factories.make_profile(session)
        batch = factories.make_batch(session, owner, file_count=2)
        upload = factories.make_upload(session, batch)
        entry = factories.make_submission(session, upload, status="processing")
        factories.make_submission(session, upload, status="superseded", chunk_index=1)
        factories.make_upload(session, batch, position=1, status="failed", error_code="damaged_document")
        person = person_of(owner)
    return upload, entry, batch_progress(context, person, batch.id)


def test_what_is_under_way(made: tuple[Upload, Submission, BatchProgress]) -> None:
    _, entry, progress = made
    assert progress.working and progress.files_done == 1
    assert [one.id for one in progress.files[0].entries] == [entry.id], "what was superseded is not shown"
    assert progress.by_status == {"processing": 1}


def test_the_text_follows_what_is_shown(context: Context, made: tuple[Upload, Submission, BatchProgress]) -> None:
    upload, entry, before = made
    with context.database.session() as session:
        row = session.get_one(Submission, entry.id)
        row.status, row.needs_review = "completed", False
        person = person_of(factories.make_profile(session, "auditor"))
    after = batch_progress(context, person, upload.batch_id)
    assert not after.working
    assert repr(after) != repr(before)
    assert repr(after) == repr(batch_progress(context, person, upload.batch_id))


def test_pages_that_several_jobs_read_are_counted(context: Context) -> None:
    with context.database.session() as session:
        owner = factories.make_profile(session)
        batch = factories.make_batch(session, owner, file_count=1)
        upload = factories.make_upload(session, batch, status="analysing", page_count=10)
        for first, outlines in ((1, {"pages": []}), (5, None), (9, {"pages": []})):
            last = min(first + 3, 10)
            session.add(PageRange(upload_id=upload.id, first_page=first, last_page=last, outlines=outlines))
        person = person_of(owner)
    (file,) = batch_progress(context, person, batch.id).files
    assert (file.pages_read, file.page_count) == (6, 10)


def test_files_still_to_come_are_waited_for(context: Context) -> None:
    with context.database.session() as session:
        owner = factories.make_profile(session)
        batch = factories.make_batch(session, owner, file_count=3)
        factories.make_upload(session, batch, status="failed", error_code="damaged_document")
        person = person_of(owner)
    assert batch_progress(context, person, batch.id).working


def test_of_others(context: Context, made: tuple[Upload, Submission, BatchProgress]) -> None:
    with context.database.session() as session:
        stranger = person_of(factories.make_profile(session))
    with pytest.raises(NotFoundError):
        batch_progress(context, stranger, made[0].batch_id)


def test_how_complete_it_is(context: Context) -> None:
    with context.database.session() as session:
        owner = factories.make_profile(session)
        upload = factories.make_upload(session, factories.make_batch(session, owner))
        for place, (status, missing) in enumerate(
            [
                ("completed", []),
                ("resolved", []),
                ("escalated", ["grade", "school_name"]),
                ("suggested", ["grade"]),
                ("queued", ["grade"]),
                ("rejected", ["grade"]),
                ("superseded", []),
            ]
        ):
            factories.make_submission(session, upload, chunk_index=place, status=status, missing_fields=missing)
        person = person_of(owner)
    counts = batch_progress(context, person, upload.batch_id).counts
    assert (counts.received, counts.complete, counts.waiting, counts.under_way, counts.out) == (6, 2, 2, 1, 1)
    assert counts.missing == {"grade": 2, "school_name": 1}


def test_what_was_typed_or_made_by_a_correction_is_no_file_that_came(context: Context) -> None:
    with context.database.session() as session:
        owner = factories.make_profile(session)
        batch = factories.make_batch(session, owner, file_count=4)
        read = factories.make_upload(session, batch, status="split")
        factories.make_submission(session, read, status="completed")
        split = UploadSplit(
            batch_id=batch.id, season_id=batch.season_id, actor_id=owner.id, upload_ids=[read.id], plan=[]
        )
        session.add(split)
        session.flush()
        factories.make_upload(session, batch, position=1, status="split", split_id=split.id)
        factories.make_upload(session, batch, position=2, status="failed", error_code="damaged_document")
        all_failed = factories.make_upload(session, batch, position=3, status="split")
        factories.make_submission(session, all_failed, status="failed", error_code="recognition_failed")
        factories.make_upload(session, batch, position=4, status="typed")
        person = person_of(owner)
    progress = batch_progress(context, person, batch.id)
    assert (progress.files_total, progress.files_done, len(progress.unread)) == (3, 3, 2)
    assert progress.share_done == 1.0 and progress.minutes_left is None


def test_the_time_left_follows_from_the_pace_so_far() -> None:
    def batch(seconds: float, done: int) -> BatchProgress:
        files = [_file("split" if number < done else "stored") for number in range(10)]
        return BatchProgress(uuid.uuid4(), False, utcnow(), 10, files, seconds=seconds)

    assert batch(60, 5).minutes_left == 1
    assert batch(60, 1).minutes_left == 9
    assert batch(2, 5).minutes_left is None, "too early to tell"
    assert batch(60, 0).minutes_left is None
    assert batch(60, 10).minutes_left is None, "nothing is left"
    assert batch(86_400, 5).minutes_left is None, "it was interrupted"


def test_a_page_of_a_long_batch_is_bounded_and_its_numbers_are_of_all(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ENTRIES_SHOWN", 4)
    monkeypatch.setattr(module, "_ENTRIES_OF_FILE", 2)
    with context.database.session() as session:
        owner = factories.make_profile(session)
        batch = factories.make_batch(session, owner, file_count=12)
        for position in range(12):
            upload = factories.make_upload(session, batch, position=position, status="split")
            for index in range(3):
                status = "failed" if position == 11 else "escalated"
                factories.make_submission(
                    session, upload, status=status, chunk_index=index, missing_fields=["grade"]
                )
        person = person_of(owner)
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        sent.append(statement)

    event.listen(context.database.engine, "before_cursor_execute", note)
    try:
        first = batch_progress(context, person, batch.id, limit=5)
        one_page = len(sent)
        batch_progress(context, person, batch.id, limit=10)
    finally:
        event.remove(context.database.engine, "before_cursor_execute", note)
    assert len(sent) == 2 * one_page, "as many statements for ten files as for five"
    assert [len(file.entries) for file in first.files] == [2] * 5 and first.files[0].found == 3
    assert first.by_status == {"escalated": 33, "failed": 3} and first.counts.missing == {"grade": 33}
    assert (first.files_total, len(first.unread)) == (12, 1) and first.previous is None
    second = batch_progress(context, person, batch.id, first.next, limit=5)
    last = batch_progress(context, person, batch.id, second.next, limit=5)
    seen = [file.id for page in (first, second, last) for file in page.files]
    assert seen == [state.id for state in first.states] and last.next is None
    back = batch_progress(context, person, batch.id, last.previous, limit=5)
    assert [file.id for file in back.files] == [file.id for file in second.files]


def _file(status: str) -> FileState:
    return FileState(uuid.uuid4(), "a.pdf", status, None, 1, None)
