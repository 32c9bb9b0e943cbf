from __future__ import annotations

import uuid
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from core.clock import utcnow
from core.models import ReviewSuggestion, Submission
from services.context import Context
from services.review.waiting import WaitingFilter, list_waiting, next_waiting
from tests.support import factories
from tests.support.review import desk

NAMES = ("Ana Ruiz", "Theo Okafor", "Ivo Marin")


PROPOSALS = partial(WaitingFilter, kind="suggestion", place=None)
ESCALATIONS = partial(WaitingFilter, kind="escalation", place=None)


def next_id(context: Context, wanted: WaitingFilter, after: uuid.UUID | None, person: uuid.UUID | None) -> Any:
    """The next item of this kind."""
    found = next_waiting(context, wanted, after, person)
    return found.id if found else None


@pytest.fixture
def queue(context: Context) -> dict[str, uuid.UUID]:
    """Three proposals in this order; the second cannot fill the grade in, the third is sure of it."""
    made = {}
    for name, proposed, confidence in zip(NAMES, ("4", None, "5"), (0.6, 0.0, 0.99), strict=True):
        with context.database.session() as session:
            entry = desk.make_entry(
                context,
                session,
                status="suggested",
                student_name=name,
                confidence=confidence,
                missing_fields=["grade"],
            )
            suggestion = factories.make_suggestion(session, factories.make_run(session, entry.submission))
            factories.make_suggestion_field(session, suggestion, proposed_value=proposed, confidence=confidence)
            made[name] = suggestion.id
    return made


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (PROPOSALS(), NAMES),
        (PROPOSALS(status="approved"), ()),
        (PROPOSALS(field="grade"), NAMES),
        (PROPOSALS(field="phone"), ()),
        (PROPOSALS(is_empty=True), NAMES[1:2]),
        (PROPOSALS(is_empty=False), (NAMES[0], NAMES[2])),
        (PROPOSALS(is_empty=True, field="phone"), ()),
        (PROPOSALS(field="grade", min_confidence=0.9), NAMES[2:]),
        (PROPOSALS(max_confidence=0.7), NAMES[:2]),
        (PROPOSALS(batch=uuid.UUID(int=0)), ()),
    ],
)
def test_proposals(
    context: Context, queue: dict[str, uuid.UUID], wanted: WaitingFilter, names: tuple[str, ...]
) -> None:
    assert tuple(row.student_name for row in list_waiting(context, wanted).rows) == names
    first = next_id(context, wanted, None, None)
    assert first == (queue[names[0]] if names else None), "the next follows the list"


def test_of_one_batch(context: Context, queue: dict[str, uuid.UUID]) -> None:
    with context.database.session() as session:
        suggestion = session.get_one(ReviewSuggestion, queue[NAMES[1]])
        batch = factories.make_batch(session)
        session.get_one(Submission, suggestion.submission_id).batch_id = batch.id
    assert [row.student_name for row in list_waiting(context, PROPOSALS(batch=batch.id)).rows] == [NAMES[1]]


def test_next_passes_over_what_others_hold(context: Context, queue: dict[str, uuid.UUID]) -> None:
    first, second, third = queue.values()
    with context.database.session() as session:
        holder = factories.make_profile(session, "reviewer")
        claimed = session.get_one(ReviewSuggestion, second)
        claimed.claimed_by, claimed.claimed_until = holder.id, utcnow() + timedelta(minutes=5)
    stranger = uuid.uuid4()
    assert next_id(context, PROPOSALS(), first, stranger) == third
    assert next_id(context, PROPOSALS(), first, holder.id) == second, "one's own is not passed over"
    shown = list_waiting(context, PROPOSALS()).rows[1]
    assert (shown.held_by_id, shown.held_by) == (holder.id, holder.display_name)
    with context.database.session() as session:
        session.get_one(ReviewSuggestion, second).claimed_until = utcnow() - timedelta(seconds=1)
    assert next_id(context, PROPOSALS(), first, stranger) == second, "a hold ends by itself"
    assert list_waiting(context, PROPOSALS()).rows[1].held_by is None


def test_after_the_last_comes_the_first_again(context: Context, queue: dict[str, uuid.UUID]) -> None:
    first, second, third = queue.values()
    assert next_id(context, PROPOSALS(), third, None) == first
    assert next_id(context, PROPOSALS(max_confidence=0.7), second, None) == first
    assert next_id(context, PROPOSALS(is_empty=True), second, None) is None


def test_escalations(context: Context) -> None:
    made = []
    for name, missing in (("Ana Ruiz", ["grade"]), ("Theo Okafor", [])):
        with context.database.session() as session:
            entry = desk.make_escalated(context, session, student_name=name, missing_fields=missing)
            assert entry.escalation is not None
            made.append((entry.escalation.id, entry.submission.id))
    assert next_id(context, ESCALATIONS(), made[0][0], None) == made[1][0]
    assert next_id(context, ESCALATIONS(field="grade"), made[1][0], None) == made[0][0]
    assert next_id(context, ESCALATIONS(is_empty=False), None, None) == made[1][0]
    page = list_waiting(context, ESCALATIONS(is_empty=True))
    assert [row.student_name for row in page.rows] == ["Ana Ruiz"]
    assert not list_waiting(context, ESCALATIONS(status="resolved")).rows
