"""One answer to many proposals, previewed, taken back; and without JavaScript."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Site, Visit
from tests.support.review.desk_browser import doubtful, proposals, schools, statuses


def test_the_marked_ones_are_decided_and_taken_back(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor", "Luz Ibarra")
    page = visit("reviewer")
    page.goto("/review/suggestions?reason=MISSING_GRADE")
    page.get_by_role("link", name="Approve many").click()
    expect(page.get_by_text("3 proposals match the filter.")).to_be_visible()
    expect(page.get_by_text("0 of 3 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Approve selected")).to_be_disabled()
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("3 of 3 selected")).to_be_visible()
    page.get_by_role("checkbox", name="Theo Okafor").uncheck()
    expect(page.get_by_text("2 of 3 selected")).to_be_visible()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_text("2 proposals decided.")).to_be_visible()
    assert "reason=MISSING_GRADE" in page.url
    decided = {"Ana Ruiz": "resolved", "Theo Okafor": "suggested", "Luz Ibarra": "resolved"}
    assert statuses(site.context) == decided
    page.get_by_role("button", name="Undo", exact=False).first.click()
    expect(page.get_by_text("2 decisions were undone.")).to_be_visible()
    assert set(statuses(site.context).values()) == {"suggested"}


def test_without_javascript(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer", java_script_enabled=False)
    page.goto("/review/suggestions")
    page.get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.locator("h1")).to_have_text("Theo Okafor")
    expect(page.get_by_text("Ana Ruiz: complete.")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("h1")).to_have_text("Ana Ruiz")
    page.goto("/review/suggestions/bulk")
    assert page.get_by_role("checkbox", checked=True).count() == 0
    page.get_by_role("link", name="Select all on this page").click()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_text("2 proposals decided.")).to_be_visible()
    assert set(statuses(site.context).values()) == {"resolved"}


def test_the_picture_of_a_change_is_fetched_when_it_comes_into_sight(visit: Visit, site: Site) -> None:
    # Long enough: on a connection that it takes for slow, Chromium fetches what is 2,500 pixels below the window.
    proposals(site.context, *(f"Student {number}" for number in range(24)))
    page = visit("reviewer")
    page.goto("/review/suggestions/bulk")
    pictures = page.locator(".close-up img")
    expect(pictures).to_have_count(48)
    expect(pictures.first).not_to_have_js_property("naturalWidth", 0)
    expect(pictures.last).to_have_js_property("naturalWidth", 0)
    pictures.last.scroll_into_view_if_needed()
    expect(pictures.last).not_to_have_js_property("naturalWidth", 0)


def test_a_worse_value_is_left_out_of_what_is_approved(visit: Visit, site: Site) -> None:
    doubtful(site.context, "Lucy Garrison")
    page = visit("reviewer")
    page.goto("/review/suggestions/bulk")
    expect(page.get_by_text("stays as read", exact=True)).to_be_visible()
    page.get_by_role("checkbox", name="Lucy Garrison").check()
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_text("1 proposal decided.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Sterling Oaks"}
