"""A reading list in a browser: a passage opens its source, is taken, noted, and exported."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from core.models import ReportVersion
from research.document import ReportDocument, Section
from tests.browser.conftest import Site, Visit
from tests.support.office import working
from tests.support.research.reports import OTHER_QUOTE, QUOTE, make_finished_report


def test_a_passage_is_read_taken_noted_and_exported(visit: Visit, site: Site, tmp_path: Path) -> None:
    with site.context.database.session() as session:
        report = make_finished_report(session)
        row = session.get_one(ReportVersion, (report.id, 2))
        document = ReportDocument.model_validate(row.document)
        body = f"> “{QUOTE}” [@okafor2019#c1]\n\n> “{OTHER_QUOTE}” [@marlow2021#c2]"
        sections = (Section(key="findings", heading="What do they do?", body=body),)
        changed = document.model_copy(update={"sections": sections, "extractive": True})
        row.document = changed.model_dump(mode="json")
        address = f"/research/{report.id}"
    page = visit("officer", accept_downloads=True)
    page.goto(address)
    expect(page.get_by_text("A reading list.")).to_be_visible()
    page.locator("#passage-c1 a.cite").click()
    expect(page.locator("[data-panel] mark").first).to_contain_text("Attendance of fathers")
    page.get_by_role("button", name="Take into my document").first.click()
    page.get_by_role("link", name="Your document: 1 passage").click()
    page.get_by_label("Your note").fill("For the board.")
    page.get_by_role("button", name="Save the notes").click()
    expect(page.get_by_text("The notes are saved.")).to_be_visible()
    saved = tmp_path / "own.md"
    with working(site.context):
        page.get_by_role("link", name="Markdown").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the file").click()
        download.value.save_as(saved)
    text = saved.read_text(encoding="utf-8")
    assert text.index("For the board.") < text.index(QUOTE) and "References" in text
