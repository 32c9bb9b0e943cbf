"""The queue of revisions."""

from __future__ import annotations

import uuid

import pytest

from core.models import ReportRevision, ReportSupervision
from services.context import Context
from services.items.holds import take_hold
from services.review.waiting import count_waiting
from services.supervision.revisions import list_revisions, next_revision
from tests.support.factories import make_profile
from tests.support.research.supervisions import make_ended_supervision, make_waiting_supervision


@pytest.fixture
def queue(context: Context) -> list[uuid.UUID]:
    """Three that wait, the oldest first; one loop beside them is over."""
    with context.database.session() as session:
        make_ended_supervision(session)
    for _ in range(3):
        with context.database.session() as session:
            make_waiting_supervision(session)
    return [row.id for row in list_revisions(context).rows]


def test_only_what_waits_is_listed(context: Context, queue: list[uuid.UUID]) -> None:
    assert len(queue) == 3 and (count_waiting(context).reports, count_waiting(context).waiting) == (3, 0)
    line = list_revisions(context).rows[0]
    assert line.issue is not None and line.issue.topic == "attachment theory"
    assert (line.iteration, line.sources, line.held_by) == (2, 1, None)


def test_it_goes_page_by_page(context: Context, queue: list[uuid.UUID]) -> None:
    first = list_revisions(context, limit=2)
    second = list_revisions(context, first.next, limit=2)
    assert [row.id for row in first.rows + second.rows] == queue and second.next is None
    back = list_revisions(context, second.previous, limit=2)
    assert [row.id for row in back.rows] == queue[:2]


def test_the_next_one_is_the_one_behind_and_then_the_first(context: Context, queue: list[uuid.UUID]) -> None:
    assert [next_revision(context, after, None) for after in (None, *queue)] == [*queue, queue[0]]
    before = [next_revision(context, after, None, backwards=True) for after in queue]
    assert before == [None, *queue[:2]]


def test_what_others_hold_is_passed_over(context: Context, queue: list[uuid.UUID]) -> None:
    with context.database.session() as session:
        mine, other = make_profile(session, "officer").id, make_profile(session, "reviewer").id
    take_hold(context, other, "revision", queue[1])
    assert next_revision(context, queue[0], mine) == queue[2]
    assert next_revision(context, queue[0], other) == queue[1]
    held = list_revisions(context).rows[1]
    assert held.held_by_id == other and held.held_until is not None


def test_a_withdrawn_one_waits_for_nobody(context: Context, queue: list[uuid.UUID]) -> None:
    with context.database.session() as session:
        row = session.get_one(ReportRevision, queue[0])
        row.status = "withdrawn"
        assert session.get_one(ReportSupervision, row.supervision_id).status == "awaiting_decision"
    assert [line.id for line in list_revisions(context).rows] == queue[1:]
