"""What a decision took is kept where the office has said so, and nowhere else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import Escalation, ReviewEffort, ReviewSuggestion, Submission
from services.context import Context
from services.entries.change import edit_record
from services.items.holds import release_hold, take_hold
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from tests.services.conftest import Reviewers
from tests.support.review import desk

ANSWERS = {"grade": FieldAnswer("edit", "5")}


@pytest.fixture
def measured(context: Context) -> None:
    context.settings = context.settings.model_copy(update={"measure_review_effort": True})


def efforts(context: Context) -> list[tuple[int, int | None]]:
    return [(row.edits, row.seconds) for row in context.database.scalars(select(ReviewEffort))]


def open_for(context: Context, seconds: int) -> None:
    """Have all that is held be held for so long already."""
    with context.database.session() as session:
        for item in (ReviewSuggestion, Escalation):
            of_held = update(item).where(item.held_since.is_not(None))
            session.execute(of_held.values(held_since=utcnow() - timedelta(seconds=seconds)))


def test_nothing_is_kept_unless_it_was_asked_for(
    context: Context, reviewers: Reviewers, proposal: desk.Entry
) -> None:
    assert proposal.suggestion
    take_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    assert context.database.scalars(select(ReviewSuggestion.held_since)) == [None]
    decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, ANSWERS)
    assert efforts(context) == []


@pytest.mark.usefixtures("measured")
def test_the_time_from_opening_to_decision(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    """A page that stays open prolongs its hold; one that was left begins anew."""
    assert proposal.suggestion
    take_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    open_for(context, 500)
    release_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    take_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    open_for(context, 90)
    take_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, ANSWERS)
    ((edits, seconds),) = efforts(context)
    assert edits == 1 and seconds is not None and 90 <= seconds < 150


@pytest.mark.usefixtures("measured")
def test_what_was_not_held_has_no_time(context: Context, reviewers: Reviewers, escalated: desk.Entry) -> None:
    """Decided from outside the page, as by the interface, or after the hold of somebody else ran out."""
    assert escalated.escalation
    take_hold(context, reviewers.ben, "escalation", escalated.escalation.id)
    context.database.execute(update(Escalation).values(claimed_until=utcnow() - timedelta(seconds=1)))
    resolve_escalation(context, reviewers.ana, escalated.escalation.id, 1, "settle", {"grade": "4"})
    version = context.database.one(select(Submission.version))
    edit_record(context, reviewers.ana, escalated.submission.id, version, {"grade": "6"})
    assert efforts(context) == [(1, None), (1, None)]
