"""A reviewer takes the entries of a filter out, without leaving the page, and without a script."""

from __future__ import annotations

import csv
import uuid

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.models import Export
from services.exports.making import make_export
from tests.browser.conftest import Site, Visit
from tests.support.review import desk


@pytest.fixture
def site_with_entries(site: Site) -> Site:
    for name, grade in (("Ana Ruiz", "4"), ("Theo Okafor", "5")):
        with site.context.database.session() as session:
            desk.make_entry(site.context, session, status="completed", student_name=name, grade=grade)
    return site


def made(site: Site) -> uuid.UUID:
    """What a worker does."""
    export_id = site.context.database.one(select(Export.id))
    assert make_export(site.context, export_id)
    return export_id


def downloaded(page: Page) -> list[list[str]]:
    with page.expect_download() as started:
        page.get_by_role("link", name="Entries, CSV").click()
    assert started.value.suggested_filename.startswith("entries-")
    with started.value.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_filter_as_a_table(visit: Visit, site_with_entries: Site) -> None:
    page = visit("reviewer")
    page.goto("/submissions?grade=5")
    page.get_by_role("link", name="Export these").click()
    expect(page.get_by_text("Entries matching these filters: Grade 5.")).to_be_visible()
    page.get_by_label("Entries, CSV").check()
    page.locator("summary", has_text="Columns").click()
    for label in ("Student", "Grade"):
        page.get_by_label(label, exact=True).check()
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="Waiting")).to_be_visible()
    made(site_with_entries)
    # The page follows by itself.
    expect(page.get_by_role("cell", name="Done")).to_be_visible()
    assert downloaded(page) == [["student_name", "grade"], ["Theo Okafor", "5"]]
    expect(page.get_by_text("2 chosen")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No files yet.")).to_be_visible()


def test_without_a_script(visit: Visit, site_with_entries: Site) -> None:
    page = visit("reviewer", java_script_enabled=False)
    page.goto("/exports")
    page.get_by_label("Entries, CSV").check()
    page.get_by_role("button", name="Create the file").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    made(site_with_entries)
    page.reload()
    assert len(downloaded(page)) == 3
