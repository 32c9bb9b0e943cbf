"""Kill -9 at each boundary of a decision and of the resume after it: nothing is lost, nothing is done twice."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import psycopg
import pytest
from sqlalchemy import func, select

from core.config import load_settings
from core.errors import ConflictError
from core.models import Escalation, OrchestratorLog, ReviewDecision, ReviewEvent, Run, Submission, SubmissionField
from services.context import Context
from services.reconcile import reconcile
from services.replays.replay import replay as replay_run
from services.replays.run_detail import run_detail
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, undo_decision
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.boundaries import RESOLVE_BOUNDARIES, RESUME_BOUNDARIES, SETTLE_BOUNDARIES
from tests.support.long import some
from tests.support.office import end_leases, make_person, uploads_of, wait_until, working
from tests.support.reading.entries import ESSAY, acroform
from tests.support.review.reviewer_process import decide_and_die, resume_and_die
from tests.support.review.trail import replay_events
from tests.support.site import tidy_context

pytestmark = pytest.mark.slow
RESOLVE = tuple(RESOLVE_BOUNDARIES.values())
SETTLE = tuple(SETTLE_BOUNDARIES.values())
VALUES = {"student_name": "Marisol Quintero", "school_name": "Lakeview School", "grade": "4", "essay_text": ESSAY}
#: Where the decision was not yet committed: the person decides again, and is the first.
BEFORE_COMMIT = {"resolve:begun", "resolve:won", "resolve:written"}


@pytest.fixture
def context(chosen: dict[str, Any]) -> Iterator[Context]:
    """Nothing is recognised and no model is asked: an empty form escalates at once."""
    with tidy_context(load_settings(**chosen, ocr_provider="none")) as opened:
        opened.redis.flushdb()
        yield opened


@pytest.mark.parametrize("action", ["settle", "read_again"])
def test_a_decision_survives(context: Context, action: Literal["settle", "read_again"]) -> None:
    waiting = escalations(context, len(RESOLVE))
    visited, person = set(), make_person(context, "reviewer")
    for boundary, item in zip(RESOLVE, waiting, strict=True):
        if decide_and_die(context.settings, boundary, person, item.id, item.version, action, VALUES):
            visited.add(boundary)
        try:
            resolve_escalation(context, person, item.id, item.version, action, VALUES)
            assert boundary in BEFORE_COMMIT, boundary
        except ConflictError as error:
            assert boundary not in BEFORE_COMMIT and "Reviewer" in error.detail
    assert visited == set(RESOLVE)
    reconcile(context)
    with working(context):
        wait_until(lambda: all_over(context), "the end of every run")
    if action == "settle":
        for item in waiting:
            check_decided_once(context, item, "resolved")
    else:
        check_read_again_once(context, waiting)


@pytest.mark.parametrize("boundaries", [RESUME_BOUNDARIES, SETTLE], ids=["thread", "forgotten"])
def test_a_resume_survives(context: Context, boundaries: Sequence[str]) -> None:
    waiting = escalations(context, len(boundaries))
    visited, person = set(), make_person(context, "reviewer")
    ends: list[Literal["settle", "reject"]] = [
        "settle" if place % 2 else "reject" for place in range(len(waiting))
    ]
    for boundary, item, action in zip(boundaries, waiting, ends, strict=True):
        resolve_escalation(context, person, item.id, item.version, action, VALUES)
        if boundaries is SETTLE:
            forget_every_thread(context)
        if resume_and_die(context.settings, boundary, item.id):
            visited.add(boundary)
    context.redis.flushdb()
    assert visited == set(boundaries)
    end_leases(context)
    reconcile(context)
    with working(context):
        wait_until(lambda: all_over(context), "the end of every run")
    for item, action in zip(waiting, ends, strict=True):
        check_decided_once(context, item, "resolved" if action == "settle" else "rejected")


@pytest.mark.long
@pytest.mark.parametrize("shift", some([0, 1], every=2))
def test_the_last_of_two_decisions_is_what_stands(context: Context, shift: int) -> None:
    """Decided, taken back and decided anew at once; the resume of either is killed at each boundary.

    The last one is to settle at every second boundary, and to reject at the others.
    """
    ends: tuple[Literal["settle"], Literal["reject"]] = ("settle", "reject")
    other = {**VALUES, "student_name": "Somebody Else", "grade": "5"}
    waiting = escalations(context, len(RESUME_BOUNDARIES))
    person, visited = make_person(context, "reviewer"), set()
    for place, (boundary, item) in enumerate(zip(RESUME_BOUNDARIES, waiting, strict=True), shift):
        first, last = ends[(place + 1) % 2], ends[place % 2]
        resolve_escalation(context, person, item.id, item.version, first, other)
        if resume_and_die(context.settings, boundary, item.id):
            visited.add(boundary)
        decided = last_decision(context, person, item.submission_id)
        assert decided is not None
        undo_decision(context, person, decided)
        version = context.database.get_one(Escalation, item.id).version
        resolve_escalation(context, person, item.id, version, last, VALUES)
        if place // 2 % 2 == 0:
            end_leases(context)
            resume_and_die(context.settings, boundary, item.id)
    assert visited == set(RESUME_BOUNDARIES)
    context.redis.flushdb()
    end_leases(context)
    reconcile(context)
    with working(context):
        wait_until(lambda: all_over(context), "the end of every run")
    for place, item in enumerate(waiting, shift):
        check_last_stands(context, item, "rejected" if place % 2 else "resolved")


def check_last_stands(context: Context, item: Escalation, outcome: str) -> None:
    """Record, history, log and replay say the last decision alone."""
    given = VALUES if outcome == "resolved" else {}
    with context.database.session() as session:
        entry, run = session.get_one(Submission, item.submission_id), session.get_one(Run, item.run_id)
        assert (entry.status, run.outcome, run.status, run.run_no) == (outcome, outcome, "settled", 1)
        rows = session.scalars(select(SubmissionField).where(SubmissionField.submission_id == entry.id)).all()
        fields = {row.name: row.value for row in rows if row.value is not None}
        assert {name: value for name, value in fields.items() if name in VALUES} == given
        events = session.scalars(
            select(ReviewEvent).where(ReviewEvent.submission_id == entry.id).order_by(ReviewEvent.id)
        ).all()
        told = replay_events(dict.fromkeys(VALUES), events)
        assert (told.values, told.breaks) == (fields, ())
        decided = session.scalars(
            select(ReviewDecision)
            .where(ReviewDecision.submission_id == entry.id)
            .order_by(ReviewDecision.created_at)
        ).all()
        assert [one.undone_at is None for one in decided] == [False, True]
        assert session.get_one(Escalation, item.id).resumed_at is not None
    steps = run_detail(context, item.run_id).steps
    assert [step.step for step in steps] == list(range(1, len(steps) + 1))
    assert [step.final_outcome for step in steps if step.by_person][-1:] == [outcome]
    again = replay_run(context, item.run_id)
    assert (again.outcome_before, again.differs) == ("escalated", False)


def escalations(context: Context, count: int) -> list[Escalation]:
    """So many entries, each waiting at its interrupt in the graph."""
    # Blank forms, no two alike: the same bytes would be a duplicate.
    forms = [acroform({}, "") + f"\n% {number}\n".encode() for number in range(count)]
    files = [IncomingFile(f"{number}.pdf", form) for number, form in enumerate(forms)]
    batch = submit_files(context, make_person(context), files)
    for upload in uploads_of(context, batch):
        for run_id in analyse_upload(context, upload.id):
            assert run_submission(context, run_id)
    context.redis.flushdb()
    found = context.database.scalars(select(Escalation).order_by(Escalation.created_at))
    assert len(found) == count
    return found


def forget_every_thread(context: Context) -> None:
    with psycopg.connect(context.database.dsn) as connection:
        connection.execute(
            "truncate langgraph.checkpoints, langgraph.checkpoint_blobs, langgraph.checkpoint_writes"
        )


def all_over(context: Context) -> bool:
    """Whether no run is under way or held, and no decision is still to be carried out."""
    with context.database.session() as session:
        runs = session.scalar(
            select(func.count()).where(Run.status.in_(["queued", "running"]) | Run.lease_owner.is_not(None))
        )
        decided = session.scalar(
            select(func.count()).where(Escalation.decided_at.is_not(None), Escalation.resumed_at.is_(None))
        )
    return runs == decided == 0


def check_decided_once(context: Context, item: Escalation, outcome: str) -> None:
    """One decision, told once, carried out once; the values are in the record."""
    with context.database.session() as session:
        entry = session.get_one(Submission, item.submission_id)
        run = session.get_one(Run, item.run_id)
        assert (entry.status, run.outcome, run.status, run.run_no) == (outcome, outcome, "settled", 1)
        rows = session.scalars(select(SubmissionField).where(SubmissionField.submission_id == entry.id))
        fields = {row.name: row.value for row in rows}
        given = VALUES if outcome == "resolved" else dict.fromkeys(VALUES)
        assert {name: fields[name] for name in VALUES} == given
        assert count(session, ReviewDecision, entry.id) == 1
        kind = "escalation_resolved" if outcome == "resolved" else "rejected"
        kinds = session.scalars(select(ReviewEvent.kind).where(ReviewEvent.submission_id == entry.id)).all()
        assert kinds.count(kind) == 1
        steps = session.scalars(select(OrchestratorLog.step).where(OrchestratorLog.run_id == run.run_id)).all()
        assert sorted(steps) == list(range(1, len(steps) + 1))


def check_read_again_once(context: Context, waiting: Sequence[Escalation]) -> None:
    """The first run is superseded, the second waits; nobody is asked twice."""
    for item in waiting:
        with context.database.session() as session:
            runs = session.execute(
                select(Run.run_no, Run.status).where(Run.submission_id == item.submission_id).order_by(Run.run_no)
            ).all()
            assert [tuple(run) for run in runs] == [(1, "superseded"), (2, "interrupted")]
            statuses = session.scalars(
                select(Escalation.status)
                .where(Escalation.submission_id == item.submission_id)
                .order_by(Escalation.created_at)
            ).all()
            assert list(statuses) == ["superseded", "pending"]


def count(session: Any, model: Any, submission_id: uuid.UUID) -> int:
    found: int = session.scalar(
        select(func.count()).select_from(model).where(model.submission_id == submission_id)
    )
    return found
