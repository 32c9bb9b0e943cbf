"""Every page on a phone, a tablet and a desk, in both themes: nothing sticks out, nothing has no name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.review import desk

_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
_UNNAMED = """[...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a[href]')]
  .filter((e) => e.checkVisibility() && !e.closest('[aria-hidden=true]'))
  .filter((e) => !(e.labels?.length || e.getAttribute('aria-label') || e.textContent.trim() || e.placeholder))
  .map((e) => e.outerHTML)"""
_IDS_TWICE = """(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i); })()"""


def pages_of(site: Site) -> list[str]:
    with site.context.database.session() as session:
        proposal = desk.make_proposal(site.context, session)
        waiting = desk.make_escalated(site.context, session)
        done = desk.make_entry(site.context, session, status="completed")
        school = factories.make_school_alias(session).school_id
    assert proposal.suggestion is not None
    return [
        "/upload",
        f"/batches/{done.upload.batch_id}",
        "/submissions",
        "/submissions?q=nobody",
        f"/submissions/{done.submission.id}",
        f"/submissions/{waiting.submission.id}",
        "/review/suggestions",
        f"/review/suggestions/{proposal.suggestion.id}",
        "/review/escalations",
        "/admin/orchestrator_stats",
        "/admin/users",
        "/schools",
        f"/schools/{school}",
    ]


def check(page: Page) -> None:
    assert page.evaluate(_OVERFLOW) <= 0, page.url
    assert page.evaluate(_UNNAMED) == [], page.url
    assert page.evaluate(_IDS_TWICE) == [], page.url
    assert page.locator("h1").count() == 1, page.url
    assert page.locator("main").count() == 1, page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page(visit: Visit, site: Site, theme: str) -> None:
    page = visit("admin", color_scheme=theme)
    for url in pages_of(site):
        page.goto(url)
        for width in (390, 820, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            check(page)


def test_signed_out_pages(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 800})
    for url in ("/sign-in", "/forgotten-password"):
        page.goto(url)
        check(page)


def test_the_theme_chosen_is_kept(visit: Visit) -> None:
    page = visit(color_scheme="light")
    page.goto("/sign-in")
    body = page.locator("body")
    light = body.evaluate("body => getComputedStyle(body).backgroundColor")
    page.get_by_role("button", name="Switch to dark").click()
    expect(body).not_to_have_css("background-color", light)
    page.reload()
    expect(body).not_to_have_css("background-color", light)


def test_the_keyboard_reaches_the_content_at_once(visit: Visit) -> None:
    page = visit("reviewer")
    page.goto("/submissions")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
