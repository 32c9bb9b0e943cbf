"""The desk on a phone and on a tablet: nothing sticks out, and a decision can be made by hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from core.models import Submission, Upload
from tests.browser.conftest import Site, Visit
from tests.browser.test_layout import check
from tests.support.review import desk
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


def test_what_else_the_file_holds_stands_beside_the_values(visit: Visit, site: Site) -> None:
    names = ["Leonor_Constantinopoulos-Featherstonehaugh_fourth_grade_essay_signed.pdf", "ana\u202e.docx"]
    with site.context.database.session() as session:
        entry = desk.make_proposal(site.context, session)
        assert entry.suggestion is not None
        note = {"code": "ATTACHMENTS", "count": 2, "names": names}
        session.execute(update(Upload).where(Upload.id == entry.upload.id).values(notes=[note]))
        codes = ["ATTACHMENTS", "SPLIT_UNCERTAIN", "MISSING_GRADE"]
        session.execute(
            update(Submission).where(Submission.id == entry.submission.id).values(review_reason_codes=codes)
        )
    page = visit("reviewer", viewport={"width": 400, "height": 850})
    item = f"/review/suggestions/{entry.suggestion.id}"
    for url in (item, f"/submissions/{entry.submission.id}", f"/batches/{entry.upload.batch_id}"):
        page.goto(url)
        expect(page.locator("bdi.filename", has_text=names[0]).last).to_be_visible()
        check(page)
    expect(page.get_by_text("Pages may belong to another entry")).to_be_visible()
    page.goto(item)
    # Side by side there would be no room for a word in it.
    reason, approve = (page.locator(one).bounding_box() for one in (".reason input", "[data-act=approve]"))
    assert reason and approve and reason["width"] > 280 and approve["y"] >= reason["y"] + reason["height"]
    essay = page.locator("#label-essay_text").bounding_box()
    assert essay and essay["height"] < 30 < essay["width"]
    source = page.locator(".origin > span").nth(1)
    assert source.evaluate("element => getComputedStyle(element).textOverflow") == "ellipsis"
    advice = page.locator(".advice")
    assert f"/uploads/{entry.upload.id}/original" in str(
        advice.get_by_role("link", name="Original file").get_attribute("href")
    )
    advice.get_by_role("link", name="Correct the split").click()
    page.wait_for_url(f"**/uploads/{entry.upload.id}/split")
