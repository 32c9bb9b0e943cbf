"""Holds: one holder, prolonged by asking again, taken over once they ran out, cleared by the decision."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import text, update

from core.clock import utcnow
from core.errors import ConflictError, HeldError, NotFoundError
from core.models import Escalation, ReviewSuggestion
from services.context import Context
from services.items.holds import Kind, hold_if_free, release_hold, take_hold
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.escalations import resolve_escalation
from tests.services.conftest import Reviewers
from tests.support.review import desk


def ids(proposal: desk.Entry, escalated: desk.Entry) -> dict[Kind, uuid.UUID]:
    assert proposal.suggestion and escalated.escalation
    return {"suggestion": proposal.suggestion.id, "escalation": escalated.escalation.id}


def expire(context: Context) -> None:
    with context.database.session() as session:
        for item in (ReviewSuggestion, Escalation):
            session.execute(update(item).values(claimed_until=utcnow() - timedelta(seconds=1)))


@pytest.mark.parametrize("kind", ["suggestion", "escalation"])
def test_one_holder(
    context: Context, reviewers: Reviewers, proposal: desk.Entry, escalated: desk.Entry, kind: Kind
) -> None:
    item = ids(proposal, escalated)[kind]
    first = take_hold(context, reviewers.ana, kind, item)
    assert first.mine and first.holder_name == "Ana Ruiz" and first.version == 1
    other = take_hold(context, reviewers.ben, kind, item)
    assert not other.mine and other.holder_id == reviewers.ana and other.until == first.until
    assert take_hold(context, reviewers.ana, kind, item).until > first.until
    release_hold(context, reviewers.ben, kind, item)
    assert not take_hold(context, reviewers.ben, kind, item).mine
    expire(context)
    assert take_hold(context, reviewers.ben, kind, item).mine
    release_hold(context, reviewers.ben, kind, item)
    assert take_hold(context, reviewers.ana, kind, item).mine


def test_who_holds_it_is_said_to_who_decides(
    context: Context, reviewers: Reviewers, proposal: desk.Entry, escalated: desk.Entry
) -> None:
    found = ids(proposal, escalated)
    for kind, item in found.items():
        take_hold(context, reviewers.ana, kind, item)
    with pytest.raises(HeldError, match="Ana Ruiz"):
        decide_suggestion(context, reviewers.ben, found["suggestion"], 1, {})
    with pytest.raises(HeldError, match="Ana Ruiz"):
        resolve_escalation(context, reviewers.ben, found["escalation"], 1, "reject", {})
    expire(context)
    resolve_escalation(context, reviewers.ben, found["escalation"], 1, "reject", {})
    with pytest.raises(ConflictError, match="rejected by Ben Okoro"):
        take_hold(context, reviewers.ana, "escalation", found["escalation"])


def test_deciding_ends_the_hold(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    assert proposal.suggestion
    take_hold(context, reviewers.ana, "suggestion", proposal.suggestion.id)
    decide_suggestion(context, reviewers.ana, proposal.suggestion.id, 1, {"grade": FieldAnswer("approve")})
    row = context.database.get_one(ReviewSuggestion, proposal.suggestion.id)
    assert (row.claimed_by, row.claimed_until) == (None, None)


def test_a_hold_does_not_wait_for_the_disk(context: Context, reviewers: Reviewers, proposal: desk.Entry) -> None:
    assert proposal.suggestion
    with context.database.session() as session:
        session.execute(text("set local synchronous_commit = on"))
        assert hold_if_free(context, session, reviewers.ana, "suggestion", proposal.suggestion.id)
        assert session.scalar(text("show synchronous_commit")) == "off"


def test_there_is_none(context: Context, reviewers: Reviewers) -> None:
    with pytest.raises(NotFoundError):
        take_hold(context, reviewers.ana, "suggestion", uuid.uuid4())
