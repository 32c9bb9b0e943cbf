"""The page of statistics, its tables as CSV, and the entries behind its figures."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.models import ReviewDecision, RunFact
from services.context import Context
from services.stats.figures import Figure
from services.stats.lists import list_counted, orchestrator_stats
from services.stats.occurrences import Kind, StatsFilter
from tests.support import factories
from tests.support.stats.filled import fill_statistics
from tests.support.stats.made_runs import MadeRuns

PAGE = "/admin/orchestrator_stats"
#: What is drawn lies within the last year, and the 90 days before that are not all of it.
LATELY = utcnow() - timedelta(days=120)


@pytest.fixture
def filled(context: Context) -> None:
    with context.database.session() as session:
        fill_statistics(session)


def test_the_page(signed_in, filled: None) -> None:
    page = signed_in("auditor").get(PAGE).text
    assert "The form is blank." in page and "50 %" in page
    assert 'class="bar-completed"' in page and "Retries that helped" in page
    for name in ("nodes", "models", "acceptance_by_field", "settled", "effort"):
        assert f'id="{name}"' in page


def test_figures_of_the_moment_stand_apart_from_those_of_the_period(signed_in, filled: None) -> None:
    page = signed_in("auditor").get(f"{PAGE}?days=7").text
    moment, period = page.split('id="moment"')[1].split('id="period"')
    assert "Proposals waiting" in moment and "Total runs" not in moment
    assert "In the last 7 days" in period and "Total runs" in period and "Proposals waiting" not in period


def test_of_nothing(signed_in) -> None:
    page = signed_in("admin").get(f"{PAGE}?days=nonsense&form=nobody&batch=none&school=").text
    assert "No runs ended in this period." in page and "Nothing was escalated." in page


def test_a_longer_period_is_drawn_by_months(signed_in, filled: None) -> None:
    page = signed_in("auditor").get(f"{PAGE}?days=365").text
    assert 'class="bar-completed"' in page


def test_a_table_as_csv(signed_in, filled: None) -> None:
    client = signed_in("auditor")
    rows = list(csv.DictReader(io.StringIO(client.get(f"{PAGE}/reasons.csv").text)))
    assert [(row["reason"], bool(row["field"]), row["runs"], row["before"]) for row in rows] == [
        ("blank_form", False, "2", "1"),
        ("nothing_to_propose", False, "1", "0"),
        ("nothing_to_propose", True, "1", "0"),
    ]
    assert client.get(f"{PAGE}/nothing.csv").status_code == 404
    tables = re.findall(rf'href="({PAGE}/[a-z_]+\.csv\?[^"]*)"', client.get(PAGE).text)
    assert len(tables) == 13
    assert all(client.get(unescape(address)).status_code == 200 for address in tables)


def test_only_overseers(signed_in) -> None:
    client = signed_in("reviewer")
    for address in (PAGE, f"{PAGE}/reasons.csv", f"{PAGE}/submissions"):
        assert client.get(address).status_code == 403


def test_unknown_figures_are_no_pages(signed_in) -> None:
    client = signed_in("auditor")
    assert client.get(f"{PAGE}/submissions?kind=nonsense").status_code == 404
    assert client.get(f"{PAGE}/submissions?key=*&key=a&key=b&key=c&key=d&from=2026-13-01").status_code == 200
    assert client.get(f"{PAGE}/submissions?kind=run&page=nonsense").status_code == 400


def test_every_figure_is_the_number_of_its_occurrences(context: Context) -> None:
    """Figures that count runs have as many entries behind them; the others at least one, and none too many."""
    with context.database.session() as session:
        MadeRuns(session, 8, LATELY).add(60)
        some = session.scalars(select(RunFact).where(RunFact.school_id.is_not(None)).limit(1)).one()
    for wanted in (
        StatsFilter(365),
        StatsFilter(90, profile=some.profile or ""),
        StatsFilter(365, language="", ocr_provider="rapidocr"),
        StatsFilter(365, batch_id=some.batch_id),
        StatsFilter(365, school_id=some.school_id),
    ):
        stats = orchestrator_stats(context, wanted)
        for table in stats.tables.values():
            for row in table.rows:
                for column, figure in row.behind.items():
                    number = row.values[column]
                    listed = len(list_counted(context, wanted, figure, limit=500).rows)
                    assert isinstance(number, int)
                    if figure.kind in (Kind.RUN, Kind.FIELD, Kind.DOUBT):
                        assert listed == number, (table.name, row)
                    elif figure.kind is Kind.UNDONE:
                        assert listed <= number
                    else:
                        assert (0 < listed <= number) == (number > 0), (table.name, row)
        assert stats.runs == len(list_counted(context, wanted, Figure(Kind.RUN), limit=500).rows)
        assert sum(day.total for day in stats.by_day) == stats.runs


def test_a_decision_taken_back_is_behind_no_figure(context: Context) -> None:
    with context.database.session() as session:
        MadeRuns(session, 8, LATELY).add(40)
        standing = {
            decision.before["run"]["run_id"]
            for decision in session.scalars(select(ReviewDecision).where(ReviewDecision.undone_at.is_(None)))
            if "counted" in decision.before
        }
    rows = list_counted(context, StatsFilter(365), Figure(Kind.BY_PERSON), limit=500).rows
    assert {row.run_id for row in rows} == standing


def test_from_page_to_page(signed_in, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        for index in range(60):
            submission = factories.make_submission(session, upload, chunk_index=index, status="completed")
            factories.make_fact(session, factories.make_run(session, submission), reason="confident")
    client = signed_in("auditor")
    first = client.get(f"{PAGE}/submissions?kind=run&key=completed").text
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following is not None and first.count("/submissions/") >= 50
    second = client.get(unescape(following[1])).text
    entries = [set(re.findall(r'href="/submissions/([0-9a-f-]{36})"', page)) for page in (first, second)]
    assert (len(entries[0]), len(entries[1]), entries[0] & entries[1]) == (50, 10, set())
