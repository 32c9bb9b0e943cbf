"""The library in the browser: a document is added, read and found; the list follows by itself."""

from __future__ import annotations

from playwright.sync_api import expect
from sqlalchemy import select

from core.models import LibraryDocument
from services.library.reading import read_library_document
from tests.browser.conftest import Site, Visit

PAPER = "# Boats with fathers\n\nFathers and children build a rowing boat on twelve Saturdays for $140 a family."


def test_a_document_is_added_read_and_found(site: Site, visit: Visit) -> None:
    page = visit("officer")
    page.goto("/research/library")
    page.get_by_role("link", name="Add documents").first.click()
    page.get_by_label("Files").set_input_files(
        {"name": "boats.md", "mimeType": "text/markdown", "buffer": PAPER.encode()}
    )
    page.get_by_label("Kind").select_option("web")
    page.get_by_role("button", name="Add to the library").click()
    page.get_by_text("Waiting", exact=True).last.wait_for()
    document = site.context.database.one(select(LibraryDocument))
    read_library_document(site.context, document.id)
    page.get_by_role("link", name="Boats with fathers").wait_for()
    page.get_by_label("Search the text").fill("What does the boat cost?")
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator("mark", has_text="boat").first.wait_for()
    page.get_by_role("link", name="Boats with fathers").click()
    expect(page.locator("#passage-0")).to_contain_class("lit")
    page.get_by_role("button", name="Remove from the library").click()
    page.get_by_role("button", name="Put it back").click()
    page.get_by_text("The document was put back").wait_for()
