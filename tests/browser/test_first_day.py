"""The first day of an office: the set-up, an invitation by mail, and the page of the person who accepts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.config import Settings
from services.season_admin.set_up import read_set_up_sample
from tests.browser.conftest import PASSWORD, Site, Visit, sign_in
from tests.browser.test_accessibility import _OPTIONS, violations
from tests.support.mail_server import MailServer

EVA = "eva@example.org"
PHONE = {"width": 400, "height": 860}


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def settings(settings: Settings, mails: MailServer) -> Settings:
    return settings.model_copy(update={**mails.settings, "ocr_provider": "none"})


def test_from_the_set_up_to_ones_own_page(site: Site, visit: Visit, mails: MailServer, tmp_path: Path) -> None:
    page = visit("admin", by_form=True, viewport=PHONE)
    expect(page.get_by_role("heading", name="Setup", exact=True)).to_be_visible()
    set_up(page, site, tmp_path)
    assert violations(page, _OPTIONS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    invite(page)
    link = re.search(r"https://entries\.example\.org(/invitation/\S+)", mails.to(EVA)[0].get_content())
    assert link is not None
    site.tokens.add(link[1].rpartition("/")[2])
    page.goto("/admin/set-up")
    expect(page.get_by_text("has not accepted the invitation yet")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("Everything is set up.")).to_be_visible()
    guest = visit(java_script_enabled=False, color_scheme="dark")
    accept(guest, link[1])
    laptop = visit()
    sign_in(laptop, EVA)
    laptop.goto("/account")
    assert laptop.locator("html").get_attribute("data-theme") == "dark", "it has come along"
    assert violations(laptop, _OPTIONS) == []


def set_up(page: Page, site: Site, tmp_path: Path) -> None:
    """Each step, until all are settled."""
    page.get_by_label("Name", exact=True).fill("Season 2027")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The season was saved.")).to_be_visible()
    schools = tmp_path / "schools.csv"
    schools.write_text("name\nEastside Elementary\nJuniper Hill\n", encoding="utf-8")
    page.get_by_label("CSV file").set_input_files(schools)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 schools are on this season's list")).to_be_visible()
    page.get_by_role("button", name="Send me a test message").click()
    expect(page.get_by_text("The mail server accepted the message.")).to_be_visible()
    page.get_by_role("button", name="Use rules only").click()
    expect(page.get_by_text("Rules only: no model is used.")).to_be_visible()
    page.get_by_role("button", name="Test the file store").click()
    expect(page.get_by_text("returned it")).to_be_visible()
    page.get_by_role("button", name="Read the sample").click()
    expect(page.get_by_text("A worker is reading the sample.")).to_be_visible()
    assert read_set_up_sample(site.context)
    # The page follows by itself.
    expect(page.get_by_text("OCR_PROVIDER is none: scans")).to_be_visible()
    page.locator("#reading").get_by_role("button", name="Skip this step").click()
    expect(page.get_by_text("6 of 7")).to_be_visible()


def invite(page: Page) -> None:
    page.get_by_role("link", name="Invite people").click()
    page.get_by_label("E-mail address").fill(EVA)
    page.locator("form", has_text="Send an invitation").get_by_label("Role").select_option("reviewer")
    page.get_by_role("button", name="Send an invitation").click()
    expect(page.get_by_text(f"on its way to {EVA}")).to_be_visible()
    assert "/invitation/" not in page.locator("main").inner_text()


def accept(guest: Page, link: str) -> None:
    """Without a script, in the language that the person chooses, and on to the own page."""
    guest.goto(link)
    guest.get_by_label("Your name").fill("Eva Lund")
    guest.locator("#language").select_option("es")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Open my account").click()
    expect(guest.locator("html")).to_have_attribute("lang", "es")
    guest.goto("/account")
    guest.locator('select[name="theme"]').select_option("dark")
    guest.locator('select[name="language"]').select_option("en")
    guest.locator('form[action="/account/appearance"] button').click()
    expect(guest.locator("html")).to_have_attribute("data-theme", "dark")
    expect(guest.get_by_text("Eva Lund · ")).to_be_visible()
    guest.get_by_label("Something in my uploads is waiting for a person").uncheck()
    guest.locator("form", has_text="Something in my uploads").get_by_role("button", name="Save").click()
    expect(guest.get_by_text("Your notice settings were saved.")).to_be_visible()
