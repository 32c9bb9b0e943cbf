"""The sample report deepened under a person's eyes: one revision rejected, one edited, and the result exported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from core.config import ROOT, Settings
from core.models import ReportRevision
from tests.browser.conftest import Site, Visit
from tests.support.office import working
from tests.support.research.library_samples import fill_library
from tests.support.research.supervisions import NEW_QUOTE, make_waiting_supervision
from tests.support.servers.supervising_model import SupervisingModel

SAMPLE = ROOT / "samples" / "reports" / "fathers-at-school.md"
_PATIENCE = 90_000
PHONE = {"width": 390, "height": 844}
TYPED = "A person wrote this sentence."


@pytest.fixture
def settings(settings: Settings) -> Iterator[Settings]:
    """With a model, which supervision needs."""
    with SupervisingModel() as model:
        yield settings.model_copy(update=model.settings)


@pytest.mark.slow
def test_one_is_rejected_one_edited_and_the_result_exported(visit: Visit, site: Site, tmp_path: Path) -> None:
    with working(site.context):
        fill_library(site.context)
        page = visit("officer", accept_downloads=True)
        loop = begin(page)
        rejected = reject(page)
        page.goto(loop)
        expect(page.locator("#attempt-1 .pill-revision-rejected")).to_be_visible()
        expect(page.locator("#attempt-1 q").last).to_have_text("Beside the point.")
        finish(page, loop)
        page.get_by_role("link", name="Back to the report").click()
        loop = deepen(page)
        accepted = edit_and_accept(page)
        page.goto(loop)
        finish(page, loop)
    # A rejection holds for its own loop.
    assert accepted == rejected
    expect(page.locator("#attempt-1 .pill-revision-edited")).to_be_visible()
    page.get_by_role("link", name="All that it changed").click()
    expect(page.locator("ins").filter(has_text=TYPED)).to_be_visible()
    with working(site.context):
        exported = export(page, tmp_path)
    assert TYPED in exported and accepted.casefold() in exported.casefold()
    assert re.search(r"^\[\d+\] ", exported, re.MULTILINE), "references are numbered"


def begin(page: Page) -> str:
    """Upload, look how it was read, start; the address of the loop."""
    page.goto("/research/documents/new")
    page.get_by_label("File").set_input_files(SAMPLE)
    page.get_by_role("button", name="Read the document").click()
    expect(page.get_by_role("heading", name="How your document was read")).to_be_visible()
    return deepen(page)


def deepen(page: Page) -> str:
    """Start a loop from the page of a report; the address of the loop."""
    page.get_by_role("link", name="Deepen this report").first.click()
    page.get_by_label("Comprehensive").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/supervision/[0-9a-f-]{36}$"))
    return page.url


def open_revision(page: Page) -> str:
    """The timeline shows by itself that one waits; what it is about."""
    page.get_by_role("link", name="View the revision").click(timeout=_PATIENCE)
    expect(page.locator(".diff ins").first).to_be_visible()
    expect(page.locator(".quoted-source mark").first).not_to_be_empty()
    keys_are_heard(page)
    return page.locator(".issue-head strong").inner_text()


def keys_are_heard(page: Page) -> None:
    """The script has begun: it shows the button of a key."""
    expect(page.locator('[data-act="edit"]')).to_be_visible()


def start_editing(page: Page) -> None:
    keys_are_heard(page)
    page.keyboard.press("e")


def reject(page: Page) -> str:
    topic = open_revision(page)
    page.get_by_label("Reason").fill("Beside the point.")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.get_by_text("will not come back to this gap")).to_be_visible()
    return topic


def edit_and_accept(page: Page) -> str:
    topic = open_revision(page)
    start_editing(page)
    text = page.locator("[data-edit] textarea").first
    expect(text).to_be_focused()
    text.fill(f"{text.input_value()}\n\n{TYPED}")
    page.get_by_role("button", name="Accept with my changes").click()
    expect(page.get_by_text("Accepted with your changes")).to_be_visible()
    return topic


def finish(page: Page, loop: str) -> None:
    """The attempts that are left may bring revisions, too; each is accepted with one key."""
    over, waits = page.get_by_text("Why it ended:"), page.get_by_role("link", name="View the revision")
    expect(over.or_(waits)).to_be_visible(timeout=_PATIENCE)
    while waits.is_visible():
        open_revision(page)
        page.keyboard.press("a")
        expect(page.get_by_text("Accepted as a new version.")).to_be_visible()
        page.goto(loop)
        expect(over.or_(waits)).to_be_visible(timeout=_PATIENCE)


def export(page: Page, folder: Path) -> str:
    page.get_by_role("link", name="Back to the report").click()
    page.locator(".heading .menu summary").click()
    page.locator(".heading .menu").get_by_role("link", name="Markdown").click()
    with page.expect_download() as started:
        # Made in the background; the page shows the link by itself.
        page.get_by_role("link", name="Download the file").click()
    started.value.save_as(folder / "result.md")
    return (folder / "result.md").read_text(encoding="utf-8")


@pytest.fixture
def revision(site: Site) -> str:
    """The page of a revision that waits."""
    with site.context.database.session() as session:
        loop = make_waiting_supervision(session)
        waits = select(ReportRevision.id).where(ReportRevision.supervision_id == loop.id)
        return f"/research/revisions/{session.scalars(waits.where(ReportRevision.status == 'pending')).one()}"


def test_what_the_guard_refuses_is_said_and_the_text_stays(visit: Visit, revision: str) -> None:
    page = visit("officer", tolerate="400 (BAD REQUEST)")
    page.goto(revision)
    start_editing(page)
    text = page.locator("[data-edit] textarea").first
    text.fill("All is lost.")
    page.get_by_role("button", name="Accept with my changes").click()
    expect(page.get_by_role("alert")).to_contain_text("These citations would be lost: marlow2021")
    expect(text).to_have_value("All is lost.")
    expect(page.get_by_role("button", name="Reject")).to_be_enabled()


def test_what_was_typed_is_there_again(visit: Visit, revision: str) -> None:
    page = visit("officer")
    page.goto(revision)
    start_editing(page)
    page.locator("[data-edit] textarea").first.fill("Half a thought")
    page.goto("/research")
    page.goto(revision)
    expect(page.get_by_text("What you had typed here was restored.")).to_be_visible()
    expect(page.locator("[data-edit] textarea").first).to_have_value("Half a thought")
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("[data-edit] textarea").first).not_to_have_value("Half a thought")


def test_who_was_faster_is_named(visit: Visit, site: Site, revision: str) -> None:
    page = visit("officer", tolerate="409 (CONFLICT)")
    page.goto(revision)
    expect(page.get_by_role("button", name="Reject")).to_be_enabled()
    start_editing(page)
    page.locator("[data-edit] textarea").first.fill("Mine")
    other = site.person("reviewer")
    site.context.database.execute(
        update(ReportRevision)
        .where(ReportRevision.status == "pending")
        .values(status="rejected", decided_by=other.id, decided_at=other.created_at, version=2)
    )
    page.get_by_role("button", name="Accept with my changes").click()
    expect(page.locator("[data-desk-problem]")).to_contain_text("Robin Reviewer")
    expect(page.locator("[data-edit] textarea").first).to_have_value("Mine")
    expect(page.get_by_role("button", name="Reject")).to_be_disabled()


def test_a_marker_opens_its_source_and_the_way_back(visit: Visit, revision: str) -> None:
    page = visit("officer")
    page.goto(revision)
    page.locator(".diff ins a.cite").click()
    expect(page.locator("[data-panel-body] mark")).to_have_text(NEW_QUOTE)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("heading", name="Sources for the new text")).to_be_visible()


def test_without_javascript_it_is_decided(visit: Visit, revision: str) -> None:
    page = visit("officer", java_script_enabled=False)
    page.goto(revision)
    page.get_by_role("link", name="Side by side").click()
    expect(page.locator("table.sides ins").first).to_be_visible()
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_text("Accepted as a new version.")).to_be_visible()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_out_of_reach(visit: Visit, revision: str, theme: str) -> None:
    for role, size in (("officer", PHONE), ("reviewer", {"width": 1400, "height": 900})):
        page = visit(role, color_scheme=theme, viewport=size)
        page.goto(f"{revision}?view=side")
        page.locator(".diff ins a.cite").click()
        expect(page.locator("[data-panel-body] mark")).to_have_text(NEW_QUOTE)
        page.locator("[data-edit] summary").click()
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
