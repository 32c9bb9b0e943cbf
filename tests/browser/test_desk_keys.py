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
    expect(page.get_by_text("Ana Ruiz: complete.")).to_be_visible()
    page.go_back()
    arrived_at(page, "Ana Ruiz")
    expect(page.get_by_text("Decided by Robin Reviewer")).to_be_visible()


def checked(page: Page, field: str) -> str | None:
    return page.locator(f"#field-{field} input[type=radio]:checked").get_attribute("value")


def test_a_digit_goes_to_its_field_and_changes_nothing(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    before = page.evaluate("JSON.stringify([...new FormData(document.querySelector('form[data-decide]'))])")
    for key in ("3", "3", "2"):
        page.keyboard.press(key)
    expect(page.locator("#field-school_name")).to_be_focused()
    after = page.evaluate("JSON.stringify([...new FormData(document.querySelector('form[data-decide]'))])")
    assert before == after


@pytest.mark.parametrize(("preferred", "marked"), [("as_read", "keep"), ("neither", "reject")])
def test_one_key_takes_no_worse_value(visit: Visit, site: Site, preferred: str, marked: str) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison", preferred))
    arrived_at(page, "Lucy Garrison")
    assert checked(page, "school_name") == marked
    page.keyboard.press("a")
    if marked == "reject":
        expect(page.locator("[data-desk-says]")).to_contain_text("Still open: School")
        expect(page.locator("#field-school_name")).to_be_focused()
        assert statuses(site.context) == {"Lucy Garrison": "suggested"}, "nothing is left open by default"
        page.keyboard.press("l")
        page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Sterling Oaks"}
    assert statuses(site.context) == {"Lucy Garrison": "resolved"}


def test_the_worse_value_is_taken_by_a_key_of_its_own(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("d")
    expect(page.locator("#field-school_name")).to_be_focused()
    seen = []
    for key in ("t", "l", "t"):
        page.keyboard.press(key)
        seen.append(checked(page, "school_name"))
    assert seen == ["approve", "keep", "approve"]
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Dierning UAKS Pree"}


def test_edit_types_and_enter_goes_on_without_deciding(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison", "neither"))
    arrived_at(page, "Lucy Garrison")
    page.keyboard.press("e")
    expect(page.locator("#value-school_name")).to_be_focused()
    page.keyboard.type("Sterling Oaks Prep")
    page.keyboard.press("Enter")
    expect(page.locator("#field-school_name")).to_be_focused()
    assert statuses(site.context) == {"Lucy Garrison": "suggested"}
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert schools(site.context) == {"Lucy Garrison": "Sterling Oaks Prep"}


def test_enter_in_the_reason_decides_nothing(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz")
    page = visit("reviewer")
    page.goto("/review/first")
    arrived_at(page, "Ana Ruiz")
    reason = page.get_by_placeholder("Reason (optional)")
    reason.fill("the father wrote so")
    reason.press("Enter")
    page.goto("/review/first")
    arrived_at(page, "Ana Ruiz")
    assert statuses(site.context) == {"Ana Ruiz": "suggested"}


def test_what_stays_open_is_said_before_and_one_key_asks_for_it(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    says = page.locator("[data-desk-says]")
    expect(says).to_contain_text("Still open: Grade")
    page.keyboard.press("a")
    expect(page.locator("#field-grade")).to_be_focused()
    expect(page.locator("#value-grade")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("q")
    expect(says).to_contain_text("Will be asked for: Grade")
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    expect(page.get_by_text("Marisol Quintero: added to the letter list (Grade).")).to_be_visible()
    page.get_by_role("link", name="Asked for 1").click()
    expect(page.get_by_role("link", name="Marisol Quintero")).to_be_visible()
    page.goto("/submissions/missing")
    expect(page.locator("main")).to_contain_text("Lakeview Elementary School")


def test_one_key_parks_with_a_note(visit: Visit, site: Site) -> None:
    proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer")
    page.goto("/review/first")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("p")
    page.keyboard.type("ask Ms. Abernathy")
    page.keyboard.press("Enter")
    arrived_at(page, "Theo Okafor")
    expect(page.get_by_text("Ana Ruiz: parked.")).to_be_visible()
    assert statuses(site.context)["Ana Ruiz"] == "suggested"
    page.goto("/review?place=parked")
    expect(page.get_by_text("ask Ms. Abernathy")).to_be_visible()
    page.get_by_role("link", name="Ana Ruiz").click()
    page.get_by_role("button", name="Return to the queue").click()
    expect(page.get_by_text("Ana Ruiz: back in the queue.")).to_be_visible()
    expect(page.get_by_role("button", name="Return to the queue")).to_have_count(0)
    page.goto("/review")
    expect(page.get_by_role("link", name="Ana Ruiz")).to_be_visible()


def test_nothing_is_approved_by_a_key_that_was_not_in_view(visit: Visit, site: Site) -> None:
    page = visit("reviewer", viewport={"width": 1400, "height": 330}, reduced_motion="no-preference")
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("a")
    expect(page.locator("[data-desk-says]")).to_contain_text("not in view")
    assert statuses(site.context) == {"Ana Ruiz": "suggested"}
    for _ in range(3):
        page.wait_for_timeout(200)
        page.keyboard.press("a")
    expect(page.get_by_text("Ana Ruiz: complete.")).to_be_visible()


def test_all_fields_of_an_entry_are_on_one_screen(visit: Visit, site: Site) -> None:
    page = visit("reviewer", viewport={"width": 1400, "height": 900})
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    bottom = page.locator(".decide-bar").bounding_box()
    assert bottom is not None
    for row in page.locator(".desk-rows").first.locator(".desk-row").all():
        box = row.bounding_box()
        assert box is not None and box["y"] + box["height"] <= bottom["y"] and box["height"] <= 90


def test_the_help_says_what_the_key_takes(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(doubtful(site.context, "Lucy Garrison"))
    arrived_at(page, "Lucy Garrison")
    open_dialog(page)
    expect(page.get_by_text("only if the proposed value is more likely")).to_be_visible()


def test_a_key_is_changed_and_stays_so(visit: Visit, site: Site) -> None:
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer")
    page.goto(urls[0])
    arrived_at(page, "Ana Ruiz")
    open_dialog(page)
    assert "is now the key" in bind(page, "approve", "x")
    page.reload()
    expect(page.get_by_role("button", name="Approve", exact=True).locator(".key-hint")).to_have_text("x")
    page.keyboard.press("a")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("x")
    arrived_at(page, "Theo Okafor")


def test_a_key_that_is_taken_or_no_key_is_refused(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(proposals(site.context, "Ana Ruiz")[0])
    arrived_at(page, "Ana Ruiz")
    open_dialog(page)
    assert "taken by “Reject the entry" in bind(page, "approve", "r")
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
    page.keyboard.press("e")
    expect(page.locator("#value-grade")).to_be_focused()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert statuses(site.context) == {"Marisol Quintero": "resolved"}


def test_escape_leaves_a_drop_down_and_the_keys_are_about_its_row(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    grade = page.locator("#value-grade")
    grade.focus()
    page.keyboard.press("q")
    expect(grade).to_be_focused()
    ask = page.locator('#field-grade input[name="ask"]')
    expect(ask).not_to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#field-grade")).to_be_focused()
    page.keyboard.press("q")
    expect(ask).to_be_checked()
    open_dialog(page)
    expect(page.get_by_role("dialog")).to_contain_text("Leave an input or a drop-down list")
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport()
