"""Sessions and the second factor, as a person meets them."""

from __future__ import annotations

import time

import pyotp
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Site, Visit, sign_in
from tests.browser.test_accessibility import _OPTIONS, violations

EMAIL = "reviewer@example.org"


def give_code(page: Page, code: str, button: str) -> None:
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("main").get_by_role("button", name=button).click()


def test_a_second_factor(site: Site, visit: Visit) -> None:
    page = visit("reviewer", by_form=True, tolerate="401 (UNAUTHORIZED)")
    page.get_by_role("link", name="Your account", exact=True).click()
    page.get_by_role("link", name="Two-step verification").click()
    picture = page.get_by_alt_text("QR code of the key below")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    totp = pyotp.TOTP(page.get_by_label("Key").input_value())
    give_code(page, "000000", "Turn it on")
    expect(page.get_by_role("alert")).to_contain_text("is incorrect")
    give_code(page, totp.now(), "Turn it on")
    expect(page.get_by_role("heading", name="Two-step verification is on")).to_be_visible()
    recovery = page.locator(".recovery code").first.inner_text()
    found = violations(page, _OPTIONS)
    page.get_by_role("button", name="Sign out").click()
    sign_in_with_password(page)
    found += violations(page, _OPTIONS)
    give_code(page, totp.at(int(time.time()) + 30), "Sign in")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    sign_in_with_password(page)
    give_code(page, recovery, "Sign in")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert found == []


def sign_in_with_password(page: Page) -> None:
    page.get_by_label("E-mail address").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in/code" in url)


def test_one_browser_ends_the_session_of_another(site: Site, visit: Visit) -> None:
    desk = visit("reviewer", by_form=True)
    laptop = visit(tolerate="401 (UNAUTHORIZED)")
    sign_in(laptop, EMAIL)
    desk.goto("/account")
    row = desk.get_by_role("row").filter(has=desk.get_by_role("button", name="End Chrome, Linux"))
    expect(desk.get_by_role("row").filter(has_text="This browser")).to_have_count(1)
    row.get_by_role("button", name="End").click()
    expect(desk.get_by_text("The session was ended.")).to_be_visible()
    laptop.goto("/submissions")
    expect(laptop.get_by_role("heading", name="Sign in")).to_be_visible()
    desk.goto("/submissions")
    expect(desk.get_by_role("heading", name="Entries")).to_be_visible()


def test_drafts_leave_at_sign_out(site: Site, visit: Visit) -> None:
    page = visit("reviewer", by_form=True)
    page.evaluate(
        """() => {
            localStorage.setItem("second-reader.draft:me:essay:1:1", "typed");
            localStorage.setItem("second-reader.keys", "{}");
            sessionStorage.setItem("second-reader.split:me:/x", "typed");
        }"""
    )
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("[Object.keys(localStorage), Object.keys(sessionStorage)]") == [
        ["second-reader.keys"],
        [],
    ]
