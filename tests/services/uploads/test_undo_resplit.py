from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import inspect, select, update

from core.errors import ConflictError, NotFoundError
from core.models import Base, Escalation, ReviewEvent, ReviewSuggestion, Run, Submission, SubmissionField, Upload
from core.queue import CROWD_QUEUE_NAME, QUEUE_NAME
from services.audit import event
from services.context import Context
from services.uploads.contents import retry_upload
from services.uploads.resplit import Resplit, resplit_upload, undo_resplit
from services.uploads.submissions import analyse_upload
from tests.support import factories
from tests.support.office import make_person
from tests.support.reading.stacks import make_stack, planned, split_of, versions_of

#: What goes on by itself and is no part of how an entry stands.
MOVING = {"version", "updated_at", "enqueued_at", "pruned_at", "settled_at"}


@pytest.fixture
def reviewer(context: Context) -> uuid.UUID:
    return make_person(context, "reviewer")


def stand(context: Context) -> dict[str, list[dict[str, Any]]]:
    """All that stands of the entries, without what moves."""
    found: dict[str, list[dict[str, Any]]] = {}
    with context.database.session() as session:
        for model in (Submission, SubmissionField, ReviewSuggestion, Escalation, Run):
            rows = session.scalars(select(model).order_by(*inspect(model).primary_key)).all()
            found[model.__name__] = [values(row) for row in rows]
    return found


def values(row: Base) -> dict[str, Any]:
    return {c.key: getattr(row, c.key) for c in inspect(row).mapper.column_attrs if c.key not in MOVING}


def corrected(context: Context, reviewer: uuid.UUID, upload: Upload, entries: list[Submission]) -> Resplit:
    """All pages of the file made one entry."""
    pages = [(upload, number) for number in range(1, (upload.page_count or 0) + 1)]
    return resplit_upload(context, reviewer, [upload.id], versions_of(entries), [planned(*pages)])


def worked(context: Context, resplit: Resplit) -> None:
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    analyse_upload(context, made)


def test_everything_stands_as_it_stood(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)], status="suggested")
        entries[1].status = "escalated"
        factories.make_field(session, entries[0])
        factories.make_suggestion_field(
            session, factories.make_suggestion(session, factories.make_run(session, entries[0]))
        )
        factories.make_escalation(session, factories.make_run(session, entries[1], status="interrupted"))
        batch = session.get_one(type(upload), upload.id).batch_id
        failed = factories.make_submission(
            session, upload, chunk_index=2, page_start=2, page_end=2, status="failed"
        )
        entries.append(failed)
    before = stand(context)
    resplit = corrected(context, reviewer, upload, entries)
    assert stand(context) != before
    undone = undo_resplit(context, reviewer, resplit.split_id)
    assert stand(context) == before
    assert set(undone) == {entry.id for entry in entries}
    split = split_of(context, resplit.split_id)
    assert (split.status, split.undone_by, split.batch_id) == ("undone", reviewer, batch)


def test_entries_that_were_made_are_superseded(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    worked(context, resplit)
    undo_resplit(context, reviewer, resplit.split_id)
    with context.database.session() as session:
        made = session.get_one(Submission, resplit.submission_ids[0])
        run = session.scalars(select(Run).where(Run.submission_id == made.id)).one()
        derived = session.get_one(Upload, made.upload_id)
        kinds = session.scalars(select(ReviewEvent.kind).order_by(ReviewEvent.id)).all()
    assert (made.status, run.status, derived.status) == ("superseded",) * 3
    assert kinds == ["superseded", "superseded", "read_again", "superseded", "undone", "undone"]


def test_the_work_that_was_under_way_makes_nothing(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    undo_resplit(context, reviewer, resplit.split_id)
    worked(context, resplit)
    assert context.database.scalars(select(Submission.status)) == ["completed", "completed"]


def test_a_run_that_was_under_way_begins_anew(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)], status="processing")
        runs = [factories.make_run(session, entry, status="running") for entry in entries]
    resplit = corrected(context, reviewer, upload, entries)
    context.redis.flushdb()
    undo_resplit(context, reviewer, resplit.split_id)
    with context.database.session() as session:
        assert session.scalars(select(Run.status)).all() == ["queued", "queued"]
        assert session.scalars(select(Submission.status)).all() == ["queued", "queued"]
    # One batch has one job at the front; the other one waits in the crowd.
    queues = (f"rq:queue:{name}" for name in (QUEUE_NAME, CROWD_QUEUE_NAME))
    jobs = {key.decode() for queue in queues for key in context.redis.lrange(queue, 0, -1)}
    assert jobs == {f"run-{run.run_id.replace(':', '-')}" for run in runs}


def test_what_a_person_worked_on_is_not_taken(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    worked(context, resplit)
    with context.database.session() as session:
        made = session.get_one(Submission, resplit.submission_ids[0])
        session.add(event(made, "edited", reviewer, field_name="grade", after="4"))
    with pytest.raises(ConflictError, match="a new entry: Value changed by Reviewer"):
        undo_resplit(context, reviewer, resplit.split_id)
    assert split_of(context, resplit.split_id).status == "done"


def test_what_the_machine_read_is_no_hindrance(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    worked(context, resplit)
    with context.database.session() as session:
        made = session.get_one(Submission, resplit.submission_ids[0])
        made.status, made.needs_review, made.version = "completed", False, 2
        session.add(event(made, "completed"))
    assert undo_resplit(context, reviewer, resplit.split_id) == resplit.superseded


def test_once_only(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    undo_resplit(context, reviewer, resplit.split_id)
    with pytest.raises(ConflictError, match="undone by Reviewer"):
        undo_resplit(context, make_person(context, "reviewer"), resplit.split_id)


def test_a_page_left_out_and_used_since(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 2), (3, 3)])
    left_out = resplit_upload(
        context, reviewer, [upload.id], versions_of(entries), [planned((upload, 1)), planned((upload, 3))]
    )
    plan = [planned((upload, 2), (upload, 3))]
    used = resplit_upload(context, reviewer, [upload.id], versions_of(entries[1:]), plan)
    with pytest.raises(ConflictError, match="page 2 has since become part of another entry"):
        undo_resplit(context, reviewer, left_out.split_id)
    undo_resplit(context, reviewer, used.split_id)
    assert undo_resplit(context, reviewer, left_out.split_id) == [entries[0].id]


def test_an_old_entry_that_changed_since(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    context.database.execute(update(Submission).where(Submission.id == entries[0].id).values(version=9))
    with pytest.raises(ConflictError):
        undo_resplit(context, reviewer, resplit.split_id)


def test_work_that_failed_is_tried_again_or_taken_back(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)])
    resplit = corrected(context, reviewer, upload, entries)
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    context.database.execute(
        update(Upload).where(Upload.id == made).values(status="failed", error_code="took_too_long")
    )
    retry_upload(context, reviewer, made)
    context.database.execute(
        update(Upload).where(Upload.id == made).values(status="failed", error_code="took_too_long")
    )
    assert undo_resplit(context, reviewer, resplit.split_id) == resplit.superseded


def test_a_correction_that_is_none(context: Context, reviewer: uuid.UUID) -> None:
    with pytest.raises(NotFoundError):
        undo_resplit(context, reviewer, uuid.uuid4())
