"""An admin erases an entry from its page and holds the receipt."""

from __future__ import annotations

from playwright.sync_api import expect
from sqlalchemy import select

from core.models import Submission
from tests.browser.conftest import Site, Visit
from tests.support.review import desk


def test_from_the_entry_to_the_receipt(visit: Visit, site: Site) -> None:
    with site.context.database.session() as session:
        entry = desk.make_proposal(site.context, session).submission
    page = visit("admin", tolerate="404")
    page.goto(f"/submissions/{entry.id}", wait_until="load")
    page.get_by_role("link", name="Export or erase all data…").click()
    expect(page.get_by_role("row", name="Proposals 1", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all data").click()
    assert download.value.suggested_filename == f"held-{str(entry.id)[:8]}.zip"
    page.get_by_label("Why").select_option(label="The family asked for it")
    page.get_by_label(f"Type {str(entry.id)[:8]} to confirm").fill(str(entry.id)[:8])
    page.get_by_role("button", name="Erase permanently").click()
    expect(page.get_by_role("heading", name="Erasure receipt")).to_be_visible()
    expect(page.get_by_text("Robin Admin").last).to_be_visible()
    expect(page.get_by_role("row", name="Entries 1", exact=True)).to_be_visible()
    page.get_by_role("link", name="All receipts").click()
    expect(page.get_by_role("cell", name="The family asked for it")).to_be_visible()
    assert site.context.database.scalars(select(Submission)) == []
