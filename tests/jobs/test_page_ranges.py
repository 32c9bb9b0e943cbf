"""A long stack through two real workers: entries are before a person early, and none is lost or doubled."""

from __future__ import annotations

from contextlib import suppress

import psutil
from sqlalchemy import select

from core.models import Run, Submission, Upload
from pipeline.runner import analyse
from services.context import Context
from services.reconcile import reconcile
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import (
    SpawnedWorker,
    end,
    entries_of,
    make_person,
    run_of,
    settled,
    start_worker,
    uploads_of,
    wait_until,
    working,
)
from tests.support.reading.one_school import CHILDREN, OFF, SCHOOL, stack_of, typed_stack_of

ONE_OFF = [OFF, *[SCHOOL] * (len(CHILDREN) - 1)]


def test_a_scanned_stack_is_before_a_person_while_its_pages_are_read(context: Context) -> None:
    batch = submit_files(context, make_person(context), [IncomingFile("stack.pdf", stack_of(ONE_OFF))])
    with working(context), working(context):
        wait_until(lambda: "suggested" in statuses(context), "the first entry")
        assert uploads_of(context, batch)[0].status == "analysing"
        wait_until(lambda: bool(reconcile(context)) or settled(context, batch), "the end")
        wait_until(lambda: settled(context, batch), "the end of the batch")
    entries = entries_of(context, batch)
    assert [entry.student_name for entry in entries] == list(CHILDREN)
    assert {entry.school_name for entry in entries} == {SCHOOL}
    assert {entry.status for entry in entries} == {"suggested"}
    first, *others = entries
    # It was read a letter off, and shown again as the others have it.
    assert run_of(context, first.id).run_no == 2
    assert "SPELLED_AS_OTHERS" in first.review_reason_codes
    assert {run_of(context, entry.id).run_no for entry in others} == {1}
    assert not context.database.scalars(select(Run.run_id).where(Run.shown_early))


def test_a_worker_that_is_killed_loses_no_page(context: Context) -> None:
    stack = typed_stack_of([SCHOOL] * len(CHILDREN))
    batch = submit_files(context, make_person(context), [IncomingFile("stack.pdf", stack)])
    killed = start_worker(context.settings)
    wait_until(lambda: bool(statuses(context)), "the first entries")
    kill(killed)
    with working(context), working(context):
        # Each lease of the dead process ends by itself.
        wait_until(lambda: reconcile(context) >= 0 and settled(context, batch), "what was left")
    chunks = analyse(stack, context.settings, context.store).chunks
    entries = entries_of(context, batch)
    assert [entry.chunk_metadata for entry in entries] == [chunk.model_dump(mode="json") for chunk in chunks]
    assert [entry.student_name for entry in entries] == list(CHILDREN)
    assert {entry.status for entry in entries} <= {"completed", "suggested"}
    assert {run_of(context, entry.id).run_no for entry in entries} == {1}


def statuses(context: Context) -> set[str]:
    with context.database.session() as session:
        open_ = select(Submission.status).join(Upload, Upload.id == Submission.upload_id)
        return set(session.scalars(open_))


def kill(worker: SpawnedWorker) -> None:
    """Kill a worker and its work-horse."""
    assert worker.pid is not None
    head = psutil.Process(worker.pid)
    for process in [head, *head.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    end(worker)
