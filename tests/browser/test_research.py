"""From a question to the exported report, offline: the library of samples, a real worker, markers opened."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, Visit
from tests.support.office import working
from tests.support.research.library_samples import fill_library

QUESTION = "What do school programs do to bring parents in? Identify 5 with costs and evaluations"
_PATIENCE = 120_000
LIT = "[data-panel-body] [data-passage] mark"


@pytest.mark.slow
def test_from_a_question_to_the_exported_report(visit: Visit, site: Site, tmp_path: Path) -> None:
    with working(site.context):
        fill_library(site.context)
        page = visit("officer", accept_downloads=True)
        ask(page)
        approve_plan(page)
        expect(page.locator(".heading .pill")).to_have_text("Done", timeout=_PATIENCE)
    expect(page.locator(".digest-mark")).to_be_visible()
    passages_are_lit(page)
    everything_is_told(page)
    with working(site.context):
        exported = export(page, tmp_path)
    assert "[1]" in exported and len(re.findall(r"^\[\d+\]|^\d+\. ", exported, re.MULTILINE)) >= 3


def ask(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name=QUESTION).click()
    expect(page.get_by_label("Question", exact=True)).to_have_value(QUESTION)
    expect(page.locator("[data-detected]")).to_have_text(
        "You will get a reading list: the passages that answer, by what the question asks."
    )
    page.get_by_label("Quick").check()
    page.get_by_label("Show me the plan first").check()
    page.get_by_role("button", name="Start the research").click()
    page.wait_for_url(re.compile(r"/research/[0-9a-f-]{36}$"))


def approve_plan(page: Page) -> None:
    """The page shows the plan by itself; a question is added before it is approved."""
    expect(page.get_by_role("heading", name="The plan needs your approval")).to_be_visible(timeout=_PATIENCE)
    page.get_by_role("button", name="Add a question").click()
    page.locator("[name=question]").last.fill("What do breakfasts for fathers cost?")
    page.get_by_role("button", name="Approve and start").click()
    expect(page.get_by_text("The plan was approved")).to_be_visible()


def passages_are_lit(page: Page) -> None:
    """Each of the first markers opens the source that it names, with a quotation lit that is not empty."""
    markers = page.locator("[data-report] a.cite[data-claim]")
    assert markers.count() > 3
    for place in range(4):
        marker = markers.nth(place)
        marker.click()
        expect(marker).to_have_attribute("aria-current", "true")
        expect(page.locator(LIT)).to_be_visible()
        assert len(page.locator(LIT).inner_text()) > 10


def everything_is_told(page: Page) -> None:
    # Every aspect has passages, so there is no gap.
    for heading in ("What was checked", "Rounds", "Versions"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.locator("#round-1 summary").click()
    expect(page.locator("#round-1 .task").first).to_be_visible()
    expect(page.locator("#round-1 .memo")).to_contain_text("Themes covered")


def export(page: Page, folder: Path) -> str:
    page.locator(".heading .menu summary").click()
    page.locator(".heading .menu").get_by_role("link", name="Markdown").click()
    with page.expect_download() as started:
        # Made in the background; the page shows the link by itself.
        page.get_by_role("link", name="Download the file").click()
    started.value.save_as(folder / started.value.suggested_filename)
    assert started.value.suggested_filename.endswith(".md")
    return (folder / started.value.suggested_filename).read_text(encoding="utf-8")
