"""A loop as its page shows it."""

from __future__ import annotations

import uuid

import pytest

from core.clock import utcnow
from core.errors import NotFoundError
from core.models import ReportRevision, ReportSupervision
from services.context import Context
from services.supervision.timeline import supervision_timeline, supervisions_of
from tests.support.research.supervisions import make_ended_supervision, make_waiting_supervision


def made(context: Context, make) -> ReportSupervision:
    with context.database.session() as session:
        return make(session)


def test_attempts_stand_in_order(context: Context) -> None:
    timeline = supervision_timeline(context, made(context, make_ended_supervision).id)
    assert [one.iteration for one in timeline.attempts] == [1, 2, 3, 4, 5, 6]
    first, rejected, *_, failed = timeline.attempts
    assert [(source.key, source.title) for source in first.sources] == [("hale2018", "The secure base")]
    assert rejected.reason == "It is beside the point." and rejected.decided_by
    assert failed.issue is None and timeline.line.over and not timeline.line.stoppable


def test_a_decision_that_was_taken_is_waited_for_no_more(context: Context) -> None:
    loop = made(context, make_waiting_supervision)
    line = supervision_timeline(context, loop.id).line
    assert (line.standing, line.working) == ("awaiting_decision", False) and line.waiting is not None
    with context.database.session() as session:
        row = session.get_one(ReportRevision, line.waiting)
        row.status, row.decided_by, row.decided_at = "accepted", loop.requested_by, utcnow()
    line = supervision_timeline(context, loop.id).line
    assert (line.standing, line.working, line.waiting) == ("queued", True, None)


def test_its_text_changes_with_what_is_shown(context: Context) -> None:
    loop = made(context, make_waiting_supervision)
    before = repr(supervision_timeline(context, loop.id))
    assert repr(supervision_timeline(context, loop.id)) == before
    with context.database.session() as session:
        session.get_one(ReportSupervision, loop.id).spent = {"usd": 0.5}
    assert repr(supervision_timeline(context, loop.id)) != before


def test_the_loops_of_a_report(context: Context) -> None:
    loop = made(context, make_waiting_supervision)
    made(context, make_ended_supervision)
    assert [line.id for line in supervisions_of(context, loop.report_id)] == [loop.id]
    with pytest.raises(NotFoundError):
        supervision_timeline(context, loop.id, uuid.uuid4())
    with pytest.raises(NotFoundError):
        supervision_timeline(context, uuid.uuid4())
