"""Entries of one file wait for each other, and the joint pass lets them go on once."""

from __future__ import annotations

import uuid

from sqlalchemy import select, update

from core.errors import NotFoundError
from core.models import Run, Submission, SubmissionField
from services.context import Context
from services.reconcile import requeue
from services.recovery.kinds import RUNS, TOGETHER
from services.recovery.work import take_lease
from services.runs.joint_pass import decide_together, fail_together
from tests.support import factories
from tests.support.stored_readings import keep


def stack(context: Context, *schools: str, status: str = "read") -> tuple[uuid.UUID, list[str]]:
    """A file whose entries were read from a scan: its id, and the runs, which wait for the pass."""
    runs = []
    with context.database.session() as session:
        upload = factories.make_upload(session, entry_count=len(schools))
        for index, school in enumerate(schools):
            entry = factories.make_submission(session, upload, chunk_index=index, status="processing")
            run = factories.make_run(session, entry, status=status)
            runs.append(run.run_id)
            keep(context, entry.id, school)
    return upload.id, runs


def runs_of(context: Context, ids: list[str]) -> list[Run]:
    with context.database.session() as session:
        return [session.get_one(Run, run_id) for run_id in ids]


OFF = ("Juniper Hills",) * 4 + ("Junlper Hills",)


def test_the_pass_stores_its_changes_and_lets_the_runs_go_on_once(context: Context) -> None:
    upload_id, ids = stack(context, *OFF)
    assert decide_together(context, upload_id) == sorted(ids)
    runs = runs_of(context, ids)
    assert {run.status for run in runs} == {"queued"}
    assert [run.together for run in runs[:4]] == [[]] * 4
    (change,) = runs[4].together or ()
    assert (change["after"], change["support"]) == ("Juniper Hills", 4)
    assert decide_together(context, upload_id) == []
    assert take_lease(context, RUNS, ids[0]) is not None


def test_the_pass_waits_for_every_entry_that_is_still_read_and_for_none_that_failed(context: Context) -> None:
    upload_id, ids = stack(context, *OFF)
    _set(context, ids[0], status="queued")
    assert decide_together(context, upload_id) == [] and requeue(context, TOGETHER) == 0
    _set(context, ids[0], status="failed", outcome="failed")
    assert requeue(context, TOGETHER) == 1
    assert decide_together(context, upload_id) == sorted(ids[1:])


def test_what_a_person_typed_counts_and_is_left_alone(context: Context) -> None:
    upload_id, ids = stack(context, "Juniper Hills", "Juniper Hills", "Junlper Hills")
    with context.database.session() as session:
        for run_id in ids[:2]:
            run = session.get_one(Run, run_id)
            run.status = "settled"
            entry = session.get_one(Submission, run.submission_id)
            entry.status = "resolved"
            row = {"submission_id": entry.id, "season_id": entry.season_id, "name": "school_name"}
            session.add(SubmissionField(**row, value="Juniper Hills", source="person", confidence=1.0))
    assert decide_together(context, upload_id) == [ids[2]]
    first, second, third = runs_of(context, ids)
    assert (first.together, second.together) == (None, None)
    assert [change["after"] for change in third.together or ()] == ["Juniper Hills"]
    values = context.database.scalars(select(SubmissionField.value))
    assert values == ["Juniper Hills", "Juniper Hills"]


def test_another_worker_that_has_the_file_is_not_disturbed(context: Context) -> None:
    upload_id, ids = stack(context, *OFF)
    assert take_lease(context, TOGETHER, upload_id) is not None
    assert decide_together(context, upload_id) == []
    assert {run.status for run in runs_of(context, ids)} == {"read"}


def test_a_pass_that_cannot_be_done_fails_the_entries_and_loses_none(context: Context) -> None:
    upload_id, ids = stack(context, *OFF)
    fail_together(context, upload_id, NotFoundError("no reading"))
    assert {run.status for run in runs_of(context, ids)} == {"failed"}
    entries = context.database.scalars(select(Submission).where(Submission.upload_id == upload_id))
    assert {(entry.status, entry.error_code) for entry in entries} == {("failed", "not_found")}


def _set(context: Context, run_id: str, **values: object) -> None:
    context.database.execute(update(Run).where(Run.run_id == run_id).values(**values))
