"""A scanned stack through the real queue and workers: no entry goes on before all were read together."""

from __future__ import annotations

import os
import signal

from sqlalchemy import select

from core.models import ReviewSuggestion, Run
from services.context import Context
from services.entries.detail import read_fields
from services.reconcile import reconcile
from services.review.details import suggestion_detail
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import end, entries_of, make_person, settled, start_worker, wait_until, working
from tests.support.reading.one_school import OFF, SCHOOL, stack_of


def test_a_school_that_is_a_letter_off_is_proposed_as_the_others_have_it(context: Context) -> None:
    stack = IncomingFile("stack.pdf", stack_of([*[SCHOOL] * 4, OFF]))
    batch = submit_files(context, make_person(context), [stack])
    killed = start_worker(context.settings)
    wait_until(lambda: "read" in statuses(context), "the first entry that waits")
    assert killed.pid is not None
    os.kill(killed.pid, signal.SIGKILL)
    end(killed)
    # The rest is done by another worker, once the reconciler has found what the first one left.
    with working(context):
        wait_until(
            lambda: reconcile(context) == 0 and settled(context, batch), "the end of the batch", seconds=300
        )
    *others, last = entries_of(context, batch)
    assert [entry.school_name for entry in (*others, last)] == [SCHOOL] * 5
    assert {entry.status for entry in (*others, last)} == {"suggested"}
    assert "SPELLED_AS_OTHERS" in last.review_reason_codes
    with context.database.session() as session:
        (school,) = (field for field in read_fields(session, last.id).views if field.name == "school_name")
        proposal = session.scalars(
            select(ReviewSuggestion.id).where(ReviewSuggestion.submission_id == last.id)
        ).one()
    assert school.way is not None and school.way.params == {"count": 4}
    (proposed,) = (f for f in suggestion_detail(context, proposal).fields if f.name == "school_name")
    assert (proposed.current, proposed.proposed, proposed.preselected) == (OFF, SCHOOL, "approve")


def statuses(context: Context) -> set[str]:
    return set(context.database.scalars(select(Run.status)))
