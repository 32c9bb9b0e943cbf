from __future__ import annotations

import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from redis import Redis
from sqlalchemy import select

import services.uploads.resplit as module
from core.clock import utcnow
from core.confined.mupdf import pymupdf
from core.errors import ConflictError, HeldError, InvalidInputError, LeaseLostError, NotFoundError
from core.models import (
    Escalation,
    Page,
    PageRange,
    ReviewEvent,
    ReviewSuggestion,
    Run,
    Submission,
    Upload,
    UploadSplit,
)
from services.context import Context
from services.reconcile import reconcile
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.uploads.resplit import resplit_upload
from services.uploads.split import PlannedEntry
from services.uploads.submissions import analyse_upload, read_page_range
from tests.support import factories
from tests.support.office import make_person
from tests.support.reading.stacks import make_stack, marks_of, planned, split_of, versions_of

Stack = tuple[Upload, list[Submission]]


@pytest.fixture
def reviewer(context: Context) -> uuid.UUID:
    return make_person(context, "reviewer")


@pytest.fixture
def stack(context: Context) -> Stack:
    """Five pages; two entries of two pages, one of one."""
    with context.database.session() as session:
        return make_stack(context, session, [(1, 2), (3, 4), (5, 5)])


def carried_out(context: Context, reviewer: uuid.UUID, stack: Stack, *plan: PlannedEntry) -> list[Submission]:
    """Save the plan and do its work; the entries made."""
    upload, entries = stack
    resplit = resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    assert len(analyse_upload(context, made)) == len(resplit.submission_ids)
    return [one(context, found) for found in resplit.submission_ids]


def one(context: Context, submission_id: uuid.UUID) -> Submission:
    return context.database.get_one(Submission, submission_id)


def statuses(context: Context, entries: Sequence[Submission]) -> list[str]:
    return [one(context, entry.id).status for entry in entries]


def test_a_page_with_two_sheets_stays_the_page_that_was_planned(
    context: Context, reviewer: uuid.UUID, stack: Stack
) -> None:
    upload, _ = stack
    key = upload.pdf_key
    assert key is not None
    with pymupdf.open("pdf", context.store.get(key)) as document, pymupdf.open() as sheets:
        spread = sheets.new_page(width=1224, height=792)
        for left in (0, 612):
            for place, label in enumerate(("Essay Contest", "Student:", "School:", "Grade:", "My father")):
                spread.insert_text((left + 72, 80 + 30 * place), label)
        sheets.insert_pdf(document, from_page=1)
        context.store.put(key, bytes(sheets.tobytes()), "application/pdf")
    made = carried_out(
        context, reviewer, stack, planned((upload, 1)), planned((upload, 2), (upload, 3), (upload, 4), (upload, 5))
    )
    assert [(entry.page_start, entry.page_end) for entry in made] == [(1, 1), (2, 5)]
    assert context.database.get_one(Upload, made[0].upload_id).page_count == 5


def test_a_boundary_is_moved_and_the_neighbour_left_alone(
    context: Context, reviewer: uuid.UUID, stack: Stack
) -> None:
    upload, entries = stack
    made = carried_out(
        context,
        reviewer,
        stack,
        planned((upload, 1)),
        planned((upload, 2), (upload, 3), (upload, 4)),
        planned((upload, 5)),
    )
    assert [(entry.page_start, entry.page_end, entry.status) for entry in made] == [
        (1, 1, "queued"),
        (2, 4, "queued"),
    ]
    assert statuses(context, entries) == ["superseded", "superseded", "completed"]
    assert marks_of(context, made[0].upload_id) == ["A1", "A2", "A3", "A4"]
    assert one(context, entries[2].id).version == entries[2].version
    assert made[1].chunk_metadata["roles"] and made[1].owner_user_id == upload.uploaded_by


