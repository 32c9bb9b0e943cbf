"""The queue of revisions beside that of entries."""

from __future__ import annotations

from services.context import Context
from tests.support.research.supervisions import make_waiting_supervision
from tests.support.review import desk as entries


def test_both_queues_are_counted(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entries.make_proposal(context, session)
        make_waiting_supervision(session)
        make_waiting_supervision(session)
    page = signed_in("reviewer").get("/review/suggestions").text
    assert 'Waiting <span class="count">1</span>' in page and 'Reports <span class="count">2</span>' in page
    page = signed_in("reviewer").get("/review/suggestions/reports").text
    assert page.count('<li class="queue-item">') == 2 and "attachment theory" in page
    assert "just now" in page and "Underlying theory" in page and "Start" in page


def test_an_officer_sees_reports_and_no_entries(signed_in, context: Context) -> None:
    with context.database.session() as session:
        entries.make_proposal(context, session)
    desk = signed_in("officer")
    page = desk.get("/review/suggestions", follow_redirects=True).text
    assert "No report revisions are waiting." in page
    assert 'href="/review/suggestions"' not in page and "Entries" not in page
    assert signed_in("uploader").get("/review/suggestions/reports").status_code == 403
    assert "Start" not in signed_in("auditor").get("/review/suggestions/reports").text
