"""The joint pass and entries that were shown before it: changed like the others, unless a person came first."""

from __future__ import annotations

import uuid
from datetime import timedelta

from sqlalchemy import func, select, update

from core.errors import NotFoundError
from core.models import ReviewEvent, ReviewSuggestion, Run, Submission, Upload
from pipeline.orchestrator.artifacts import load_reading
from services.context import Context
from services.reconcile import requeue
from services.recovery.kinds import TOGETHER
from services.runs.joint_pass import decide_together, fail_together
from tests.support import factories
from tests.support.office import make_person
from tests.support.stored_readings import keep

RIGHT, OFF = "Juniper Hills", "Junlper Hills"


def stack(context: Context, upload_status: str = "split") -> tuple[uuid.UUID, list[str]]:
    """A file of five entries, of which the first, with a school that is a letter off, was shown early."""
    runs = []
    with context.database.session() as session:
        upload = factories.make_upload(session, entry_count=5, status=upload_status)
        for index, school in enumerate((OFF, *(RIGHT,) * 4)):
            entry = factories.make_submission(
                session, upload, chunk_index=index, status="processing" if index else "suggested"
            )
            values = {"status": "read"} if index else {"status": "settled", "shown_early": True}
            run = factories.make_run(session, entry, **values)
            if not index:
                factories.make_suggestion(session, run)
            runs.append(run.run_id)
            keep(context, entry.id, school)
    return upload.id, runs


def run_of(context: Context, run_id: str) -> Run:
    return context.database.get_one(Run, run_id)


def submission_of(context: Context, run_id: str) -> Submission:
    with context.database.session() as session:
        return session.get_one(Submission, session.get_one(Run, run_id).submission_id)


def suggestion_of(context: Context, run_id: str) -> ReviewSuggestion:
    return context.database.one(select(ReviewSuggestion).where(ReviewSuggestion.run_id == run_id))


def second(run_id: str) -> str:
    return f"{run_id.rpartition(':')[0]}:2"


def test_what_was_shown_is_shown_again_as_the_others_have_it(context: Context) -> None:
    upload_id, ids = stack(context)
    assert set(decide_together(context, upload_id)) == {second(ids[0]), *ids[1:]}
    (change,) = run_of(context, second(ids[0])).together or ()
    assert (change["after"], change["support"]) == (RIGHT, 4)
    assert (run_of(context, ids[0]).status, suggestion_of(context, ids[0]).status) == ("superseded", "superseded")
    assert submission_of(context, ids[0]).status == "queued"
    record, report = load_reading(context.store, f"artifacts/{submission_of(context, ids[0]).id}/2")
    assert (record.school_name, report["raw_text"]) == (OFF, OFF)
    assert record.artifact_dir.endswith("/2")
    assert decide_together(context, upload_id) == []


def test_what_the_pass_does_not_change_stays_as_it_was_shown(context: Context) -> None:
    upload_id, ids = stack(context)
    keep(context, submission_of(context, ids[0]).id, RIGHT)
    assert set(decide_together(context, upload_id)) == set(ids[1:])
    assert not run_of(context, ids[0]).shown_early
    assert suggestion_of(context, ids[0]).status == "pending"


def test_what_a_person_has_open_is_left_alone(context: Context) -> None:
    upload_id, ids = stack(context)
    person = make_person(context, "reviewer")
    with context.database.session() as session:
        until = func.now() + timedelta(minutes=5)
        session.execute(update(ReviewSuggestion).values(claimed_by=person, claimed_until=until))
    assert set(decide_together(context, upload_id)) == set(ids[1:])
    assert suggestion_of(context, ids[0]).status == "pending"
    assert run_of(context, ids[0]).status == "settled"


def test_what_a_person_has_changed_is_left_alone(context: Context) -> None:
    upload_id, ids = stack(context)
    entry, person = submission_of(context, ids[0]), make_person(context, "reviewer")
    with context.database.session() as session:
        session.add(ReviewEvent(season_id=entry.season_id, submission_id=entry.id, actor_id=person, kind="edited"))
    assert set(decide_together(context, upload_id)) == set(ids[1:])
    assert suggestion_of(context, ids[0]).status == "pending"


def test_the_pass_waits_for_the_pages_of_the_file(context: Context) -> None:
    upload_id, ids = stack(context, upload_status="analysing")
    assert decide_together(context, upload_id) == [] and requeue(context, TOGETHER) == 0
    context.database.execute(
        update(Upload).where(Upload.id == upload_id).values(status="failed", error_code="not_found")
    )
    assert requeue(context, TOGETHER) == 1
    assert len(decide_together(context, upload_id)) == len(ids)


def test_a_pass_that_cannot_be_done_leaves_what_was_shown(context: Context) -> None:
    upload_id, ids = stack(context)
    fail_together(context, upload_id, NotFoundError("no reading"))
    assert (run_of(context, ids[0]).status, suggestion_of(context, ids[0]).status) == ("settled", "pending")
    assert requeue(context, TOGETHER) == 0
