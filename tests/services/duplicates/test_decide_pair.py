"""A person decides on two entries that may be one, and takes it back."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from datetime import date

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import (
    DuplicateKey,
    DuplicatePair,
    ErasureReason,
    Escalation,
    PairDecision,
    ReviewEvent,
    Submission,
    SubmissionField,
    Upload,
)
from services.accounts.person import person_of
from services.batches.typed_in import receive_batch, receive_submission
from services.context import Context
from services.duplicates import others_of
from services.entries.change import edit_record
from services.entries.listing import SubmissionFilter, list_submissions
from services.erasure.erase import erase_submissions
from services.policy import change_policy
from services.review import pair_decisions
from services.review.escalations import resolve_escalation
from services.review.pair_decisions import decide_pair
from services.review.undo import last_decision, undo_decision, undo_pair
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from tests.services.conftest import Reviewers
from tests.support.site import person

Settle = Callable[..., Submission]
#: Everything of an entry that a decision may change, but its version and when it changed.
STATE = ("status", "needs_review", "review_reason_codes", "missing_fields", "grade")


@pytest.fixture
def pair(settled: Settle) -> tuple[Submission, Submission]:
    return settled(), settled()


def pair_of(context: Context) -> DuplicatePair:
    return context.database.one(select(DuplicatePair))


def now(context: Context, entry: Submission) -> Submission:
    return context.database.get_one(Submission, entry.id)


def state(context: Context, *entries: Submission) -> list[list[object]]:
    return [[getattr(now(context, entry), name) for name in STATE] for entry in entries]


def decide(context: Context, actor: uuid.UUID, decision: PairDecision) -> None:
    found = pair_of(context)
    decide_pair(context, actor, found.id, found.version, decision)


@pytest.mark.parametrize(
    ("decision", "first", "second"),
    [
        (PairDecision.KEEP_FIRST, "completed", "rejected"),
        (PairDecision.KEEP_SECOND, "rejected", "resolved"),
        (PairDecision.KEEP_BOTH, "completed", "resolved"),
        (PairDecision.REPLACE, "superseded", "resolved"),
    ],
)
def test_each_decision_and_its_undoing(
    context: Context,
    reviewers: Reviewers,
    pair: tuple[Submission, Submission],
    decision: PairDecision,
    first: str,
    second: str,
) -> None:
    edit_record(context, reviewers.ben, pair[0].id, pair[0].version, {"grade": "5"})
    context.database.execute(update(Submission).where(Submission.id == pair[0].id).values(status="completed"))
    stood = state(context, *pair)
    decide(context, reviewers.ana, decision)
    one, other = (now(context, entry) for entry in pair)
    assert (one.status, other.status) == (first, second)
    assert other.needs_review is False
    if second == "resolved":
        assert other.review_reason_codes == []
    # What a person had decided on the poor scan goes to the better one.
    assert other.grade == ("5" if decision is PairDecision.REPLACE else "4")
    told = context.database.scalars(
        select(ReviewEvent.submission_id).where(ReviewEvent.kind == "duplicate_decided")
    )
    assert sorted(told) == sorted(entry.id for entry in pair)
    last = last_decision(context, reviewers.ana)
    assert last is not None
    undo_decision(context, reviewers.ana, last)
    assert state(context, *pair) == stood
    assert (pair_of(context).decision, pair_of(context).decided_by) == (None, None)
    assert context.database.one(select(Escalation.status)) == "pending"
    decide(context, reviewers.ana, decision)
    assert now(context, pair[1]).status == second


@pytest.mark.parametrize("erased", [0, 1])
def test_an_entry_that_is_erased_meanwhile_leaves_nothing_to_decide(
    context: Context,
    reviewers: Reviewers,
    pair: tuple[Submission, Submission],
    monkeypatch: pytest.MonkeyPatch,
    erased: int,
) -> None:
    admin, lock = person(context, "admin").id, pair_decisions.lock_entries

    def locked(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Submission]:
        erase_submissions(context, [pair[erased].id], admin, ErasureReason.ASKED)
        return lock(session, ids)

    monkeypatch.setattr(pair_decisions, "lock_entries", locked)
    with pytest.raises(NotFoundError):
        decide(context, reviewers.ana, PairDecision.KEEP_BOTH)


def test_the_second_to_decide_is_told_who_was_first(
    context: Context, reviewers: Reviewers, pair: tuple[Submission, Submission]
) -> None:
    seen = pair_of(context)
    decide(context, reviewers.ana, PairDecision.KEEP_BOTH)
    with pytest.raises(ConflictError) as caught:
        decide_pair(context, reviewers.ben, seen.id, seen.version, PairDecision.KEEP_FIRST)
    assert caught.value.told.params["who"] == "Ana Ruiz"
    assert [now(context, entry).status for entry in pair] == ["completed", "resolved"]


def test_it_cannot_be_settled_before_somebody_has_compared_them(
    context: Context, reviewers: Reviewers, pair: tuple[Submission, Submission]
) -> None:
    escalation = context.database.one(select(Escalation))
    with pytest.raises(InvalidInputError):
        resolve_escalation(context, reviewers.ana, escalation.id, escalation.version, "settle", {})
    # Where the other one is gone there is nothing to compare it with.
    context.database.execute(update(Submission).where(Submission.id == pair[0].id).values(status="rejected"))
    status = resolve_escalation(context, reviewers.ana, escalation.id, escalation.version, "settle", {})
    assert (status, now(context, pair[1]).review_reason_codes) == ("resolved", [])


def test_an_erased_entry_leaves_nothing_that_it_was_found_by(
    context: Context, reviewers: Reviewers, pair: tuple[Submission, Submission], settled: Settle
) -> None:
    erase_submissions(context, [pair[0].id], reviewers.ana, ErasureReason.ASKED)
    with context.database.session() as session:
        assert session.scalar(select(func.count()).select_from(DuplicatePair)) == 0
        assert session.scalars(select(DuplicateKey.submission_id).distinct()).all() == [pair[1].id]
        session.execute(delete(SubmissionField).where(SubmissionField.submission_id == pair[1].id))
        session.execute(update(Submission).where(Submission.id == pair[1].id).values(student_name="Bo Li"))
    assert settled().status == "completed"


@pytest.fixture
def halves(settled: Settle) -> tuple[Submission, Submission]:
    """A form without an essay, and an essay without a form, sent one after the other."""
    return settled(""), settled(Grade="", School="")


def read_new(context: Context) -> Submission:
    """Read the entry that two were joined into."""
    made = context.database.one(select(Upload.id).where(Upload.split_id.is_not(None)))
    (run_id,) = analyse_upload(context, made)
    assert run_submission(context, run_id)
    return context.database.one(select(Submission).where(Submission.upload_id == made))


def test_two_halves_are_offered_to_be_joined_and_are_no_duplicates(
    context: Context, halves: tuple[Submission, Submission]
) -> None:
    assert pair_of(context).likenesses == ["name", "halves"]
    form, essay = (now(context, entry) for entry in halves)
    assert "DUPLICATE_SUBMISSION" not in (*form.review_reason_codes, *essay.review_reason_codes)
    assert ("EMPTY_ESSAY" in form.review_reason_codes, essay.missing_fields) == (True, ["school_name", "grade"])


def test_halves_become_one_entry_with_what_people_decided_and_it_is_taken_back(
    context: Context, reviewers: Reviewers, halves: tuple[Submission, Submission]
) -> None:
    edit_record(context, reviewers.ben, halves[0].id, halves[0].version, {"grade": "7"})
    stood = state(context, *halves)
    decide(context, reviewers.ana, PairDecision.JOIN)
    assert [now(context, entry).status for entry in halves] == ["superseded", "superseded"]
    new = read_new(context)
    assert (new.grade, new.school_name, new.status) == ("7", "Lakeview Elementary School", "completed")
    assert (new.page_start, new.page_end, new.missing_fields) == (1, 2, [])
    assert new.word_count is not None and new.word_count > 50
    undo_pair(context, reviewers.ana, pair_of(context).id)
    assert (state(context, *halves), now(context, new).status) == (stood, "superseded")
    assert pair_of(context).decision is None
    decide(context, reviewers.ana, PairDecision.JOIN)


def test_only_halves_are_joined(
    context: Context, reviewers: Reviewers, pair: tuple[Submission, Submission]
) -> None:
    with pytest.raises(InvalidInputError):
        decide(context, reviewers.ana, PairDecision.JOIN)
    assert [now(context, entry).status for entry in pair] == ["completed", "escalated"]


def test_the_escalation_of_a_duplicate_names_the_pair(
    context: Context, pair: tuple[Submission, Submission]
) -> None:
    with context.database.session() as session:
        assert [one.pair_id for one in others_of(session, pair[1].id) if one.waits] == [pair_of(context).id]


@pytest.mark.parametrize("by_decision", [True, False])
def test_an_old_undo_takes_back_no_later_decision_of_somebody_else(
    context: Context, reviewers: Reviewers, pair: tuple[Submission, Submission], by_decision: bool
) -> None:
    decide(context, reviewers.ana, PairDecision.KEEP_FIRST)
    decided, seen = last_decision(context, reviewers.ana), pair_of(context)
    assert decided is not None

    def undo() -> None:
        if by_decision:
            undo_decision(context, reviewers.ana, decided)
        else:
            undo_pair(context, reviewers.ana, seen.id, seen.version)

    undo()
    decide(context, reviewers.ben, PairDecision.KEEP_BOTH)
    stood = state(context, *pair)
    with pytest.raises(ConflictError, match="settled by Ben"):
        undo()
    assert pair_of(context).decision == PairDecision.KEEP_BOTH and state(context, *pair) == stood


def test_an_old_undo_leaves_a_later_joining(
    context: Context, reviewers: Reviewers, halves: tuple[Submission, Submission]
) -> None:
    decide(context, reviewers.ana, PairDecision.KEEP_BOTH)
    decided, seen = last_decision(context, reviewers.ana), pair_of(context)
    assert decided is not None
    undo_decision(context, reviewers.ana, decided)
    decide(context, reviewers.ben, PairDecision.JOIN)
    with pytest.raises(ConflictError, match="settled by Ben"):
        undo_decision(context, reviewers.ana, decided)
    with pytest.raises(ConflictError, match="settled by Ben"):
        undo_pair(context, reviewers.ana, seen.id, seen.version)
    assert pair_of(context).decision == PairDecision.JOIN
    undo_pair(context, reviewers.ben, seen.id, pair_of(context).version)
    assert pair_of(context).decision is None


@pytest.mark.parametrize("since", ["", "2026-03-27"])
def test_a_better_scan_came_in_time_if_the_poor_one_did(
    context: Context, pair: tuple[Submission, Submission], since: str
) -> None:
    ana = person_of(person(context, "reviewer"))
    receive_batch(context, ana, pair[0].batch_id, "2026-03-20")
    receive_batch(context, ana, pair[1].batch_id, "2026-04-05")
    change_policy(context, None, pair[0].season_id, {"deadline": "2026-03-31"})
    decide(context, ana.id, PairDecision.REPLACE)
    better = now(context, pair[1])
    assert (better.received_on, better.received_given) == (date(2026, 3, 20), True)
    assert better.id not in {row.id for row in list_submissions(context, ana, SubmissionFilter(late=True)).rows}
    with context.database.session() as session:
        of_day = select(ReviewEvent).filter_by(submission_id=better.id, kind="received_changed")
        told = session.scalars(of_day.order_by(ReviewEvent.id.desc())).all()[0]
        assert (told.before_value, told.after_value, told.actor_id) == ("2026-04-05", "2026-03-20", ana.id)
    if since:
        receive_submission(context, ana, better.id, since)
    undo_pair(context, ana.id, pair_of(context).id)
    stands = [(one.received_on.isoformat(), one.received_given) for one in (now(context, entry) for entry in pair)]
    assert stands == [("2026-03-20", False), (since or "2026-04-05", bool(since))]
