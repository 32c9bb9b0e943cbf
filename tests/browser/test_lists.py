"""Lists as an office thinks: a filter is kept, a value is renamed everywhere and given back, readings compared."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from core.models import BulkChange, RereadItem, Submission, SubmissionField
from services.many.bulk_change import run_change
from services.many.reread import work_item
from services.runs.run import run_submission
from tests.browser.conftest import Site, Visit
from tests.support import factories
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.review import desk

OLD, NEW = "Lincoln Elem.", "Lincoln Elementary"


@pytest.fixture
def site_with_entries(site: Site) -> Site:
    for name, grade, school in (("Ana Ruiz", "4", OLD), ("Theo Okafor", "5", OLD), ("Bo Li", "5", "Juniper Hill")):
        with site.context.database.session() as session:
            entry = desk.make_entry(
                site.context, session, status="completed", student_name=name, grade=grade, school_name=school
            )
            factories.make_run(session, entry.submission, status="settled", outcome="completed")
    return site


def work(site: Site) -> uuid.UUID:
    """What a worker does."""
    bulk_id = site.context.database.one(select(BulkChange.id))
    assert run_change(site.context, bulk_id)
    return bulk_id


def schools(site: Site) -> list[str | None]:
    return site.context.database.scalars(select(Submission.school_name).order_by(Submission.student_name))


def expect_names(page: Page, *names: str) -> None:
    """A click that opens a page returns before the page is there: this waits for its rows."""
    expect(page.locator("tbody .row-link")).to_have_text(list(names))


def test_a_kept_filter_opens_the_list(visit: Visit, site_with_entries: Site) -> None:
    page = visit("reviewer")
    page.goto("/submissions?grade=5&sort=student")
    page.locator("summary", has_text="Save this filter").click()
    page.get_by_label("Name of the filter").fill("Fifth grade")
    page.get_by_label("Open the list with it").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/submissions")
    assert page.url.endswith("/submissions?grade=5")
    page.get_by_role("link", name="Student").click()
    expect_names(page, "Bo Li", "Theo Okafor")
    page.get_by_role("link", name="Clear").click()
    expect(page.locator("tbody .row-link")).to_have_count(3)
    page.get_by_role("link", name="Change them").click()
    page.get_by_label("New name for “Fifth grade”").fill("Grade 5")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("link", name="Grade 5").click()
    expect(page.locator("tbody .row-link")).to_have_count(2)


def test_a_value_is_renamed_and_given_back(visit: Visit, site_with_entries: Site) -> None:
    page = visit("reviewer")
    page.goto("/submissions")
    for name in ("Ana Ruiz", "Theo Okafor", "Bo Li"):
        page.get_by_label(f"Select {name}").check()
    page.get_by_role("button", name="Change…", exact=True).click()
    expect(page.get_by_text("3 selected entries.")).to_be_visible()
    form = page.get_by_role("form", name="Replace a value")
    form.get_by_label("As spelled in the entries").fill(OLD)
    form.get_by_label("New value").fill(NEW)
    form.get_by_role("button").click()
    expect(page.get_by_text("Preparing the preview").first).to_be_visible()
    work(site_with_entries)
    # The page follows by itself.
    page.get_by_role("button", name="Change 2 entries").click()
    assert schools(site_with_entries) == [OLD, "Juniper Hill", OLD]
    work(site_with_entries)
    expect(page.get_by_role("button", name="Undo all")).to_be_visible()
    assert schools(site_with_entries) == [NEW, "Juniper Hill", NEW]
    page.get_by_role("button", name="Undo all").click()
    work(site_with_entries)
    expect(page.get_by_text("Undone · 2")).to_be_visible()
    assert schools(site_with_entries) == [OLD, "Juniper Hill", OLD]


def misread(site: Site) -> uuid.UUID:
    """An entry that an earlier version of its form misread."""
    with site.context.database.session() as session:
        made = desk.make_entry(site.context, session, status="queued")
        made.upload.status = "split"
        site.context.store.put(made.upload.storage_key, acroform(COMPLETE))
        run = factories.make_run(session, made.submission, status="queued")
    assert run_submission(site.context, run.run_id)
    wrong = {"value": "Marlsol Qulntero"}
    with site.context.database.session() as session:
        session.execute(update(SubmissionField).where(SubmissionField.name == "student_name").values(**wrong))
        session.execute(update(Submission).values(student_name=wrong["value"]))
    return made.submission.id


def test_what_differs_when_read_anew_is_taken(visit: Visit, site: Site) -> None:
    entry = misread(site)

    def rework() -> None:
        item_id = site.context.database.one(select(RereadItem.id))
        assert work_item(site.context, item_id)

    page = visit("reviewer")
    page.goto("/submissions")
    page.get_by_label("Select Marlsol Qulntero").check()
    page.get_by_role("button", name="Read again…", exact=True).click()
    page.get_by_role("button", name="Read and compare").click()
    expect(page.get_by_text("Waiting to be read · 1")).to_be_visible()
    rework()
    # The page follows by itself.
    expect(page.get_by_text("Different · 1")).to_be_visible()
    assert page.locator("dl.changes ins").all_inner_texts() == ["Marisol Quintero"]
    page.get_by_label("Select Marlsol Qulntero").check()
    page.get_by_role("button", name="Accept the selected ones").click()
    rework()
    assert run_submission(site.context, f"{entry}:2")
    page.reload()
    expect(page.get_by_role("link", name="Marisol Quintero")).to_be_visible()
    page.get_by_role("button", name="Undo all").click()
    rework()
    expect(page.get_by_role("link", name="Marlsol Qulntero")).to_be_visible()


def test_all_found_are_chosen_from_a_bar_that_stays_in_view(visit: Visit, site: Site) -> None:
    for number in range(12):
        with site.context.database.session() as session:
            desk.make_entry(site.context, session, status="completed", student_name=f"Ana {number:02}", grade="5")
    page = visit("reviewer", viewport={"width": 1000, "height": 500})
    page.goto("/submissions?grade=5&sort=student")
    bar = page.get_by_role("form", name="With these entries")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(bar.get_by_role("button", name="Change…")).to_be_disabled()
    bar.get_by_label("All on this page").check()
    expect(bar.get_by_text("12 selected")).to_be_visible()
    page.get_by_label("Select Ana 01").uncheck()
    expect(bar.get_by_text("11 selected")).to_be_visible()
    bar.get_by_label("All 12 found").check()
    bar.get_by_role("button", name="Change…").click()
    expect(page.get_by_text("All entries with this filter:").first).to_be_visible()


def test_a_phone_shows_entries_before_filters(visit: Visit, site_with_entries: Site) -> None:
    page = visit("reviewer", viewport={"width": 400, "height": 800})
    page.goto("/submissions")
    expect(page.get_by_role("link", name="Bo Li")).to_be_in_viewport()
    grade = page.locator('select[name="grade"]')
    expect(grade).to_be_hidden()
    page.locator("summary", has_text="More filters").click()
    grade.select_option("4")
    page.get_by_role("button", name="Filter").click()
    expect_names(page, "Ana Ruiz")
    expect(grade).to_be_visible()
