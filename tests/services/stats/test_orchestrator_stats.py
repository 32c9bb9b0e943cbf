from __future__ import annotations

from datetime import timedelta

from core.clock import utcnow
from services.context import Context
from services.stats.orchestrator_stats import orchestrator_stats
from tests.support import factories
from tests.support.review import desk


def test_counts_of_the_window(context: Context) -> None:
    today = utcnow().date()
    with context.database.session() as session:
        factories.make_daily(session, day=today, outcome="completed", runs=6, tools=6)
        factories.make_daily(
            session, day=today - timedelta(days=6), outcome="escalated", reason="blank_form", runs=2, tools=8
        )
        factories.make_daily(session, day=today, outcome="escalated", reason="low_confidence", runs=1, tools=4)
        factories.make_daily(session, day=today - timedelta(days=7), outcome="completed", runs=100, tools=100)
        factories.make_daily(session, day=today, outcome="resolved", reason="decided_by_person", runs=5, tools=0)
    stats = orchestrator_stats(context, days=7)
    assert stats.outcomes == {"completed": 6, "suggested": 0, "escalated": 3, "failed": 0}
    assert stats.runs == 9
    assert stats.average_tools == 2.0
    assert stats.escalation_reasons == [("blank_form", 2), ("low_confidence", 1)]
    assert stats.decisions == {"resolved": 5}
    assert [day.total for day in stats.by_day] == [2, 0, 0, 0, 0, 0, 7]


def test_what_waits(context: Context) -> None:
    with context.database.session() as session:
        desk.make_proposal(context, session)
        desk.make_escalated(context, session)
        desk.make_escalated(context, session)
    stats = orchestrator_stats(context)
    assert (stats.waiting_suggestions, stats.waiting_escalations) == (1, 2)


def test_nothing(context: Context) -> None:
    stats = orchestrator_stats(context, days=1)
    assert (stats.runs, stats.average_tools, stats.escalation_reasons) == (0, None, [])
