"""Many proposals at once: what is previewed, what is passed over, and taking it back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from core.errors import InvalidInputError, NotFoundError
from core.models import ReviewDecision, ReviewSuggestion, Submission
from services.context import Context
from services.entries.edit_record import edit_record
from services.review.bulk_decide import MAX_BULK, bulk_decide, preview_bulk, undo_bulk
from services.review.decide_suggestion import decide_suggestion
from services.review.hold import claim_suggestion
from services.review.queue_filter import SuggestionFilter
from tests.services.conftest import Reviewers
from tests.support.review import desk


@pytest.fixture
def proposals(context: Context) -> list[uuid.UUID]:
    """Four of them, oldest first."""
    found = []
    for _ in range(4):
        with context.database.session() as session:
            entry = desk.make_proposal(context, session)
            assert entry.suggestion
            found.append(entry.suggestion.id)
    return found


def statuses(context: Context) -> Sequence[str]:
    with context.database.session() as session:
        return session.scalars(select(ReviewSuggestion.status).order_by(ReviewSuggestion.created_at)).all()


def test_preview(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    claim_suggestion(context, reviewers.ben, proposals[1])
    claim_suggestion(context, reviewers.ana, proposals[2])
    found = preview_bulk(context, reviewers.ana, SuggestionFilter())
    assert [item.suggestion_id for item in found.items] == [proposals[0], *proposals[2:]]
    assert (found.held, found.total) == (1, 4)
    changes = {(change.name, change.current, change.proposed) for change in found.items[0].changes}
    assert changes == {
        ("grade", None, "4"),
        ("school_name", "Lakeview Elementary School", "Lakeview Elementary"),
    }
    assert preview_bulk(context, reviewers.ana, SuggestionFilter(grade="11")).total == 0


def test_what_others_hold_or_decided_is_passed_over(
    context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]
) -> None:
    items = [(found, 1) for found in proposals]
    claim_suggestion(context, reviewers.ben, proposals[0])
    decide_suggestion(context, reviewers.ben, proposals[1], 1, {})
    done = bulk_decide(context, reviewers.ana, items, "approve", "as read")
    assert (done.decided, done.held, done.lost) == (2, 1, 1)
    assert statuses(context) == ["pending", "rejected", "approved", "approved"]
    again = bulk_decide(context, reviewers.ana, items, "approve")
    assert (again.decided, again.held, again.lost) == (0, 1, 3)


def test_taking_it_back(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    done = bulk_decide(context, reviewers.ana, [(found, 1) for found in proposals], "approve")
    with context.database.session() as session:
        changed = session.get_one(ReviewSuggestion, proposals[3]).submission_id
        version = session.get_one(Submission, changed).version
    edit_record(context, reviewers.ben, changed, version, {"student_name": "Marisol Paz"})
    undone = undo_bulk(context, reviewers.ana, done.bulk_id)
    assert (undone.undone, undone.kept) == (3, 1)
    assert statuses(context) == ["pending", "pending", "pending", "approved"]
    with context.database.session() as session:
        assert (
            session.scalars(select(ReviewDecision.bulk_id).where(ReviewDecision.bulk_id.is_not(None))).all()
            == [done.bulk_id] * 4
        )


def test_rejecting_leaves_the_record(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    assert bulk_decide(context, reviewers.ana, [(proposals[0], 1)], "reject").decided == 1
    with context.database.session() as session:
        entry = session.get_one(Submission, session.get_one(ReviewSuggestion, proposals[0]).submission_id)
    assert (entry.status, entry.school_name) == ("escalated", "Lakeview Elementary School")


def test_too_many_and_none(context: Context, reviewers: Reviewers) -> None:
    with pytest.raises(InvalidInputError, match=str(MAX_BULK)):
        bulk_decide(context, reviewers.ana, [(reviewers.ana, 1)] * (MAX_BULK + 1), "approve")
    with pytest.raises(NotFoundError):
        undo_bulk(context, reviewers.ana, uuid.uuid4())
