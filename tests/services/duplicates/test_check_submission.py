"""As an entry is settled, those that may be the same are found, and the later one waits for a person."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import func, select, update

from core.models import DuplicateKey, DuplicatePair, Escalation, Run, Season, Submission
from pipeline.reason_codes import EscalationReason
from services.context import Context
from services.runs.run import run_submission
from tests.services.duplicates.conftest import OTHER_ESSAY, Send, entry_of
from tests.support.reading.entries import ESSAY

CODE = "DUPLICATE_SUBMISSION"
Settle = Callable[..., Submission]


def pairs(context: Context) -> list[DuplicatePair]:
    return context.database.scalars(select(DuplicatePair))


def test_the_later_of_two_waits_for_a_person(context: Context, settled: Settle) -> None:
    first = settled()
    misread = ESSAY.replace("sun", "sum").replace("bakery", "bakcry").replace("deep", "dcep")
    second = settled(misread, Name="Quintero Marlsol")
    assert (first.status, first.review_reason_codes) == ("completed", [])
    assert (second.status, second.needs_review, second.review_reason_codes) == ("escalated", True, [CODE])
    (pair,) = pairs(context)
    assert (pair.first_id, pair.second_id, pair.strength) == (first.id, second.id, "sure")
    assert set(pair.likenesses) == {"essay", "name", "school_and_grade"} and pair.essay and pair.essay > 0.9
    assert context.database.one(select(Escalation.reason)).code == EscalationReason.SENT_BEFORE


def test_twins_and_classmates_are_two(context: Context, settled: Settle) -> None:
    settled()
    twin = settled(OTHER_ESSAY, Name="Joaquin Quintero")
    namesake = settled(OTHER_ESSAY[::-1])
    assert (twin.status, namesake.status, pairs(context)) == ("completed", "completed", [])


def test_two_essays_of_one_child_where_the_season_takes_one(context: Context, settled: Settle) -> None:
    first = settled()
    context.database.execute(update(Season).values(policy={"one_entry_each": True}))
    second = settled(OTHER_ESSAY)
    (pair,) = pairs(context)
    assert (pair.first_id, second.review_reason_codes) == (first.id, [CODE])
    assert "other_essay" in pair.likenesses


def test_rejected_entries_are_no_duplicates(context: Context, settled: Settle) -> None:
    first = settled()
    context.database.execute(update(Submission).where(Submission.id == first.id).values(status="rejected"))
    assert (settled().status, pairs(context)) == ("completed", [])


def test_two_that_are_settled_at_once_find_each_other(context: Context, send: Send) -> None:
    runs = [send() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda run: run_submission(context, run), runs))
    entries = [entry_of(context, run) for run in runs]
    assert sorted(entry.status for entry in entries) == ["completed", "escalated", "escalated", "escalated"]
    assert len(pairs(context)) == 6


def test_reading_again_raises_nothing_twice(context: Context, settled: Settle) -> None:
    settled()
    second = settled()
    with context.database.session() as session:
        run = f"{second.id}:1"
        before = session.scalar(select(func.count()).select_from(DuplicateKey))
        session.execute(update(Submission).where(Submission.id == second.id).values(status="queued"))
        session.execute(update(Run).where(Run.run_id == run).values(status="queued", settled_at=None))
    assert run_submission(context, run)
    again = entry_of(context, run)
    assert (again.status, again.review_reason_codes, len(pairs(context))) == ("escalated", [CODE], 1)
    assert context.database.scalar(select(func.count()).select_from(DuplicateKey)) == before
