"""While pages of its file are unread, an entry is shown early if it goes to a person, and waits if it does not."""

from __future__ import annotations

from sqlalchemy import update

from core.models import Run, Submission, Upload
from services.context import Context
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.runs.run import run_policy, run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.factories import make_run
from tests.support.office import make_person, uploads_of
from tests.support.reading.entries import COMPLETE, acroform


def run_while_pages_are_unread(context: Context, data: bytes) -> tuple[Run, Submission]:
    """Run the first entry of a file as if more of its pages were still to be read."""
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", data)])
    (upload,) = uploads_of(context, batch)
    (run_id,) = analyse_upload(context, upload.id)
    context.database.execute(update(Upload).where(Upload.id == upload.id).values(status="analysing"))
    assert run_submission(context, run_id)
    return states(context, run_id)


def states(context: Context, run_id: str) -> tuple[Run, Submission]:
    with context.database.session() as session:
        run = session.get_one(Run, run_id)
        return run, session.get_one(Submission, run.submission_id)


def test_what_the_machine_would_complete_waits_for_the_others(context: Context) -> None:
    run, submission = run_while_pages_are_unread(context, acroform(COMPLETE))
    assert (run.status, run.shown_early, run.together) == ("read", False, None)
    assert submission.status == "processing"


def test_what_goes_to_a_person_is_shown_at_once(context: Context) -> None:
    run, submission = run_while_pages_are_unread(context, acroform({**COMPLETE, "Grade": ""}))
    assert (run.shown_early, run.together) == (True, None)
    assert submission.status in ("suggested", "escalated") and submission.needs_review


def test_nothing_is_shown_early_once_the_file_is_split(context: Context) -> None:
    data = acroform({**COMPLETE, "Grade": ""})
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", data)])
    (upload,) = uploads_of(context, batch)
    (run_id,) = analyse_upload(context, upload.id)
    context.database.execute(update(Upload).where(Upload.id == upload.id).values(entry_count=2))
    assert run_submission(context, run_id)
    run, submission = states(context, run_id)
    assert (run.status, run.shown_early, submission.status) == ("read", False, "processing")


def test_what_is_shown_early_completes_nothing(context: Context) -> None:
    with context.database.session() as session:
        early, other = (make_run(session, status="queued", shown_early=shown) for shown in (True, False))
    leases = [take_lease(context, RUNS, run.run_id) for run in (early, other)]
    policies = [run_policy(context, lease) for lease in leases if lease is not None]
    assert [policy.auto_complete for policy in policies] == [False, True]
