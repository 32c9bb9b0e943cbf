"""Kill -9 of a worker and its work-horse at each boundary of the graph: afterwards nothing is lost or doubled."""

from __future__ import annotations

import signal

import pytest
from sqlalchemy import func, select

from core.errors import ConflictError
from core.models import Escalation, OrchestratorLog, ReviewSuggestion, Submission, SubmissionField
from pipeline.schema import FIELD_NAMES
from services.context import Context
from services.reconcile import reconcile
from services.review.decisions import decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.waiting import WaitingFilter, list_waiting, waiting_item
from services.uploads.submit import IncomingFile, submit_files
from tests.support.boundaries import NODE_BOUNDARIES
from tests.support.long import some
from tests.support.office import (
    end,
    end_leases,
    entries_of,
    make_person,
    run_of,
    settled,
    start_worker,
    wait_until,
    working,
)
from tests.support.reading.entries import doodle, entry_that_reaches, two_names

pytestmark = pytest.mark.slow


def count(context: Context, model: type, column: object, value: object) -> int:
    return context.database.scalar(select(func.count()).select_from(model).where(column == value)) or 0


#: `mark_for_human` stands at its interrupt after its start; what comes then belongs to the resume.
AFTER_INTERRUPT = ("mark_for_human:work_done", "mark_for_human:logged")


@pytest.mark.long
@pytest.mark.parametrize("boundary", some([n for n in NODE_BOUNDARIES if n not in AFTER_INTERRUPT], every=6))
def test_a_run_recovers(context_with_model: Context, boundary: str) -> None:
    context = context_with_model
    data = entry_that_reaches(boundary.partition(":")[0])
    batch = submit_files(context, make_person(context), [IncomingFile("entry", data)])
    kill_a_worker_at(context, boundary)
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end")
    (entry,) = entries_of(context, batch)
    assert entry.status in ("completed", "suggested", "escalated"), entry.error_code
    assert_written_once(context, entry)


def test_a_proposal_waits_for_nobody_before_its_run_is_settled(context: Context) -> None:
    """Its entry has no values yet, and what settles the run would overwrite a decision on it."""
    batch = submit_files(context, make_person(context), [IncomingFile("entry", two_names())])
    kill_a_worker_at(context, "review_agent:logged")
    (entry,) = entries_of(context, batch)
    written = context.database.one(select(ReviewSuggestion))
    assert waiting_item(context, entry.id) is None
    reviewer = make_person(context, "reviewer")
    with pytest.raises(ConflictError):
        decide_suggestion(context, reviewer, written.id, written.version, {})
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end")
    (shown,) = list_waiting(context, WaitingFilter(kind="suggestion")).rows
    assert shown.id == written.id
    with pytest.raises(ConflictError, match="changed"):
        decide_suggestion(context, reviewer, written.id, written.version, {})


@pytest.mark.long
@pytest.mark.parametrize("boundary", some(AFTER_INTERRUPT, every=2))
def test_a_resume_recovers(context_with_model: Context, boundary: str) -> None:
    context = context_with_model
    batch = submit_files(context, make_person(context), [IncomingFile("entry", doodle())])
    with working(context):
        wait_until(lambda: settled(context, batch), "the entry's end")
    (entry,) = entries_of(context, batch)
    escalation = context.database.one(select(Escalation).where(Escalation.submission_id == entry.id))
    resolve_escalation(context, make_person(context, "reviewer"), escalation.id, escalation.version, "reject", {})
    kill_a_worker_at(context, boundary)
    with working(context):
        wait_until(lambda: run_of(context, entry.id).status == "settled", "the run's end")
    (entry,) = entries_of(context, batch)
    assert (entry.status, run_of(context, entry.id).outcome) == ("rejected", "rejected")
    assert_written_once(context, entry, escalations=1)


def kill_a_worker_at(context: Context, boundary: str) -> None:
    """Let a worker run into its end, then do what the reconciler does by itself."""
    killed = start_worker(context.settings, kill_at=boundary)
    killed.join(timeout=600)
    visited = killed.exitcode == -signal.SIGKILL
    end(killed)
    assert visited, "the boundary was not visited"
    end_leases(context)
    reconcile(context)


def assert_written_once(context: Context, entry: Submission, escalations: int | None = None) -> None:
    """One record, one set of suggestions, one log row a step."""
    run = run_of(context, entry.id)
    assert run.run_no == 1 and run.lease_owner is None
    assert count(context, SubmissionField, SubmissionField.submission_id, entry.id) == len(FIELD_NAMES)
    assert count(context, ReviewSuggestion, ReviewSuggestion.submission_id, entry.id) == (
        entry.status == "suggested"
    )
    wanted = (entry.status == "escalated") if escalations is None else escalations
    assert count(context, Escalation, Escalation.submission_id, entry.id) == wanted
    steps = context.database.scalars(
        select(OrchestratorLog.step).where(OrchestratorLog.run_id == run.run_id).order_by(OrchestratorLog.step)
    )
    assert steps and list(steps) == list(range(1, len(steps) + 1))
