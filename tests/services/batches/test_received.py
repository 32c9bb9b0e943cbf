"""The day on which an entry was received is held against the season's deadline, in the office's time zone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from core.errors import ConflictError, InvalidInputError
from core.models import ReviewEvent, Season, Submission, Upload
from services.accounts.person import Person, person_of
from services.batches.default_values import SaidOfBatch
from services.batches.typed_in import receive_batch, receive_submission
from services.context import Context
from services.entries.listing import SubmissionFilter, list_submissions
from services.exports.contents import read_submissions
from services.policy import change_policy, undo_policy_change
from services.season_admin.seasons import roll_over
from services.uploads import submissions
from services.uploads.resplit import Resplit, resplit_upload, undo_resplit
from services.uploads.split import PlannedEntry
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, uploads_of
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.reading.stacks import make_stack, planned, split_of, versions_of
from tests.support.site import person

#: It is still the 31st where the office is.
NEAR_MIDNIGHT = datetime(2026, 4, 1, 3, 30, tzinfo=UTC)


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, settings=context.settings.model_copy(update={"office_timezone": "America/New_York"}))


@pytest.fixture
def ana(context: Context) -> Person:
    return person_of(person(context, "reviewer"))


def two(context: Context, ana: Person, **said: date) -> uuid.UUID:
    """A batch of two entries that was uploaded near midnight."""
    files = [IncomingFile(f"{grade}.pdf", acroform({**COMPLETE, "Grade": grade})) for grade in ("4", "5")]
    batch_id = submit_files(context, ana.id, files, said=SaidOfBatch(received_on=said.get("received_on")))
    context.database.execute(update(Upload).values(created_at=NEAR_MIDNIGHT))
    for upload in uploads_of(context, batch_id):
        analyse_upload(context, upload.id)
    return batch_id


def days(context: Context, batch_id: uuid.UUID) -> list[str]:
    return [entry.received_on.isoformat()[5:] for entry in entries_of(context, batch_id)]


def late(context: Context, ana: Person) -> set[uuid.UUID]:
    found = {row.id for row in list_submissions(context, ana, SubmissionFilter(late=True)).rows}
    rows = list_submissions(context, ana, SubmissionFilter()).rows
    assert found == {row.id for row in rows if row.late}
    assert found == {one.id for one in read_submissions(context, [row.id for row in rows]) if one.values["late"]}
    assert not found & {row.id for row in list_submissions(context, ana, SubmissionFilter(late=False)).rows}
    return found


def test_late_is_after_the_last_day_and_a_postmark_counts(context: Context, ana: Person) -> None:
    batch_id = two(context, ana)
    first, second = entries_of(context, batch_id)
    assert days(context, batch_id) == ["03-31", "03-31"] and late(context, ana) == set()
    season = context.database.one(select(Season))
    change = change_policy(context, None, season.id, {"deadline": "2026-03-31"})
    assert late(context, ana) == set()
    change_policy(context, None, season.id, {"deadline": "2026-03-30"})
    assert late(context, ana) == {first.id, second.id}

    receive_submission(context, ana, first.id, "2026-03-29")
    assert late(context, ana) == {second.id}
    # What was said of one entry stays when the batch gets a day, and when it loses it.
    receive_batch(context, ana, batch_id, "2026-03-30")
    assert days(context, batch_id) == ["03-29", "03-30"] and late(context, ana) == set()
    receive_batch(context, ana, batch_id, "")
    assert days(context, batch_id) == ["03-29", "03-31"]
    receive_submission(context, ana, first.id, "")
    assert days(context, batch_id) == ["03-31", "03-31"]
    with context.database.session() as session:
        told = session.scalars(
            select(ReviewEvent).filter_by(kind="received_changed").order_by(ReviewEvent.id)
        ).all()
        assert [(one.submission_id, one.actor_id, one.after_value) for one in told[:2]] == [
            (first.id, ana.id, "2026-03-29"),
            (second.id, ana.id, "2026-03-30"),
        ]
        assert session.get_one(Season, season.id).deadline == date(2026, 3, 30)
    assert change.after == {"deadline": "2026-03-31"}


def test_a_day_said_with_the_files_and_days_that_are_none(context: Context, ana: Person) -> None:
    batch_id = two(context, ana, received_on=date(2026, 3, 20))
    assert days(context, batch_id) == ["03-20", "03-20"]
    for wrong in ("yesterday", "2026-02-30", "0001-01-01", "2999-01-01"):
        with pytest.raises(InvalidInputError):
            receive_batch(context, ana, batch_id, wrong)


def stack(context: Context) -> tuple[Upload, list[Submission]]:
    """A scan of three entries that was uploaded near midnight."""
    with context.database.session() as session:
        upload, entries = make_stack(context, session, [(1, 2), (3, 4), (5, 5)])
    with context.database.session() as session:
        session.execute(update(Upload).values(created_at=NEAR_MIDNIGHT))
        session.execute(update(Submission).values(received_on=date(2026, 3, 31)))
    return upload, entries


def corrected(
    context: Context, ana: Person, upload: Upload, entries: Sequence[Submission], *plan: PlannedEntry
) -> tuple[Resplit, Upload]:
    """Save another split of the file and have it made; the correction and its file."""
    now = [one for one in entries_of(context, upload.batch_id) if one.id in {entry.id for entry in entries}]
    resplit = resplit_upload(context, ana.id, [upload.id], versions_of(now), plan)
    made_id = split_of(context, resplit.split_id).made_upload_id
    assert made_id is not None
    analyse_upload(context, made_id)
    return resplit, context.database.get_one(Upload, made_id)


def standing(context: Context, upload: Upload) -> list[Submission]:
    return [one for one in entries_of(context, upload.batch_id) if one.status != "superseded"]


def test_entries_of_a_corrected_split_came_with_the_files_of_their_pages(context: Context, ana: Person) -> None:
    upload, entries = stack(context)
    _, made = corrected(context, ana, upload, entries, planned((upload, 1)), planned((upload, 2), (upload, 3)))
    # The file of a correction is corrected itself.
    corrected(context, ana, made, standing(context, upload), planned((made, 1), (made, 2)), planned((made, 3)))
    assert {one.received_on for one in standing(context, upload)} == {date(2026, 3, 31)}
    receive_batch(context, ana, upload.batch_id, "2026-03-25")
    assert {one.received_on for one in standing(context, upload)} == {date(2026, 3, 25)}
    receive_batch(context, ana, upload.batch_id, "")
    assert {one.received_on for one in standing(context, upload)} == {date(2026, 3, 31)}


def test_the_day_of_an_entry_goes_with_its_pages(context: Context, ana: Person) -> None:
    upload, entries = stack(context)
    change_policy(context, None, upload.season_id, {"deadline": "2026-03-30"})
    for entry, day in zip(entries, ("2026-03-28", "2026-03-29", ""), strict=True):
        receive_submission(context, ana, entry.id, day)
    assert late(context, ana) == {entries[2].id}
    # A page lay upside down, and a child's two sheets were not together.
    plan = planned((upload, 1, 180), (upload, 2)), planned((upload, 3), (upload, 4), (upload, 5))
    resplit, _ = corrected(context, ana, upload, entries, *plan)
    first, second = resplit.submission_ids
    assert not {first, second} & late(context, ana)
    receive_batch(context, ana, upload.batch_id, "2026-03-27")
    made = {one.id: (one.received_on.day, one.received_given) for one in standing(context, upload)}
    assert made == {first: (28, True), second: (29, True)}
    told = context.database.one(select(ReviewEvent).filter_by(submission_id=second, kind="received_changed"))
    assert (told.actor_id, told.before_value, told.after_value) == (None, "2026-03-31", "2026-03-29")
    undo_resplit(context, ana.id, resplit.split_id)
    assert [one.received_on.day for one in standing(context, upload)] == [28, 29, 27]


def test_a_day_given_while_entries_are_made_is_theirs(
    context: Context, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload, entries = stack(context)
    settled = submissions.settle_split
    with ThreadPoolExecutor(1) as pool:
        receiving: list[Future[None]] = []

        def with_a_day_meanwhile(*args: Any) -> None:
            settled(*args)
            receiving.append(pool.submit(receive_batch, context, ana, upload.batch_id, "2026-03-10"))
            wait(receiving, 1)

        monkeypatch.setattr(submissions, "settle_split", with_a_day_meanwhile)
        corrected(context, ana, upload, entries, planned((upload, 1)), planned((upload, 2), (upload, 3)))
        receiving[0].result(30)
    assert {one.received_on for one in standing(context, upload)} == {date(2026, 3, 10)}


def test_a_day_of_the_batch_leaves_a_correction_to_undo(context: Context, ana: Person) -> None:
    upload, entries = stack(context)
    resplit, _ = corrected(context, ana, upload, entries, planned((upload, 1)), planned((upload, 2), (upload, 3)))
    receive_batch(context, ana, upload.batch_id, "2026-03-10")
    undo_resplit(context, ana.id, resplit.split_id)
    assert {one.received_on for one in standing(context, upload)} == {date(2026, 3, 10)}


def test_a_day_of_an_entry_is_not_lost_by_undoing_the_correction(context: Context, ana: Person) -> None:
    upload, entries = stack(context)
    resplit, _ = corrected(context, ana, upload, entries, planned((upload, 1)), planned((upload, 2), (upload, 3)))
    receive_submission(context, ana, resplit.submission_ids[0], "2026-03-09")
    with pytest.raises(ConflictError):
        undo_resplit(context, ana.id, resplit.split_id)


def test_a_deadline_is_taken_back_and_is_of_one_season(context: Context, ana: Person) -> None:
    two(context, ana)
    season_id = context.database.one(select(Submission.season_id).limit(1))
    change_policy(context, None, season_id, {"min_essay_words": 60})
    change = change_policy(context, None, season_id, {"deadline": "2026-01-01"})
    with pytest.raises(InvalidInputError):
        change_policy(context, None, season_id, {"deadline": "soon"})
    assert len(late(context, ana)) == 2
    undo_policy_change(context, None, change.id)
    assert late(context, ana) == set()
    change_policy(context, None, season_id, {"deadline": "2026-01-01"})
    following = roll_over(context, None, season_id, "Next")
    with context.database.session() as session:
        new = session.get_one(Season, following)
        assert (new.deadline, new.policy) == (None, {"min_essay_words": 60})
