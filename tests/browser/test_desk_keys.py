"""Many proposals by keyboard alone, the page never left; keys that a person changes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, Visit
from tests.support.review.desk_browser import arrived_at, doubtful, escalation, proposals, schools, statuses

NAMES = [f"Student {chr(ord('A') + index)}" for index in range(20)]


def open_dialog(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def bind(page: Page, action: str, key: str) -> str:
    """Ask for a key; what the dialog says to it."""
    page.locator(f'[data-binding="{action}"]').click()
    page.keyboard.press(key)
    return page.locator("[data-keys-says]").inner_text()


def test_twenty_proposals_with_twenty_keys(visit: Visit, site: Site) -> None:
    first = proposals(site.context, *NAMES)[0]
    page = visit("reviewer")
    page.goto(first)
    page.evaluate("window.neverLeft = true")
    for name in NAMES:
        arrived_at(page, name)
        page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert set(statuses(site.context).values()) == {"resolved"}
    assert len(statuses(site.context)) == 20


def test_the_next_item_takes_the_place_of_the_decided_one(visit: Visit, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer")
    page.goto(urls[0])
    page.evaluate("window.neverLeft = true")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    assert page.evaluate("window.neverLeft") is True
    assert page.url.endswith(urls[1])
    expect(page.get_by_text("Ana Ruiz: settled.")).to_be_visible()
    page.go_back()
    arrived_at(page, "Ana Ruiz")
    expect(page.get_by_text("Decided by Robin Reviewer")).to_be_visible()


def test_a_digit_goes_round_the_decisions_of_its_field(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    seen = []
    for _ in range(3):
        page.keyboard.press("2")
        seen.append(page.locator("#field-grade input:checked").get_attribute("value"))
    assert seen == ["edit", "reject", "approve"]


@pytest.mark.parametrize(
    ("preferred", "marked", "status"), [("as_read", "keep", "resolved"), ("neither", "reject", "escalated")]
)
def test_one_key_takes_no_worse_value(visit: Visit, site: Site, preferred: str, marked: str, status: str) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison", preferred))
    arrived_at(page, "Lucy Garrison")
    assert page.locator("#field-school_name input:checked").get_attribute("value") == marked
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Sterling Oaks"}
    assert statuses(site.context) == {"Lucy Garrison": status}


def test_the_worse_value_is_chosen_by_two_keys(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    seen = []
    for _ in range(3):
        page.keyboard.press("1")
        seen.append(page.locator("#field-school_name input:checked").get_attribute("value"))
    assert seen == ["reject", "approve", "edit"]
    expect(page.locator("#value-school_name")).to_have_value("Sterling Oaks")
    page.get_by_role("radio", name="Approve").check()
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Dierning UAKS Pree"}


def test_the_help_says_what_the_key_takes(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    open_dialog(page)
    expect(page.get_by_text("only where the proposed value is the likelier one")).to_be_visible()


def test_a_key_is_changed_and_stays_so(visit: Visit, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer")
    page.goto(urls[0])
    arrived_at(page, "Ana Ruiz")
    open_dialog(page)
    assert "is now the key" in bind(page, "approve", "x")
    page.reload()
    expect(page.get_by_role("button", name="Approve as marked").locator(".key-hint")).to_have_text("x")
    page.keyboard.press("a")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("x")
    arrived_at(page, "Theo Okafor")


def test_a_key_that_is_taken_or_no_key_is_refused(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    open_dialog(page)
    assert "taken by “Reject all" in bind(page, "approve", "r")
    assert "cannot be used" in bind(page, "approve", "5")
    assert "cannot be used" in bind(page, "approve", "F2")
    assert "is now the key" in bind(page, "approve", "x")
    page.get_by_role("button", name="Reset the keys").click()
    expect(page.locator('[data-binding="approve"] kbd')).to_have_text("a")


def test_the_list_by_keys(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer")
    page.goto("/review/suggestions")
    expect(page.get_by_role("button", name="Keys")).to_be_visible()
    for key in ("j", "j", "k", "j", "Enter"):
        page.keyboard.press(key)
    arrived_at(page, "Theo Okafor")


def test_an_escalation_by_keys(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    page.keyboard.press("1")
    expect(page.locator("#value-grade")).to_be_focused()
    page.locator("#value-grade").select_option("4")
    page.keyboard.press("Alt+a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert statuses(site.context) == {"Marisol Quintero": "resolved"}
