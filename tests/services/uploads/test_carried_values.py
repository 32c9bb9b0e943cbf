"""What people decided on an entry is kept by the entries that a corrected split makes of it."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.models import FieldEvidence, ReviewEvent, Submission, SubmissionField, Upload
from services.context import Context
from services.entries.change import edit_record
from services.messages.entries import EventReason
from services.runs.inputs import carried_readings
from services.runs.joint_pass import decide_together
from services.runs.run import run_submission
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.split import PlannedEntry
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import make_person, uploads_of
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.reading.stacks import make_stack, planned, split_of, versions_of


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, settings=context.settings.model_copy(update={"use_orchestrator": False}))


@pytest.fixture
def reviewer(context: Context) -> uuid.UUID:
    return make_person(context, "reviewer")


def one(context: Context, submission_id: uuid.UUID) -> Submission:
    return context.database.get_one(Submission, submission_id)


def places(context: Context, submission_id: uuid.UUID, name: str) -> list[tuple[float, ...]]:
    rows = context.database.scalars(
        select(FieldEvidence)
        .join(SubmissionField, SubmissionField.id == FieldEvidence.field_id)
        .where(SubmissionField.submission_id == submission_id, SubmissionField.name == name)
    )
    return [(row.page, row.x0, row.y0, row.x1, row.y1) for row in rows]


def read(context: Context, *values: dict[str, str]) -> list[tuple[Upload, Submission]]:
    """Files of one entry each that came together, read."""
    files = [IncomingFile(f"entry {at}.pdf", acroform({**COMPLETE, **given})) for at, given in enumerate(values)]
    found = []
    for upload in uploads_of(context, submit_files(context, make_person(context), files)):
        (run_id,) = analyse_upload(context, upload.id)
        run_submission(context, run_id)
        found.append((upload, one(context, uuid.UUID(run_id.partition(":")[0]))))
    return found


def resplit(
    context: Context, reviewer: uuid.UUID, entries: list[tuple[Upload, Submission]], *plan: PlannedEntry
) -> list[Submission]:
    """Save the plan and have the new entries read."""
    now = [one(context, entry.id) for _, entry in entries]
    done = resplit_upload(context, reviewer, [upload.id for upload, _ in entries], versions_of(now), plan)
    made = split_of(context, done.split_id).made_upload_id
    assert made is not None
    runs = analyse_upload(context, made)
    for run_id in runs:
        run_submission(context, run_id)
    if len(runs) > 1:
        decide_together(context, made)
        for run_id in runs:
            run_submission(context, run_id)
    return [one(context, found) for found in done.submission_ids]


def test_a_typed_value_goes_with_its_page_and_the_history_says_so(context: Context, reviewer: uuid.UUID) -> None:
    ((upload, entry),) = read(context, {})
    edit_record(context, reviewer, entry.id, entry.version, {"grade": "7"})
    ((_, x0, y0, x1, y1),) = places(context, entry.id, "grade")
    (new,) = resplit(context, reviewer, [(upload, entry)], planned((upload, 1, 180)))
    assert (new.grade, new.student_name) == ("7", entry.student_name)
    assert places(context, new.id, "grade") == [pytest.approx((1, 1 - x1, 1 - y1, 1 - x0, 1 - y0), abs=1e-4)]
    with context.database.session() as session:
        decided = session.scalars(
            select(SubmissionField.name).where(
                SubmissionField.submission_id == new.id, SubmissionField.decided_by == reviewer
            )
        ).all()
        told = session.scalars(select(ReviewEvent.message).where(ReviewEvent.submission_id == new.id)).all()
    assert decided == ["grade"]
    assert [said.params["fields"] for said in told if said and said.code == EventReason.CARRIED_OVER] == [
        ["grade"]
    ]


def test_of_values_that_differ_none_is_carried_to_the_joined_entry(context: Context, reviewer: uuid.UUID) -> None:
    both = read(context, {}, {"Student's Name": "Ines Calloway"})
    for (_, entry), grade in zip(both, ("7", "8"), strict=True):
        version = one(context, entry.id).version
        edit_record(context, reviewer, entry.id, version, {"grade": grade, "phone": "555-0188"})
    (new,) = resplit(context, reviewer, both, planned((both[0][0], 1), (both[1][0], 1)))
    assert new.grade == COMPLETE["Grade"]
    with context.database.session() as session:
        assert {name: one.value for name, one in carried_readings(session, new.id).items()} == {
            "phone": "555-0188"
        }


def test_a_value_without_a_place_needs_the_only_entry_that_follows(context: Context, reviewer: uuid.UUID) -> None:
    with context.database.session() as session:
        upload, (entry,) = make_stack(context, session, [(1, 2)])
        session.add(
            SubmissionField(
                submission_id=entry.id,
                season_id=entry.season_id,
                name="grade",
                value="6",
                confidence=1.0,
                source="person",
                decided_by=reviewer,
                decided_at=utcnow() - timedelta(hours=1),
            )
        )
    plans = ([planned((upload, 1)), planned((upload, 2))], [planned((upload, 2), (upload, 1))])
    carried = []
    for plan in plans:
        done = resplit_upload(context, reviewer, [upload.id], versions_of([one(context, entry.id)]), plan)
        made = split_of(context, done.split_id).made_upload_id
        assert made is not None
        analyse_upload(context, made)
        with context.database.session() as session:
            carried.append([sorted(carried_readings(session, found)) for found in done.submission_ids])
        undo_resplit(context, reviewer, done.split_id)
    assert carried == [[[], []], [["grade"]]]
