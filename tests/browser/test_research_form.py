"""What a question asks for, on the form: filled, changed and sent with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.config import Settings
from core.models import Report
from tests.browser.conftest import Site, Visit
from tests.support.servers.supervising_model import SupervisingModel

QUESTION = "Identify 5 school breakfasts for fathers: cost per child, who cooks, phone"


@pytest.fixture
def settings(settings: Settings) -> Iterator[Settings]:
    """With a model: without one there is nothing to confirm."""
    with SupervisingModel() as model:
        yield settings.model_copy(update=model.settings)


def test_what_was_understood_is_changed_with_the_keyboard(visit: Visit, site: Site) -> None:
    page = visit("officer")
    page.goto("/research/new")
    page.get_by_label("Question", exact=True).focus()
    page.keyboard.type(QUESTION)
    expect(page.get_by_label("Type of report")).to_have_value("catalog")
    expect(page.get_by_label("Number of items")).to_have_value("5")
    expect(page.get_by_label("Fields of each item")).to_have_value("Cost per child\nWho cooks\nPhone")
    _tab_to(page, "approve_plan")
    page.keyboard.press("Space")
    _tab_to(page, "target_items")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("\nDays of the week")
    page.get_by_role("button", name="Start the research").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/research/[0-9a-f-]{36}$"))
    report = site.context.database.one(select(Report).where(Report.query == QUESTION))
    assert (report.report_type, report.target_items) == ("catalog", 3)
    assert report.fields == ["Cost per child", "Who cooks", "Phone", "Days of the week"]


def test_a_changed_value_stays_when_the_question_goes_on(visit: Visit) -> None:
    page = visit("officer")
    page.goto("/research/new")
    question = page.get_by_label("Question", exact=True)
    question.fill("Identify 5 choirs in York")
    expect(page.get_by_label("Number of items")).to_have_value("5")
    page.get_by_label("Number of items").fill("8")
    question.fill("Identify 6 choirs in York with phone numbers")
    expect(page.get_by_label("Fields of each item")).to_have_value(re.compile("Phone numbers"))
    expect(page.get_by_label("Number of items")).to_have_value("8")
    question.fill("Why do choirs close?")
    expect(page.get_by_label("Type of report")).to_have_value("narrative")
    expect(page.get_by_label("Number of items")).to_be_hidden()


def test_the_form_says_what_it_understood(visit: Visit) -> None:
    page = visit("officer")
    page.goto("/research/new")
    page.get_by_label("Question", exact=True).fill("Enumera 7 programas de lectura")
    expect(page.locator("[data-detected]")).to_contain_text("7 items")
    page.get_by_label("Type of report").select_option("narrative")
    expect(page.locator("[data-detected]")).to_contain_text("narrative")
    page.get_by_text("More choices").click()
    page.get_by_label("Web researcher").fill("3")
    expect(page.get_by_label("I choose:")).to_be_checked()
    expect(page.locator("[data-total]")).to_have_text("5 of 3 researchers")


def _tab_to(page: Page, name: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == name:
            return
    raise AssertionError(f"the keyboard does not reach {name}")