def test_two_pages_change_places(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    (made,) = carried_out(
        context,
        reviewer,
        stack,
        planned((upload, 2), (upload, 1)),
        planned((upload, 3), (upload, 4)),
        planned((upload, 5)),
    )
    assert marks_of(context, made.upload_id) == ["A2", "A1"]
    assert statuses(context, entries) == ["superseded", "completed", "completed"]


def test_entries_are_merged_a_page_dropped(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, _ = stack
    (made,) = carried_out(
        context, reviewer, stack, planned((upload, 1), (upload, 2), (upload, 4)), planned((upload, 5))
    )
    assert marks_of(context, made.upload_id) == ["A1", "A2", "A4"]
    assert made.doc_class == "MULTI_PAGE_SINGLE"


def test_a_page_is_turned(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    (made,) = carried_out(
        context,
        reviewer,
        stack,
        *[planned((upload, 1), (upload, 2)), planned((upload, 3), (upload, 4)), planned((upload, 5, 90))],
    )
    with context.database.session() as session:
        page = session.scalars(select(Page).where(Page.upload_id == made.upload_id)).one()
        before = context.store.get(session.get_one(Upload, upload.id).storage_key)
    assert (page.width, page.height) == (792, 612)
    with pymupdf.open("pdf", before) as original:
        assert original[4].rotation == 0
    assert statuses(context, entries) == ["completed", "completed", "superseded"]


def test_files_of_a_batch_become_one_entry(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, file_count=2)
        first, (one_entry,) = make_stack(context, session, [(1, 1)], batch)
        second, (other,) = make_stack(context, session, [(1, 2)], batch, mark="B", position=1)
    resplit = resplit_upload(
        context,
        reviewer,
        [first.id, second.id],
        versions_of([one_entry, other]),
        [planned((second, 2), (first, 1), (second, 1))],
    )
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    analyse_upload(context, made)
    assert marks_of(context, made) == ["B2", "A1", "B1"]
    upload = context.database.get_one(Upload, made)
    assert (upload.original_filename, upload.batch_id) == ("stack A + stack B (corrected).pdf", batch.id)
    assert (upload.status, upload.page_count, upload.entry_count) == ("split", 3, 1)


def test_what_waits_is_superseded_and_told(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2), (3, 3)], status="suggested")
        proposed = factories.make_suggestion(session, factories.make_run(session, entries[0]))
        escalated = factories.make_escalation(
            session, factories.make_run(session, entries[1], status="interrupted")
        )
        reading = factories.make_run(session, entries[2], status="queued")
        for item in (proposed, escalated):
            item.claimed_by, item.claimed_until = reviewer, utcnow() + timedelta(hours=1)
    resplit_upload(
        context, reviewer, [upload.id], versions_of(entries), [planned((upload, 1), (upload, 2), (upload, 3))]
    )
    with context.database.session() as session:
        suggestion = session.get_one(ReviewSuggestion, proposed.id)
        escalation = session.get_one(Escalation, escalated.id)
        runs = [
            session.get_one(Run, run_id).status for run_id in (proposed.run_id, escalated.run_id, reading.run_id)
        ]
        told = session.scalars(select(ReviewEvent).order_by(ReviewEvent.id)).all()
    assert (suggestion.status, suggestion.version, suggestion.resolved_by_user_id) == ("superseded", 2, reviewer)
    assert (escalation.status, escalation.version, escalation.decided_by) == ("superseded", 2, reviewer)
    assert suggestion.claimed_by is suggestion.claimed_until is None
    assert escalation.claimed_by is escalation.claimed_until is None
    assert runs == ["settled", "superseded", "superseded"]
    assert {(event.kind, event.actor_id, event.before_value) for event in told} == {
        ("superseded", reviewer, "suggested")
    }


def test_every_page_of_an_entry_is_left_out(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    plan = [planned((upload, 1), (upload, 2)), planned((upload, 3), (upload, 4))]
    resplit = resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    assert (resplit.submission_ids, resplit.superseded) == ([], [entries[2].id])
    split = split_of(context, resplit.split_id)
    assert (split.status, split.made_upload_id) == ("done", None)


def test_the_loser_is_told_who_did_what(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    plan = [planned((upload, 1)), planned((upload, 2)), planned((upload, 3), (upload, 4)), planned((upload, 5))]
    with context.database.session() as session:
        colleague = factories.make_profile(session, "reviewer", display_name="Robin Marsh")
        session.get_one(Submission, entries[0].id).version += 1
        factories.make_event(session, entries[0], kind="edited", actor_id=colleague.id)
    with pytest.raises(ConflictError, match="Marisol Quintero: Value changed by Robin Marsh"):
        resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    assert statuses(context, entries) == ["completed"] * 3


def test_of_two_on_one_split_the_second_loses(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    merged = [planned((upload, 1), (upload, 2), (upload, 3), (upload, 4)), planned((upload, 5))]
    resplit_upload(context, reviewer, [upload.id], versions_of(entries), merged)
    with pytest.raises(ConflictError, match="Marisol Quintero: Replaced by Reviewer"):
        resplit_upload(context, make_person(context, "reviewer"), [upload.id], versions_of(entries), merged)


def test_at_the_same_moment_one_wins(context: Context, stack: Stack) -> None:
    upload, entries = stack
    plans = [
        [planned((upload, 1), (upload, 2), (upload, 3), (upload, 4)), planned((upload, 5))],
        [planned((upload, number)) for number in range(1, 6)],
    ]
    people = [make_person(context, "reviewer") for _ in plans]

    def save(person: uuid.UUID, plan: list[PlannedEntry]) -> bool:
        try:
            resplit_upload(context, person, [upload.id], versions_of(entries), plan)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(save, people, plans)) == [False, True]
    assert len(context.database.scalars(select(UploadSplit))) == 1


def test_a_worker_that_reads_what_is_superseded_writes_nothing(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)], status="queued")
        run = factories.make_run(session, entries[0], status="queued")
    lease = take_lease(context, RUNS, run.run_id)
    assert lease is not None
    plan = [planned((upload, 1), (upload, 2))]
    resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    with context.database.session() as session, pytest.raises(LeaseLostError):
        lease.hold(session)
    assert take_lease(context, RUNS, run.run_id) is None


def test_nobody_takes_what_another_has_open(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 1), (2, 2)], status="suggested")
        holder = factories.make_profile(session, "reviewer", display_name="Robin Marsh")
        suggestion = factories.make_suggestion(session, factories.make_run(session, entries[1]))
        suggestion.claimed_by = holder.id
        suggestion.claimed_until = utcnow() + timedelta(hours=1)
    plan = [planned((upload, 1), (upload, 2))]
    with pytest.raises(HeldError, match="Robin Marsh"):
        resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    assert statuses(context, entries) == ["suggested"] * 2


