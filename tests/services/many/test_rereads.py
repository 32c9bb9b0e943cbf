"""Entries read anew to compare: nothing changes before it is taken, and what people decided stays."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select, update

from core.errors import ConflictError, InvalidInputError, StorageError
from core.models import (
    AsideKind,
    ErasureReason,
    Escalation,
    FieldEvidence,
    RereadItem,
    ReviewEvent,
    Submission,
    SubmissionField,
    UploadBatch,
)
from services.accounts.person import Person, person_of
from services.context import Context
from services.entries.change import edit_record
from services.entries.decision import lock_entry
from services.entries.listing import SubmissionFilter
from services.erasure.erase import erase_submissions
from services.erasure.held_export import find_held
from services.erasure.scope import HeldKind
from services.many import reread as reading
from services.many.reread import (
    fail_item,
    leave_items,
    start_reread,
    stop_reread,
    take_back_items,
    take_items,
    work_item,
)
from services.many.reread_items import REREAD, RereadItemView
from services.review.asides import aside_of, set_aside
from services.review.undo import reopen_record
from services.runs.run import run_submission
from tests.support import factories
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.review import desk
from tests.support.site import person

NAME = COMPLETE["Student's Name"]
MISREAD = "Marlsol Qulntero"


@pytest.fixture
def reviewer(context: Context) -> Person:
    return person_of(person(context, "reviewer", display_name="Ben Okoro"))


@pytest.fixture
def entry(context: Context, reviewer: Person) -> uuid.UUID:
    """An entry that a form of an earlier version misread, and whose grade a person has corrected."""
    with context.database.session() as session:
        made = desk.make_entry(context, session, status="queued")
        session.get_one(UploadBatch, made.upload.batch_id).file_count = 1
        made.upload.status = "split"
        context.store.put(made.upload.storage_key, acroform(COMPLETE))
        run = factories.make_run(session, made.submission, status="queued")
    assert run_submission(context, run.run_id)
    key: uuid.UUID = made.submission.id
    edit_record(context, reviewer.id, key, submission(context, key).version, {"grade": "7"})
    with context.database.session() as session:
        session.execute(
            update(SubmissionField)
            .where(SubmissionField.submission_id == key, SubmissionField.name == "student_name")
            .values(value=MISREAD)
        )
        session.execute(update(Submission).where(Submission.id == key).values(student_name=MISREAD))
    return key


def submission(context: Context, key: uuid.UUID) -> Submission:
    return context.database.get_one(Submission, key)


def stands(context: Context, key: uuid.UUID) -> list[Any]:
    """Everything that taking a reading changes: values with their origin and places, status, reasons."""
    with context.database.session() as session:
        row = session.get_one(Submission, key)
        fields = session.scalars(
            select(SubmissionField).where(SubmissionField.submission_id == key).order_by(SubmissionField.name)
        ).all()
        names = {field.id: field.name for field in fields}
        pieces = session.scalars(select(FieldEvidence).where(FieldEvidence.field_id.in_(names))).all()
    kept = [
        row.status,
        row.needs_review,
        row.review_reason_codes,
        row.missing_fields,
        row.confidence,
        row.language,
    ]
    values = [(one.name, one.value, one.source, one.confidence, one.method) for one in fields]
    places = sorted((names[one.field_id], one.ordinal, one.page, one.x0, one.y0) for one in pieces)
    return [*kept, row.language, row.student_name, row.grade, values, places]


def anew(context: Context, reviewer: Person, **given: Any) -> uuid.UUID:
    reread = start_reread(context, reviewer, **given)
    work(context)
    return reread


def work(context: Context) -> None:
    """What workers do."""
    keys = context.database.scalars(select(RereadItem.id))
    for key in keys:
        work_item(context, key)


def only(context: Context, reread: uuid.UUID, **narrowed: str) -> RereadItemView:
    (item,) = REREAD.list_items(context, reread, **narrowed).rows
    return item


def run_taken(context: Context) -> None:
    (run_id,) = context.database.scalars(select(RereadItem.run_id).where(RereadItem.run_id.is_not(None)))
    assert run_id is not None and run_submission(context, run_id)


def test_compared_taken_and_taken_back(
    context: Context, reviewer: Person, entry: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, version = stands(context, entry), submission(context, entry).version
    reread = anew(context, reviewer, wanted=SubmissionFilter())
    item = only(context, reread)
    # The grade is a person's: it does not differ, whatever is read there.
    assert item.changes == {"student_name": [MISREAD, NAME]}
    assert (item.status, item.decided) == ("differs", ["grade"])
    assert (stands(context, entry), submission(context, entry).version) == (before, version)
    assert take_items(context, reviewer, reread, [item.id]) == 1
    # What was compared is taken: no page is read a second time.
    monkeypatch.setattr(reading, "process_submission", lambda *_: pytest.fail("read again"))
    work(context)
    assert submission(context, entry).status == "queued"
    run_taken(context)
    taken = submission(context, entry)
    assert (taken.student_name, taken.grade) == (NAME, "7")
    assert taken.status == "completed" and not taken.needs_review
    with context.database.session() as session:
        rows = session.execute(select(SubmissionField.name, SubmissionField.source)).all()
        asked = session.scalars(select(ReviewEvent.actor_id).where(ReviewEvent.kind == "read_again")).all()
    assert ("grade", "person") in rows and asked == [reviewer.id]
    assert take_back_items(context, reviewer, reread) == 1
    work(context)
    assert stands(context, entry) == before
    assert only(context, reread).status == "undone"
    # It is an entry like any other: it can be changed, and reopened.
    edited = edit_record(context, reviewer.id, entry, submission(context, entry).version, {"grade": "8"})
    reopen_record(context, reviewer.id, entry, edited.version)


def test_not_taken_where_a_person_came_first(context: Context, reviewer: Person, entry: uuid.UUID) -> None:
    reread = anew(context, reviewer, ids=[entry])
    edit_record(context, reviewer.id, entry, submission(context, entry).version, {"grade": "8"})
    take_items(context, reviewer, reread, None)
    work(context)
    item = only(context, reread)
    assert item.status == "lost" and item.reason is not None
    assert submission(context, entry).student_name == MISREAD
    with pytest.raises(ConflictError):
        take_items(context, reviewer, reread, None)


def test_not_taken_back_where_a_person_came_since(context: Context, reviewer: Person, entry: uuid.UUID) -> None:
    reread = anew(context, reviewer, ids=[entry])
    take_items(context, reviewer, reread, None)
    work(context)
    run_taken(context)
    edit_record(context, reviewer.id, entry, submission(context, entry).version, {"grade": "8"})
    take_back_items(context, reviewer, reread)
    work(context)
    assert only(context, reread).status == "kept"
    assert submission(context, entry).grade == "8"


def test_an_entry_that_waits_gets_its_item_back(context: Context, reviewer: Person, entry: uuid.UUID) -> None:
    """It is set aside as it was, too. What a person accepted as it is holds for the new reading."""
    escalation = reopen_record(context, reviewer.id, entry, submission(context, entry).version)
    with context.database.session() as session:
        waiting = lock_entry(session, entry)
        waiting.waived = ["phone"]
        set_aside(session, waiting, reviewer.id, AsideKind.PARKED)
    reread = anew(context, reviewer, ids=[entry])
    before = stands(context, entry)
    take_items(context, reviewer, reread, None)
    work(context)
    run_taken(context)
    with context.database.session() as session:
        assert aside_of(session, entry) is None
    assert submission(context, entry).waived == ["phone"]
    take_back_items(context, reviewer, reread)
    work(context)
    assert stands(context, entry) == before
    with context.database.session() as session:
        pending = session.scalars(select(Escalation.id).where(Escalation.status == "pending")).all()
        assert aside_of(session, entry) is not None
    assert pending == [escalation] and submission(context, entry).waived == ["phone"]


def test_left_stopped_failed_and_erased(
    context: Context, reviewer: Person, entry: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    reread = anew(context, reviewer, ids=[entry])
    assert leave_items(context, reviewer, reread) == 1
    assert context.database.scalars(select(RereadItem.reading)) == [None]
    stopped = start_reread(context, reviewer, [entry])
    assert REREAD.find(context, stopped).working
    stop_reread(context, stopped)
    assert REREAD.find(context, stopped).numbers == {"left": 1}
    failed = start_reread(context, reviewer, [entry])

    def broken(*_: object, **__: object) -> None:
        raise StorageError("away")

    with monkeypatch.context() as patch:
        patch.setattr(reading, "process_submission", broken)
        key = context.database.one(select(RereadItem.id).where(RereadItem.reread_id == failed))
        with pytest.raises(StorageError):
            work_item(context, key)
    fail_item(context, key, StorageError("away"))
    assert only(context, failed, status="failed").reason is not None
    assert len(REREAD.list_requests(context).rows) == 3
    assert find_held(context, [entry]).counts[HeldKind.REREADS] == 3
    erase_submissions(context, [entry], None, ErasureReason.ASKED)
    assert context.database.scalars(select(RereadItem.id)) == []


def test_refused(context: Context, reviewer: Person, entry: uuid.UUID) -> None:
    for given in ({"ids": [uuid.uuid4()]}, {"options": {"profile": "no_such_form"}}, {"options": {"shoe": "9"}}):
        with pytest.raises(InvalidInputError):
            start_reread(context, reviewer, **given)  # type: ignore[arg-type]
