"""The queue of revisions beside that of entries."""

from __future__ import annotations

from services.context import Context
from services.queries.reports import list_revisions
from tests.support import desk as entries
from tests.support.supervisions import make_waiting_supervision


def test_both_queues_are_counted(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entries.make_proposal(context, session)
        make_waiting_supervision(session)
        make_waiting_supervision(session)
    page = signed_in("reviewer").get("/review/suggestions").text
    assert 'Entries <span class="count">1</span>' in page and 'Reports <span class="count">2</span>' in page
    page = signed_in("reviewer").get("/review/suggestions/reports").text
    assert page.count('<li class="queue-item">') == 2 and "attachment theory" in page
    assert "just now" in page and "Underlying theory" in page and "Start with the first" in page


def test_an_officer_sees_reports_and_no_entries(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entries.make_proposal(context, session)
    desk = signed_in("officer")
    page = desk.get("/review/suggestions", follow_redirects=True).text
    assert "No revision of a report waits for anybody." in page
    assert 'href="/review/suggestions"' not in page and "Entries" not in page
    assert signed_in("uploader").get("/review/suggestions/reports").status_code == 403
    assert "Start with the first" not in signed_in("auditor").get("/review/suggestions/reports").text


def test_it_goes_page_by_page(context: Context) -> None:
    with context.database.session() as session:
        for _ in range(3):
            make_waiting_supervision(session)
    first = list_revisions.list_revisions(context, limit=2)
    second = list_revisions.list_revisions(context, first.next, limit=2)
    assert [len(first.rows), len(second.rows)] == [2, 1] and second.next is None
    assert not {row.id for row in first.rows} & {row.id for row in second.rows}
    back = list_revisions.list_revisions(context, second.previous, limit=2)
    assert [row.id for row in back.rows] == [row.id for row in first.rows]
