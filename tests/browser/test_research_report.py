"""A report beside its sources, a plan that is changed, and progress that comes by itself."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from sqlalchemy import update
from sqlalchemy.orm import Session

from core.models import Report
from tests.browser.conftest import Site, Visit
from tests.support.research.reports import (
    OTHER_QUOTE,
    PLAN,
    QUOTE,
    make_finished_report,
    make_running_report,
    make_waiting_report,
)

LIT = "[data-panel-body] mark"
PHONE = {"width": 390, "height": 844}


def made(site: Site, make: Callable[[Session], Report]) -> uuid.UUID:
    with site.context.database.session() as session:
        return make(session).id


@pytest.fixture
def finished(site: Site) -> uuid.UUID:
    return made(site, make_finished_report)


def markers(page: Page) -> list[str]:
    """The number of each marker that is open at present."""
    return page.locator("a.cite[aria-current]").all_inner_texts()


def test_keys_go_from_citation_to_citation(visit: Visit, finished: uuid.UUID) -> None:
    page = visit("officer")
    page.goto(f"/research/{finished}")
    page.locator("a.cite").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(LIT)).to_have_text(QUOTE)
    expect(page.locator("[data-source-title]")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(LIT)).to_have_text(OTHER_QUOTE)
    expect(page.locator("[data-source-title]")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page.locator(LIT)).to_contain_text("The cost was $14")
    expect(page.locator("[data-panel-says]")).to_have_text("Citation 3 of 3")
    page.keyboard.press("Escape")
    expect(page.locator("a.cite").last).to_be_focused()
    assert markers(page) == []


def test_keys_do_nothing_elsewhere(visit: Visit, finished: uuid.UUID) -> None:
    page = visit("officer")
    page.goto(f"/research/{finished}")
    page.keyboard.press("j")
    assert markers(page) == []
    page.locator("a.cite").nth(1).click()
    expect(page.locator(LIT)).to_have_text(OTHER_QUOTE)
    page.keyboard.press("j")
    expect(page.locator(LIT)).to_contain_text("The cost was $14")
    assert markers(page) == ["[1]"]


def test_a_source_that_cannot_be_fetched_is_said(visit: Visit, finished: uuid.UUID) -> None:
    page = visit("officer", tolerate="Failed to load resource")
    page.goto(f"/research/{finished}")
    page.route("**/panel*", lambda route: route.abort())
    page.locator("a.cite").first.click()
    expect(page.locator("[data-panel-body]")).to_have_text("The source could not be shown. Try again.")
    page.unroute("**/panel*")
    page.locator("a.cite").first.click()
    expect(page.locator(LIT)).to_have_text(QUOTE)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_open_source_is_within_reach_of_all(visit: Visit, finished: uuid.UUID, theme: str) -> None:
    for size in ({"width": 1400, "height": 900}, PHONE):
        page = visit("officer" if size is not PHONE else "reviewer", color_scheme=theme, viewport=size)
        page.goto(f"/research/{finished}")
        page.locator("a.cite").last.click()
        expect(page.locator(LIT)).to_be_in_viewport()
        expect(page.locator("a.cite").last).to_be_in_viewport()
        page.locator("#round-1 summary").click()
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_a_marker_leads_to_the_passage(visit: Visit, finished: uuid.UUID) -> None:
    page = visit("officer", java_script_enabled=False)
    page.goto(f"/research/{finished}")
    page.locator("a.cite").nth(1).click()
    assert page.url.endswith("#ref-2")
    page.locator("#ref-2").get_by_role("link", name="View the passage").click()
    expect(page.locator("mark")).to_have_text(OTHER_QUOTE)


def test_a_plan_is_rearranged_and_approved(visit: Visit, site: Site) -> None:
    report_id = made(site, make_waiting_report)
    page = visit("officer")
    page.goto(f"/research/{report_id}")
    lines = page.locator("[name=question]")
    page.get_by_role("button", name="Move question 3 up").click()
    expect(lines.nth(1)).to_have_value(PLAN["questions"][2])
    page.get_by_role("button", name="Remove question 1").click()
    expect(lines).to_have_count(2)
    page.get_by_role("button", name="Add a question").click()
    expect(lines.nth(2)).to_be_focused()
    page.keyboard.type("Who pays?")
    page.get_by_role("button", name="Approve and start").click()
    expect(page.get_by_text("The plan was approved")).to_be_visible()
    plan = site.context.database.get_one(Report, report_id).plan
    assert plan is not None
    assert plan["questions"] == [PLAN["questions"][2], PLAN["questions"][1], "Who pays?"]


def test_progress_comes_by_itself(visit: Visit, site: Site) -> None:
    report_id = made(site, make_running_report)
    change(site, report_id, status="queued")
    page = visit("officer")
    page.goto(f"/research/{report_id}")
    expect(page.locator(".heading .pill")).to_have_text("Queued")
    change(site, report_id, status="running")
    expect(page.locator(".heading .pill")).to_have_text("In progress")
    expect(page.locator("[aria-current=step]")).to_have_text("Round 2: filling gaps")
    page.locator("#round-1 summary").click()
    change(site, report_id, phase="writing")
    expect(page.locator("[aria-current=step]")).to_have_text("Writing")
    assert page.locator("#round-1").get_attribute("open") is not None, "what was opened stays open"
    change(site, report_id, status="failed", error_code="storage_error")
    expect(page.get_by_text("The file store is not responding.")).to_be_visible()


def change(site: Site, report_id: uuid.UUID, **values: object) -> None:
    site.context.database.execute(update(Report).where(Report.id == report_id).values(**values))


@pytest.mark.parametrize("address", ["/research", "/research/new?query=List+5+programmes"])
def test_nothing_is_cut_off_on_a_phone(visit: Visit, site: Site, address: str) -> None:
    made(site, make_running_report)
    page = visit("officer", viewport=PHONE)
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
