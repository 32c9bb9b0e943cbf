"""Every decision works by plain forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.models import Submission, Upload
from services.schools import list_schools
from tests.browser.conftest import Site, Visit
from tests.support.review import desk


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("reviewer", java_script_enabled=False)


def test_uploading(page: Page, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "entry.pdf"
    file.write_bytes(desk.entry_pdf())
    page.goto("/upload")
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("entry.pdf", exact=True)).to_be_visible()
    assert site.context.database.scalars(select(Upload.original_filename)) == ["entry.pdf"]


def test_deciding_a_proposal_field_by_field(page: Page, site: Site) -> None:
    with site.context.database.session() as session:
        desk.make_proposal(site.context, session)
    page.goto("/review")
    page.get_by_role("link", name="Marisol Quintero").click()
    grade = page.locator("#field-grade")
    expect(grade.locator("select")).to_be_hidden()
    grade.locator("label", has_text="Edit").click()
    grade.locator("select").select_option("6")
    page.locator("#field-school_name").locator("label", has_text="As read").click()
    page.get_by_role("button", name="Approve", exact=True).click()
    entry = site.context.database.one(select(Submission))
    assert (entry.grade, entry.school_name) == ("6", "Lakeview Elementary School")


def test_settling_an_escalation(page: Page, site: Site) -> None:
    with site.context.database.session() as session:
        desk.make_escalated(site.context, session)
    page.goto("/review")
    page.get_by_role("link", name="Marisol Quintero").click()
    page.locator("#value-grade").select_option("3")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    assert site.context.database.scalars(select(Submission.status)) == ["resolved"]


def test_a_link_lights_the_place_on_the_page(page: Page, site: Site) -> None:
    with site.context.database.session() as session:
        entry = desk.make_entry(site.context, session, status="completed")
    page.goto(f"/submissions/{entry.submission.id}")
    page.locator("#field-phone .on-page").click()
    expect(page.locator("#box-phone-0:target")).to_have_count(1)


def test_schools_are_imported_added_spelled_and_merged(visit: Visit, site: Site, tmp_path: Path) -> None:
    page = visit("admin", java_script_enabled=False)
    file = tmp_path / "schools.csv"
    file.write_text("name,aliases\nJuniper Hill,J.H.\nJuniper Hil,\n", encoding="utf-8")
    page.goto("/schools")
    page.get_by_label("CSV file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 schools were added.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Foxglove")
    page.locator(".school-forms").get_by_role("button", name="Add to the list").click()
    expect(page.get_by_text("“Foxglove” is now on the list.")).to_be_visible()
    page.get_by_role("link", name="Foxglove").click()
    page.get_by_label("Another spelling of this school").fill("Fox")
    page.get_by_role("button", name="Add the spelling").click()
    page.goto("/schools?q=juniper+hil")
    page.get_by_role("link", name="Juniper Hil", exact=True).click()
    page.get_by_label("Merge into").fill("j.h.")
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_text("“Juniper Hil” is now another spelling of “Juniper Hill”.")).to_be_visible()
    found = {school.name: school.aliases for school in list_schools(site.context)}
    assert found == {"Foxglove": ("Fox",), "Juniper Hill": ("J.H.", "Juniper Hil")}