def test_a_crash_after_the_decision_loses_nothing(
    context: Context, reviewer: uuid.UUID, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload, entries = stack

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "queue_rows", die)
    plan = [planned((upload, number)) for number in range(1, 6)]
    with pytest.raises(KeyboardInterrupt):
        resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    assert jobs(context.redis) == []
    made = context.database.one(select(Upload).where(Upload.split_id.is_not(None)))
    reconcile(context)
    assert jobs(context.redis) == [f"upload-{made.id}"]
    assert len(analyse_upload(context, made.id)) == 4


def jobs(redis: Redis) -> list[str]:
    return [key.decode() for key in redis.lrange("rq:queue:second-reader", 0, -1)]


def test_a_crash_within_the_work_doubles_nothing(
    context: Context, reviewer: uuid.UUID, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload, entries = stack
    resplit = resplit_upload(
        context, reviewer, [upload.id], versions_of(entries), [planned((upload, n)) for n in range(1, 6)]
    )
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        stop = "services.uploads.submissions.settle_split"
        patch.setattr(stop, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        analyse_upload(context, made)
    assert split_of(context, resplit.split_id).status == "pending"
    assert len(analyse_upload(context, made)) == 4
    assert analyse_upload(context, made) == []
    assert split_of(context, resplit.split_id).status == "done"
    found = context.database.scalars(select(Submission.id).where(Submission.upload_id == made))
    assert set(found) == set(resplit.submission_ids)


@pytest.mark.parametrize(
    ("pages", "says"),
    [([(1, 0), (1, 0)], "twice"), ([(6, 0)], "no page 6"), ([(1, 45)], "can be turned by"), ([], "without pages")],
)
def test_a_plan_that_cannot_be(
    context: Context, reviewer: uuid.UUID, stack: Stack, pages: list[tuple[int, int]], says: str
) -> None:
    upload, entries = stack
    plan = [planned(*((upload, number, turned) for number, turned in pages))]
    with pytest.raises(InvalidInputError, match=says):
        resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)


def test_a_plan_that_changes_nothing(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    plan = [planned((upload, 1), (upload, 2)), planned((upload, 3), (upload, 4)), planned((upload, 5))]
    with pytest.raises(InvalidInputError, match="nothing was changed"):
        resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)


def test_a_page_is_in_one_entry_only(context: Context, reviewer: uuid.UUID, stack: Stack) -> None:
    upload, entries = stack
    carried_out(
        context,
        reviewer,
        stack,
        planned((upload, 2), (upload, 1)),
        planned((upload, 3), (upload, 4)),
        planned((upload, 5)),
    )
    with pytest.raises(InvalidInputError, match="since become part of a new entry"):
        resplit_upload(
            context,
            reviewer,
            [upload.id],
            versions_of(entries[1:]),
            [planned((upload, 1), (upload, 3)), planned((upload, 4)), planned((upload, 5))],
        )


def test_a_file_that_is_none(context: Context, reviewer: uuid.UUID) -> None:
    with pytest.raises(NotFoundError):
        resplit_upload(context, reviewer, [uuid.uuid4()], {}, [])


def test_a_plan_of_many_pages_is_carried_out_by_several_jobs(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 5), (6, 10)])
    plan = [planned(*((upload, page) for page in pages)) for pages in ((1, 2, 3), range(4, 11))]
    resplit = resplit_upload(context, reviewer, [upload.id], versions_of(entries), plan)
    made = split_of(context, resplit.split_id).made_upload_id
    assert made is not None and analyse_upload(context, made) == []
    ranges = context.database.scalars(select(PageRange.id).where(PageRange.upload_id == made))
    runs = [run for found in ranges for run in read_page_range(context, found)]
    assert len(ranges) == 3 and len(runs) == 2
    spans = [one(context, found) for found in resplit.submission_ids]
    assert [(entry.page_start, entry.page_end) for entry in spans] == [(1, 3), (4, 10)]
    assert split_of(context, resplit.split_id).status == "done"
