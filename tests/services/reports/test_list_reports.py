from __future__ import annotations

from decimal import Decimal

import pytest

from services.context import Context
from services.reports.versions import ReportFilter, list_reports, money
from tests.support.factories import make_profile
from tests.support.research.reports import make_finished_report, make_report


@pytest.fixture
def owner(context: Context) -> object:
    """Who asked for three reports, among one of somebody else."""
    with context.database.session() as session:
        person = make_profile(session, "officer", display_name="Olga Officer")
        make_report(session, person, query="What helps at 100% of schools?")
    with context.database.session() as session:
        make_report(session, person, query="Compare 3 reading evenings", report_type="catalog", tier="quick")
        make_finished_report(session, person, query="Ana's question")
        make_report(session, query="Another question")
        return person.id


def test_what_a_line_says(context: Context, owner: object) -> None:
    (row,) = list_reports(context, ReportFilter(status="done")).rows
    assert (row.query, row.asked_by, row.versions) == ("Ana's question", "Olga Officer", 2)
    assert row.cost_usd == Decimal("0.42")


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (ReportFilter(), 4),
        (ReportFilter(status="queued"), 3),
        (ReportFilter(report_type="catalog"), 1),
        (ReportFilter(tier="quick"), 1),
        (ReportFilter(text="QUESTION"), 2),
        (ReportFilter(text="100%"), 1),
        (ReportFilter(text="%"), 1),
        (ReportFilter(text="bring fathers in"), 1),
        (ReportFilter(text="a question", status="failed"), 0),
    ],
)
def test_what_it_is_narrowed_to(context: Context, owner: object, wanted: ReportFilter, count: int) -> None:
    assert len(list_reports(context, wanted).rows) == count


def test_ones_own(context: Context, owner: object) -> None:
    assert len(list_reports(context, ReportFilter(requested_by=owner)).rows) == 3  # type: ignore[arg-type]


def test_a_page_leads_to_the_next_and_back(context: Context, owner: object) -> None:
    first = list_reports(context, ReportFilter(), limit=3)
    second = list_reports(context, ReportFilter(), first.next, limit=3)
    assert [row.query for row in second.rows] == ["What helps at 100% of schools?"] and second.next is None
    back = list_reports(context, ReportFilter(), second.previous, limit=3)
    assert [row.id for row in back.rows] == [row.id for row in first.rows]


@pytest.mark.parametrize("spent", [{}, {"usd": None}, {"usd": "none"}])
def test_nothing_said_costs_nothing(spent: dict[str, object]) -> None:
    assert money(spent) == 0
