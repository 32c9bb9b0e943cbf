"""The desk on a phone and on a tablet: nothing sticks out, and a decision can be made by hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site, Visit
from tests.browser.test_layout import check
from tests.support.review.desk_browser import escalation, proposals, statuses


@pytest.mark.parametrize(("width", "height"), [(360, 740), (820, 1180)])
def test_by_hand(visit: Visit, site: Site, width: int, height: int) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Maximiliana Constantinopoulos-Featherstonehaugh")
    waiting = escalation(site.context)
    page = visit("reviewer", viewport={"width": width, "height": height}, has_touch=True)
    for url in ("/review/suggestions?reason=MISSING_GRADE", "/review/suggestions/bulk", "/review/escalations"):
        page.goto(url)
        check(page)
    for url in (waiting, urls[1], urls[0]):
        page.goto(url)
        check(page)
    page.get_by_role("button", name="Approve", exact=True).tap()
    expect(page.get_by_text("Ana Ruiz: complete.")).to_be_visible()
    check(page)
    assert statuses(site.context)["Ana Ruiz"] == "resolved"
