"""Letters about what is missing go out by mail, an answer completes the entry, and notices tell of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.config import Settings
from core.models import OutgoingMail, Submission
from services.mails.mails import send_waiting
from services.mails.notices import tell_batches
from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.mail_server import MailServer
from tests.support.review import desk


@pytest.fixture
def settings(settings: Settings, mail_server: MailServer) -> Settings:
    """With a mail server."""
    return settings.model_copy(update=mail_server.settings)


@pytest.fixture
def office(site: Site) -> Site:
    """Two children of one school lack their grade; the school has an address."""
    with site.context.database.session() as session:
        factories.make_school(session, name="Lakeview Elementary School", email="school@example.org")
        for name, language in (("Ana Ruiz", "es"), ("Theo Okafor", "en")):
            made = desk.make_escalated(site.context, session).submission
            made.student_name, made.language, made.missing_fields = name, language, ["grade"]
    return site


def send_all(site: Site) -> None:
    """What workers do."""
    waiting = site.context.database.scalars(select(OutgoingMail.id).where(OutgoingMail.state == "waiting"))
    for mail in waiting:
        assert send_waiting(site.context, mail)


def send_letter(page: Page) -> None:
    page.goto("/submissions/by-school")
    page.get_by_role("link", name="Ask for missing information").click()
    page.get_by_role("checkbox", name="Ana Ruiz").check()
    page.get_by_role("combobox", name="Language").select_option("es")
    page.get_by_role("button", name="Preview the letters").click()
    expect(page.get_by_text("Dear Lakeview Elementary School")).to_be_visible()
    expect(page.get_by_text("A la atención de Lakeview Elementary School")).to_be_visible()
    expect(page.get_by_text("By e-mail to school@example.org")).to_be_visible()
    page.get_by_role("button", name="Send 1 letter").click()
    expect(page.get_by_text("1 letter will be sent by e-mail.")).to_be_visible()


def test_from_the_letter_to_the_complete_entry(visit: Visit, office: Site, mail_server: MailServer) -> None:
    page = visit("reviewer")
    send_letter(page)
    send_all(office)
    [letter] = mail_server.to("school@example.org")
    assert "Ana Ruiz" in letter.get_content() and "Theo Okafor" not in letter.get_content()
    page.reload()
    expect(page.get_by_role("cell", name="By e-mail Sent")).to_be_visible()
    page.get_by_role("link", name="Lakeview Elementary School").click()
    page.get_by_text("Enter the answer").click()
    page.get_by_label("Grade").select_option("5")
    page.get_by_role("button", name="Save it and settle the entry").click()
    expect(page.get_by_text("The answer was saved, and the entry is settled.")).to_be_visible()
    expect(page.get_by_text("Answered", exact=True)).to_be_visible()
    with office.context.database.session() as session:
        entry = session.scalars(select(Submission).where(Submission.student_name == "Ana Ruiz")).one()
        assert (entry.status, entry.grade) == ("resolved", "5")
    assert tell_batches(office.context) == 2
    send_all(office)
    subjects = sorted(str(mail["Subject"]).strip() for mail in mail_server.received[1:])
    assert subjects[0].startswith("Finished: ") and "waiting for a person" in subjects[1]
    assert not any("Ana" in mail.get_content() for mail in mail_server.received[1:])
    link = re.findall(r"https://entries\.example\.org(/batches/\S+)", mail_server.received[1].get_content())
    page.goto(link[0])
    expect(page.locator("h1")).to_be_visible()


def test_without_a_script_and_given_up(visit: Visit, office: Site) -> None:
    page = visit("reviewer", java_script_enabled=False, viewport={"width": 400, "height": 800})
    send_letter(page)
    # The styles may come after the text.
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    entry = office.context.database.one(select(Submission.id).where(Submission.student_name == "Ana Ruiz"))
    page.goto(f"/submissions/{entry}")
    page.get_by_role("button", name="Stop waiting Ana Ruiz").click()
    expect(page.get_by_text("The entry stays incomplete.")).to_be_visible()
    expect(page.get_by_text("No answer", exact=True)).to_be_visible()
    page.get_by_role("button", name="Wait for an answer again").click()
    expect(page.get_by_role("button", name="Stop waiting Ana Ruiz")).to_be_visible()
