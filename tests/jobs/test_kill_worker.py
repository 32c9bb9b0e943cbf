"""Kill -9 of a worker and its work-horse at each boundary of the graph: afterwards nothing is lost or doubled."""

from __future__ import annotations

import signal
import time

import pytest
from sqlalchemy import func, select

from core.models import Escalation, OrchestratorLog, ReviewSuggestion, SubmissionField
from pipeline.orchestrator_steps import NODE_BOUNDARIES
from pipeline.schema import FIELD_NAMES
from services.context import Context
from services.reconcile import reconcile
from services.submit_files import IncomingFile, submit_files
from tests.support.entries import entry_that_reaches
from tests.support.office import end, entries_of, make_person, run_of, settled, start_worker, wait_until, working

pytestmark = pytest.mark.slow


def count(context: Context, model: type, column: object, value: object) -> int:
    with context.database.session() as session:
        return session.scalar(select(func.count()).select_from(model).where(column == value)) or 0


@pytest.mark.parametrize("boundary", NODE_BOUNDARIES)
def test_recovers(context_with_model: Context, boundary: str) -> None:
    context = context_with_model
    node = boundary.partition(":")[0]
    batch = submit_files(context, make_person(context), [IncomingFile("entry.pdf", entry_that_reaches(node))])
    killed = start_worker(context.settings, kill_at=boundary)
    killed.join(timeout=90)
    visited = killed.exitcode == -signal.SIGKILL
    end(killed)
    assert visited, "the boundary was not visited"
    time.sleep(context.settings.lease_seconds)
    reconcile(context)
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end")
    (entry,) = entries_of(context, batch)
    run = run_of(context, entry.id)
    assert entry.status in ("completed", "suggested", "escalated"), entry.error_code
    assert run.run_no == 1 and run.lease_owner is None
    assert count(context, SubmissionField, SubmissionField.submission_id, entry.id) == len(FIELD_NAMES)
    assert count(context, ReviewSuggestion, ReviewSuggestion.submission_id, entry.id) == (
        entry.status == "suggested"
    )
    assert count(context, Escalation, Escalation.submission_id, entry.id) == (entry.status == "escalated")
    with context.database.session() as session:
        steps = session.scalars(
            select(OrchestratorLog.step).where(OrchestratorLog.run_id == run.run_id).order_by(OrchestratorLog.step)
        ).all()
    assert list(steps) == list(range(1, len(steps) + 1))
