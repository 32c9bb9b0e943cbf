"""The queue by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy import select

from core.models import ReviewSuggestionField, Submission
from tests.browser.conftest import Site, Visit
from tests.support.review import desk
from tests.support.review.desk_browser import decided

NAMES = ("Ana Ruiz", "Theo Okafor", "Luz Ibarra")


def make_proposals(site: Site) -> None:
    """One of each name, the older first."""
    for name in NAMES:
        with site.context.database.session() as session:
            desk.make_proposal(site.context, session, student=name)


@pytest.fixture
def page(visit: Visit, site: Site) -> Page:
    """The first of three proposals."""
    make_proposals(site)
    page = visit("reviewer")
    page.goto("/review/suggestions")
    page.get_by_role("link", name="Start").click()
    arrived_at(page, "Ana Ruiz")
    return page


def arrived_at(page: Page, name: str) -> None:
    """The item is shown and its keys work."""
    expect(page.locator("h1")).to_have_text(name)
    expect(page.locator(".key-hint").first).to_be_visible()


def statuses(site: Site) -> dict[str | None, str]:
    return {row.student_name: row.status for row in site.context.database.scalars(select(Submission))}


def final_grades(site: Site) -> list[str | None]:
    query = select(ReviewSuggestionField.final_value).where(ReviewSuggestionField.name == "grade")
    return sorted(value for value in site.context.database.scalars(query) if value is not None)


def test_one_key_decides_and_shows_the_next(page: Page, site: Site) -> None:
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    page.keyboard.press("r")
    arrived_at(page, "Luz Ibarra")
    page.keyboard.press("a")
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert statuses(site) == {"Ana Ruiz": "resolved", "Theo Okafor": "rejected", "Luz Ibarra": "resolved"}


def test_moving_without_deciding(page: Page) -> None:
    page.keyboard.press("j")
    arrived_at(page, "Theo Okafor")
    page.keyboard.press("k")
    arrived_at(page, "Ana Ruiz")


def test_editing(page: Page, site: Site) -> None:
    page.keyboard.press("3")
    page.keyboard.press("e")
    expect(page.locator("#value-grade")).to_be_focused()
    page.locator("#value-grade").select_option("5")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    assert final_grades(site) == ["5"]


def test_letters_typed_into_an_input_decide_nothing_but_alt_does(page: Page, site: Site) -> None:
    page.keyboard.press("2")
    page.keyboard.press("e")
    page.keyboard.type("Sara Jar")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("Alt+a")
    arrived_at(page, "Theo Okafor")
    decided(page, "Ana Ruiz")
    assert "Sara Jar" in site.context.database.scalars(select(Submission.school_name))


def test_a_claim_that_the_decision_overtakes_is_taken_back(visit: Visit, site: Site) -> None:
    make_proposals(site)
    page = visit("reviewer")
    claims: list[Route] = []
    # The first is left without an answer.
    page.route(re.compile(r"/claim$"), lambda claim: claims.append(claim), times=1)
    page.goto("/review/suggestions")
    with page.expect_request(re.compile(r"/claim$")):
        page.get_by_role("link", name="Start").click()
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("a")
    arrived_at(page, "Theo Okafor")
    assert [claim.request.failure for claim in claims] == ["net::ERR_ABORTED"]


def test_the_help(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("a")
    arrived_at(page, "Ana Ruiz")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
