"""A proxy loses the answer of a decision: the page finds out what became of it, and nothing is decided twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from core.models import ReviewDecision
from services.context import Context
from tests.browser.conftest import Site, Visit
from tests.support.review.desk_browser import arrived_at, decided, proposals, schools, statuses
from tests.support.servers.cutting_proxy import CuttingProxy, Deed


@pytest.fixture
def proxy(site: Site) -> Iterator[CuttingProxy]:
    with CuttingProxy(site.url) as running:
        yield running


@pytest.fixture
def page(visit: Visit, site: Site, proxy: CuttingProxy) -> Page:
    """The first of two proposals, seen through the proxy."""
    urls = proposals(site.context, "Ana Ruiz", "Theo Okafor")
    page = visit("reviewer", tolerate="Failed to load resource")
    page.goto(proxy.url + urls[0])
    arrived_at(page, "Ana Ruiz")
    return page


def decisions(context: Context) -> int:
    return context.database.scalar(select(func.count()).select_from(ReviewDecision)) or 0


def loses_decisions(deed: Deed, proxy: CuttingProxy) -> None:
    def of(method: str, path: str) -> Deed:
        posted = method == "POST" and path.startswith("/review/suggestions/")
        return deed if posted and not path.endswith(("/claim", "/release")) else "pass"

    proxy.deed = of


@pytest.mark.parametrize("deed", ["cut", "timeout"])
def test_a_decision_that_was_taken_is_found_to_be(page: Page, site: Site, proxy: CuttingProxy, deed: Deed) -> None:
    loses_decisions(deed, proxy)
    page.keyboard.press("2")
    page.keyboard.press("e")
    page.keyboard.type("Harbour Street School")
    page.keyboard.press("Alt+a")
    decided(page, "Ana Ruiz")
    arrived_at(page, "Theo Okafor")
    assert len(proxy.lost) == 1 and decisions(site.context) == 1
    assert statuses(site.context)["Ana Ruiz"] == "resolved"
    assert schools(site.context)["Ana Ruiz"] == "Harbour Street School"
    # It can be taken back, as if it had been answered.
    proxy.deed = lambda method, path: "pass"
    page.keyboard.press("u")
    arrived_at(page, "Ana Ruiz")
    assert statuses(site.context)["Ana Ruiz"] == "suggested"


def test_one_that_sets_the_entry_aside(page: Page, site: Site, proxy: CuttingProxy) -> None:
    loses_decisions("cut", proxy)
    page.keyboard.press("p")
    page.keyboard.type("the second page is missing")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Ana Ruiz: parked.")).to_be_visible()
    arrived_at(page, "Theo Okafor")
    assert decisions(site.context) == 1


def test_while_nobody_can_be_asked_it_is_not_said_that_nothing_was_decided(
    page: Page, site: Site, proxy: CuttingProxy
) -> None:
    page.keyboard.press("2")
    page.keyboard.press("e")
    page.keyboard.type("Harbour Street School")
    proxy.deed = lambda method, path: "timeout"
    page.keyboard.press("Alt+a")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("it is not known whether the decision was taken")
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    assert decisions(site.context) == 1
    # The proxy is back, and the decision is sent once more.
    proxy.deed = lambda method, path: "pass"
    page.keyboard.press("Alt+a")
    expect(alert).to_contain_text("Approved by Robin Reviewer")
    expect(page.locator("#value-school_name")).to_have_value("Harbour Street School")
    assert decisions(site.context) == 1
