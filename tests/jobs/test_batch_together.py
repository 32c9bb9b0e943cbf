"""A file that joins a batch, through the real queue and workers: what went on before is decided with it."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import func, select

from core.config import load_settings
from core.messages import say
from core.models import Escalation, ReviewSuggestion, Run, Submission, UploadBatch
from services.context import Context
from services.reconcile import reconcile
from services.review.details import suggestion_detail
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.office import end, entries_of, make_person, settled, start_worker, wait_until, working
from tests.support.reading.one_school import OFF, SCHOOL, stack_of
from tests.support.site import tidy_context
from tests.support.stored_readings import keep

#: The machine completes what it has recognised, sure or not.
COMPLETES = {"complete_confidence": 0.1, "weak_field_confidence": 0.1}


@pytest.fixture
def direct(chosen: dict[str, Any]) -> Iterator[Context]:
    """Without the supervisor, so that no page is looked at."""
    with tidy_context(load_settings(**chosen, use_orchestrator=False)) as opened:
        opened.redis.flushdb()
        yield opened


def test_what_was_completed_is_proposed_with_its_source(context: Context) -> None:
    with context.database.session() as session:
        factories.make_season(session).policy = COMPLETES
    batch = submit_files(context, make_person(context), [IncomingFile("one.pdf", stack_of([OFF]))])
    with working(context):
        wait_until(lambda: reconcile(context) == 0 and settled(context, batch), "the first file", seconds=300)
        (entry,) = entries_of(context, batch)
        assert (entry.status, entry.school_name) == ("completed", OFF)
        join(context, batch, *[SCHOOL] * 4)
        # Where the machine is busy, leases of two seconds are lost: what is under way is queued again meanwhile.
        wait_until(lambda: reconcile(context) == 0 and over(context, batch), "the pass over both", seconds=300)
    entry = entries_of(context, batch)[0]
    assert (entry.status, entry.needs_review, entry.school_name) == ("suggested", True, SCHOOL)
    proposal = context.database.one(select(ReviewSuggestion.id))
    (school,) = (one for one in suggestion_detail(context, proposal).fields if one.name == "school_name")
    assert (school.current, school.proposed, school.preselected) == (OFF, SCHOOL, "approve")
    assert school.reason is not None and "as in 4 other entries of this upload" in say(school.reason)


def test_a_worker_that_is_killed_within_the_pass_leaves_nothing_half_done(direct: Context) -> None:
    with direct.database.session() as session:
        batch = factories.make_batch(session).id
    # No spelling stands twice: what two entries have is never overruled.
    off = [SCHOOL.replace("Juniper", f"Ju{letter}iper") for letter in "bcdfghjk"]
    for school in off:
        join(direct, batch, school)
    join(direct, batch, *[SCHOOL] * 8)
    reconcile(direct)
    killed = start_worker(direct.settings)
    wait_until(lambda: reopened(direct) > 0, "the first entry that is begun anew")
    assert killed.pid is not None
    os.kill(killed.pid, signal.SIGKILL)
    end(killed)
    with working(direct):
        wait_until(lambda: reconcile(direct) == 0 and over(direct, batch), "the rest", seconds=300)
    entries = [entry for entry in entries_of(direct, batch) if entry.run_no > 1]
    assert {(entry.school_name, entry.status, entry.run_no) for entry in entries} == {(SCHOOL, "escalated", 2)}
    assert (len(entries), reopened(direct)) == (len(off), len(off))
    waiting = direct.database.scalar(
        select(func.count()).select_from(Escalation).where(Escalation.status == "pending")
    )
    assert waiting == len(off)


def join(context: Context, batch: uuid.UUID, *schools: str) -> None:
    """Add a file to the batch whose entries were read and have gone on."""
    with context.database.session() as session:
        upload = factories.make_upload(session, session.get_one(UploadBatch, batch), entry_count=len(schools))
        for index, school in enumerate(schools):
            entry = factories.make_submission(session, upload, chunk_index=index, school_name=school)
            factories.make_run(session, entry, together=[], batch_due=True)
            keep(context, entry.id, school)


def reopened(context: Context) -> int:
    return context.database.scalar(select(func.count()).select_from(Run).where(Run.reopened)) or 0


def over(context: Context, batch: uuid.UUID) -> bool:
    """Whether no entry is under way and none waits for the pass."""
    with context.database.session() as session:
        waits = session.scalar(select(func.count()).select_from(Run).where(Run.batch_due))
        running = session.scalar(
            select(func.count()).select_from(Submission).where(Submission.status.in_(("queued", "processing")))
        )
    return not waits and not running
