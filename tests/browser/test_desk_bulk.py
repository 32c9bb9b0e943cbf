"""One answer to many proposals, previewed, taken back; and without JavaScript."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Site, Visit
from tests.support.review.desk_browser import proposals, statuses


def test_the_marked_ones_are_decided_and_taken_back(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor", "Luz Ibarra")
    page = visit("reviewer")
    page.goto("/review/suggestions?reason=MISSING_GRADE")
    page.get_by_role("link", name="Decide many").click()
    expect(page.get_by_text("3 proposals fit the filter.")).to_be_visible()
    page.get_by_label("Theo Okafor").uncheck()
    expect(page.get_by_text("2 of 3 marked")).to_be_visible()
    page.get_by_role("button", name="Approve the marked ones").click()
    expect(page.get_by_text("2 proposals decided.")).to_be_visible()
    assert "reason=MISSING_GRADE" in page.url
    decided = {"Ana Ruiz": "resolved", "Theo Okafor": "suggested", "Luz Ibarra": "resolved"}
    assert statuses(site.context) == decided
    page.get_by_role("button", name="Undo", exact=False).first.click()
    expect(page.get_by_text("2 decisions were taken back.")).to_be_visible()
    assert set(statuses(site.context).values()) == {"suggested"}


def test_without_javascript(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer", java_script_enabled=False)
    page.goto("/review/suggestions")
    page.get_by_role("link", name="Start with the first").click()
    page.get_by_role("button", name="Approve as marked").click()
    expect(page.locator("h1")).to_have_text("Theo Okafor")
    expect(page.get_by_text("Ana Ruiz: settled.")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("h1")).to_have_text("Ana Ruiz")
    page.goto("/review/suggestions/bulk")
    page.get_by_role("button", name="Approve the marked ones").click()
    expect(page.get_by_text("2 proposals decided.")).to_be_visible()
    assert set(statuses(site.context).values()) == {"resolved"}
