"""What was typed survives paging, a lost session and a failed request; a decision can be taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PASSWORD, Site, Visit
from tests.support.review.desk_browser import arrived_at, decided, escalation, proposals, statuses


@pytest.fixture
def page(visit: Visit, site: Site) -> Page:
    """The first of two proposals; failures of the network are part of the tests."""
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer", tolerate="Failed to load resource")
    page.goto(urls[0])
    arrived_at(page, "Ana Ruiz")
    return page


def type_a_school(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("e")
    page.keyboard.type("Harbour Street School")


def test_paging_keeps_what_was_typed(page: Page) -> None:
    type_a_school(page)
    page.keyboard.press("Alt+j")
    arrived_at(page, "Theo Okafor")
    page.keyboard.press("k")
    arrived_at(page, "Ana Ruiz")
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    expect(page.get_by_text("What you had typed here was restored.")).to_be_visible()
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("#value-school_name")).to_have_value("Lakeview Elementary")
    page.reload()
    arrived_at(page, "Ana Ruiz")
    expect(page.get_by_text("What you had typed here was restored.")).to_be_hidden()


def test_a_session_that_ends_in_the_middle_of_an_edit(page: Page, site: Site) -> None:
    type_a_school(page)
    page.context.clear_cookies()
    page.keyboard.press("Alt+a")
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
    assert statuses(site.context)["Ana Ruiz"] == "suggested"
    # An answer that was under way may have brought the session back.
    page.context.clear_cookies()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail address").fill("reviewer@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    arrived_at(page, "Ana Ruiz")
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    assert statuses(site.context)["Ana Ruiz"] == "resolved"


def test_signing_out_elsewhere_takes_drafts_along_and_the_page_says_so(page: Page) -> None:
    school = page.locator("#value-school_name")
    school.evaluate("(input) => { input.value = 'Harbour Street School'; }")
    school.dispatch_event("input")
    other = page.context.new_page()
    other.goto("/submissions")
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url("**/sign-in**")
    page.keyboard.press("Alt+a")
    expect(page.get_by_role("alert")).to_contain_text("What you typed is only on this page")
    expect(school).to_have_value("Harbour Street School")


def test_a_session_that_ends_before_anything_was_typed(page: Page) -> None:
    page.context.clear_cookies()
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("Sign in and decide again.")


def test_a_request_that_fails_loses_nothing(page: Page, site: Site) -> None:
    def fail(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    type_a_school(page)
    page.route("**/review/suggestions/*", fail)
    page.keyboard.press("Alt+a")
    expect(page.get_by_role("alert")).to_contain_text("The server is not responding")
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    page.unroute("**/review/suggestions/*")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    assert statuses(site.context)["Ana Ruiz"] == "resolved"


def test_a_value_that_does_not_fit_is_said_where_it_was_typed(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("e")
    page.locator("#value-school_name").fill("n" * 400)
    page.keyboard.press("Alt+a")
    expect(page.get_by_role("alert")).to_contain_text("at most 300 characters")
    arrived_at(page, "Ana Ruiz")


def test_undo_by_key_goes_back_to_the_item(page: Page, site: Site) -> None:
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    page.keyboard.press("u")
    arrived_at(page, "Ana Ruiz")
    expect(page.get_by_text("Undone.")).to_be_visible()
    assert statuses(site.context)["Ana Ruiz"] == "suggested"
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")


def test_undo_brings_back_what_was_typed(page: Page) -> None:
    type_a_school(page)
    page.keyboard.press("Alt+a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    page.keyboard.press("u")
    arrived_at(page, "Ana Ruiz")
    expect(page.get_by_text("It has not been submitted.")).to_be_visible()
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("#value-school_name")).not_to_have_value("Harbour Street School")
    page.reload()
    arrived_at(page, "Ana Ruiz")
    expect(page.locator("#value-school_name")).not_to_have_value("Harbour Street School")


def test_advice_while_typing(visit: Visit, site: Site) -> None:
    page = visit("reviewer")
    page.goto(escalation(site.context))
    arrived_at(page, "Marisol Quintero")
    phone = page.locator("#value-phone")
    phone.fill("555")
    expect(page.get_by_text("A phone number has seven to fifteen digits.")).to_be_visible()
    assert phone.get_attribute("aria-invalid") == "true"
    phone.fill("(212) 555-0142")
    expect(page.get_by_text("A phone number has seven to fifteen digits.")).to_be_hidden()
