"""Entries set aside: out of the queue for a time, back by a date, an answer or a decision, and undone with it."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.models import AsideKind, ReviewEvent, SetAside, Submission
from services.context import Context
from services.entries.change import edit_record
from services.entries.decision import lock_entry
from services.review.asides import AsideView, aside_of, is_aside, put_back, set_aside
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from services.review.undo import last_decision, undo_decision
from tests.services.conftest import Reviewers
from tests.support.review import desk


def ask(context: Context, who: uuid.UUID, entry: desk.Entry, *fields: str, **others: object) -> None:
    with context.database.session() as session:
        submission = lock_entry(session, entry.submission.id)
        set_aside(session, submission, who, AsideKind.ASKED, fields=fields or ("grade",), **others)  # type: ignore[arg-type]


def park(context: Context, who: uuid.UUID, entry: desk.Entry, note: str | None = None) -> None:
    with context.database.session() as session:
        set_aside(session, lock_entry(session, entry.submission.id), who, AsideKind.PARKED, note=note)


def view(context: Context, entry: desk.Entry) -> AsideView | None:
    with context.database.session() as session:
        return aside_of(session, entry.submission.id)


def out_of_queue(context: Context) -> list[uuid.UUID]:
    return context.database.scalars(select(Submission.id).where(is_aside(Submission.id)))


def let_time_pass(context: Context) -> None:
    context.database.execute(update(SetAside).values(until=func.now() - timedelta(minutes=1)))


def why_ended(context: Context) -> list[str | None]:
    return context.database.scalars(select(SetAside.ended_why).order_by(SetAside.created_at))


def test_asked_comes_back_by_the_clock(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    ask(context, reviewers.ana, escalated, "grade", "school_name", note="  the school knows  ")
    found = view(context, escalated)
    assert found is not None and found.fields == ("school_name", "grade") and found.note == "the school knows"
    assert (found.kind, found.by, found.returned) == (AsideKind.ASKED, "Ana Ruiz", False)
    assert timedelta(days=20) < found.until - utcnow() <= timedelta(days=21)
    assert out_of_queue(context) == [escalated.submission.id]
    let_time_pass(context)
    found = view(context, escalated)
    assert out_of_queue(context) == [] and found is not None and found.returned
    told = context.database.one(select(ReviewEvent).where(ReviewEvent.kind == "asked"))
    assert told.actor_id == reviewers.ana and told.message is not None
    assert told.message.params["fields"] == ["school_name", "grade"]


def test_parked_for_a_week_and_put_back(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    park(context, reviewers.ana, escalated, "ask Ben")
    found = view(context, escalated)
    assert found is not None and timedelta(days=6) < found.until - utcnow() <= timedelta(days=7)
    ask(context, reviewers.ben, escalated)
    with context.database.session() as session:
        put_back(session, lock_entry(session, escalated.submission.id), reviewers.ben)
        put_back(session, lock_entry(session, escalated.submission.id), reviewers.ben)
    assert view(context, escalated) is None and out_of_queue(context) == []
    assert why_ended(context) == ["replaced", "taken_back"]
    assert context.database.scalar(select(func.count()).where(ReviewEvent.kind == "put_back")) == 1


def test_an_answer_brings_it_back(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    """A value that was not asked for does not; what is parked stays parked."""
    ask(context, reviewers.ana, escalated)
    edit_record(context, reviewers.ben, escalated.submission.id, 1, {"teacher_name": "Ms. Abernathy"})
    assert out_of_queue(context) == [escalated.submission.id]
    edit_record(context, reviewers.ben, escalated.submission.id, 2, {"grade": "4"})
    assert out_of_queue(context) == [] and why_ended(context) == ["answered"]
    park(context, reviewers.ana, escalated)
    edit_record(context, reviewers.ben, escalated.submission.id, 3, {"grade": "5"})
    assert out_of_queue(context) == [escalated.submission.id]


@pytest.mark.parametrize(
    ("action", "why"), [("settle", "answered"), ("reject", "rejected"), ("read_again", "superseded")]
)
def test_a_decision_ends_it(
    context: Context, reviewers: Reviewers, escalated: desk.Entry, action: str, why: str
) -> None:
    ask(context, reviewers.ana, escalated)
    assert escalated.escalation
    resolve_escalation(context, reviewers.ben, escalated.escalation.id, 1, action, {"grade": "4"})  # type: ignore[arg-type]
    assert view(context, escalated) is None and why_ended(context) == [why]


def test_undo_sets_it_aside_again(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    park(context, reviewers.ana, escalated)
    assert escalated.escalation
    resolve_escalation(context, reviewers.ben, escalated.escalation.id, 1, "settle", {"grade": "4"})
    assert why_ended(context) == ["settled"]
    decision = last_decision(context, reviewers.ben)
    assert decision is not None
    undo_decision(context, reviewers.ben, decision)
    assert why_ended(context) == [None] and out_of_queue(context) == [escalated.submission.id]


def test_undo_ends_what_followed_the_decision(
    context: Context, reviewers: Reviewers, proposal: desk.Entry
) -> None:
    """The proposal waits again, and is in the queue."""
    assert proposal.suggestion
    answers = {"school_name": FieldAnswer("approve")}
    decided = decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, answers)
    ask(context, reviewers.ana, proposal)
    undo_decision(context, reviewers.ana, decided.decision_id)
    assert view(context, proposal) is None and why_ended(context) == ["taken_back"]


def test_what_is_refused(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    with pytest.raises(InvalidInputError, match="choose what to ask for"), context.database.session() as session:
        set_aside(session, lock_entry(session, escalated.submission.id), reviewers.ana, AsideKind.ASKED)
    for wrong in ({"until": utcnow() - timedelta(days=1)}, {"until": utcnow() + timedelta(days=400)}):
        with pytest.raises(InvalidInputError, match="within the next year"):
            ask(context, reviewers.ana, escalated, **wrong)
    with pytest.raises(InvalidInputError, match="no such field"):
        ask(context, reviewers.ana, escalated, "word_count")
    assert escalated.escalation
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": "4"})
    with pytest.raises(ConflictError):
        park(context, reviewers.ana, escalated)
