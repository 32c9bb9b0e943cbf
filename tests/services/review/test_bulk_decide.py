"""Many proposals at once: what is previewed, what is passed over, and taking it back."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from core.errors import InvalidInputError, NotFoundError
from core.models import Page, ReviewDecision, ReviewSuggestion, ReviewSuggestionField, Submission, SubmissionField
from services.context import Context
from services.entries.change import edit_record
from services.items.holds import take_hold
from services.review.bulk import MAX_BULK, BulkChoice, BulkItem, bulk_decide, preview_bulk, undo_bulk
from services.review.decisions import decide_suggestion
from services.review.queues import QueueFilter
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


def choice(found: uuid.UUID, *shown: str) -> BulkChoice:
    return BulkChoice(found, 1, frozenset(shown or ("grade", "school_name")))


def statuses(context: Context) -> Sequence[str]:
    return context.database.scalars(select(ReviewSuggestion.status).order_by(ReviewSuggestion.created_at))


def test_preview(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    take_hold(context, reviewers.ben, "suggestion", proposals[1])
    take_hold(context, reviewers.ana, "suggestion", proposals[2])
    found = preview_bulk(context, reviewers.ana, QueueFilter())
    assert [item.suggestion_id for item in found.items] == [proposals[0], *proposals[2:]]
    assert (found.held, found.total) == (1, 4)
    changes = {(change.name, change.current, change.proposed) for change in found.items[0].changes}
    assert changes == {("grade", None, "4"), ("school_name", "Lakeview Elementary School", "Lakeview Elementary")}
    assert preview_bulk(context, reviewers.ana, QueueFilter(grade="11")).total == 0


def test_what_others_hold_or_decided_is_passed_over(
    context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]
) -> None:
    items = [choice(found) for found in proposals]
    take_hold(context, reviewers.ben, "suggestion", proposals[0])
    decide_suggestion(context, reviewers.ben, proposals[1], 1, {})
    done = bulk_decide(context, reviewers.ana, items, "approve", "as read")
    assert (done.decided, done.held, done.lost) == (2, 1, 1)
    assert statuses(context) == ["pending", "rejected", "approved", "approved"]
    again = bulk_decide(context, reviewers.ana, items, "approve")
    assert (again.decided, again.held, again.lost) == (0, 1, 3)


def test_taking_it_back(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    done = bulk_decide(context, reviewers.ana, [choice(found) for found in proposals], "approve")
    with context.database.session() as session:
        changed = session.get_one(ReviewSuggestion, proposals[3]).submission_id
        version = session.get_one(Submission, changed).version
    edit_record(context, reviewers.ben, changed, version, {"student_name": "Marisol Paz"})
    undone = undo_bulk(context, reviewers.ana, done.bulk_id)
    assert (undone.undone, undone.kept) == (3, 1)
    assert statuses(context) == ["pending", "pending", "pending", "approved"]
    assert (
        context.database.scalars(select(ReviewDecision.bulk_id).where(ReviewDecision.bulk_id.is_not(None)))
        == [done.bulk_id] * 4
    )


def test_rejecting_leaves_the_record(context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]) -> None:
    assert bulk_decide(context, reviewers.ana, [BulkChoice(proposals[0], 1)], "reject").decided == 1
    with context.database.session() as session:
        entry = session.get_one(Submission, session.get_one(ReviewSuggestion, proposals[0]).submission_id)
    assert (entry.status, entry.school_name) == ("escalated", "Lakeview Elementary School")


def test_too_many_and_none(context: Context, reviewers: Reviewers) -> None:
    with pytest.raises(InvalidInputError, match=str(MAX_BULK)):
        bulk_decide(context, reviewers.ana, [choice(reviewers.ana)] * (MAX_BULK + 1), "approve")
    with pytest.raises(NotFoundError):
        undo_bulk(context, reviewers.ana, uuid.uuid4())


def test_a_recognised_value_that_was_not_shown_is_not_approved(
    context: Context, reviewers: Reviewers, proposals: list[uuid.UUID]
) -> None:
    shown = {field.name: field.must_be_shown for field in preview(context, reviewers).changes}
    assert shown == {"school_name": True, "grade": True}
    choices = [BulkChoice(proposals[0], 1), choice(proposals[1], "school_name"), choice(proposals[2])]
    done = bulk_decide(context, reviewers.ana, choices, "approve")
    assert (done.decided, done.unshown) == (1, 2)
    assert statuses(context) == ["pending", "pending", "approved", "pending"]
    assert bulk_decide(context, reviewers.ana, [BulkChoice(proposals[0], 1)], "reject").decided == 1


def preview(context: Context, reviewers: Reviewers) -> BulkItem:
    return preview_bulk(context, reviewers.ana, QueueFilter()).items[0]


@pytest.mark.parametrize("source", ["model", "school_list"])
@pytest.mark.parametrize(("page", "must_be_shown"), [("ocr", True), ("text_layer", False)])
def test_what_was_found_in_a_recognised_text_must_be_shown(
    context: Context, reviewers: Reviewers, source: str, page: str, must_be_shown: bool
) -> None:
    with context.database.session() as session:
        entry = desk.make_proposal(context, session)
        session.execute(update(Page).values(source=page))
        session.execute(
            update(SubmissionField).where(SubmissionField.value.is_not(None)).values(source="text_layer")
        )
        session.execute(update(ReviewSuggestionField).values(source=source))
    assert entry.suggestion
    assert [field.must_be_shown for field in preview(context, reviewers).changes] == [must_be_shown] * 2


@pytest.mark.parametrize(
    ("preferred", "counts", "school"),
    [("as_read", (1, 0), "Sterling Oaks"), ("proposed", (1, 0), "Dierning UAKS Pree"), ("neither", (0, 1), None)],
)
def test_only_what_is_preferred_is_approved(
    context: Context, reviewers: Reviewers, preferred: str, counts: tuple[int, int], school: str | None
) -> None:
    with context.database.session() as session:
        entry = desk.make_doubtful(context, session, preferred=preferred)
    assert entry.suggestion
    done = bulk_decide(context, reviewers.ana, [choice(entry.suggestion.id, "school_name")], "approve")
    assert (done.decided, done.unclear) == counts
    found = context.database.get_one(Submission, entry.submission.id)
    expected = ("resolved", school) if school else ("suggested", "Sterling Oaks")
    assert (found.status, found.school_name) == expected
