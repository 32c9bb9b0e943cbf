"""An essay is corrected line by line beside its page, by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.models import ReviewEvent, Submission, SubmissionField
from tests.browser.conftest import Site, Visit
from tests.support.review import essays


@pytest.fixture
def submission(site: Site) -> Submission:
    with site.context.database.session() as session:
        return essays.make_essay_entry(site.context, session)


@pytest.fixture
def page(visit: Visit, submission: Submission) -> Page:
    page = visit("reviewer", tolerate="409")
    page.goto(f"/submissions/{submission.id}/essay", wait_until="load")
    return page


def essay(site: Site) -> str | None:
    return site.context.database.scalar(select(SubmissionField.value).where(SubmissionField.name == "essay_text"))


def test_a_line_is_corrected_through_to_the_audit_trail(page: Page, site: Site) -> None:
    first = page.get_by_label("Line 1", exact=True)
    first.focus()
    expect(page.locator("#box-line_0-0")).to_have_class("long lit")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Line 2", exact=True)).to_be_focused()
    expect(page.locator("#box-line_1-0")).to_have_class("long lit")
    page.keyboard.press("ArrowDown")
    wrong = page.get_by_label("Line 3", exact=True)
    expect(wrong).to_be_focused()
    expect(wrong).to_have_value(essays.MISREAD)
    wrong.fill(essays.RIGHT)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The essay was saved.")).to_be_visible()
    corrected = "\n".join(essays.LINES).replace(essays.MISREAD, essays.RIGHT)
    assert essay(site) == corrected
    with site.context.database.session() as session:
        event = session.scalars(select(ReviewEvent).where(ReviewEvent.field_name == "essay_text")).one()
        assert (event.kind, event.after_value) == ("edited", corrected)
        assert session.scalars(select(Submission.word_count)).one() == len(corrected.split())
    expect(page.locator(".history")).to_contain_text("Robin Reviewer")


def test_lines_come_and_go_and_are_counted(page: Page, site: Site) -> None:
    words = page.locator("[data-words]").nth(-1)
    before = len(" ".join(essays.LINES).split())
    expect(words).to_have_text(str(before))
    page.get_by_label("Line 1", exact=True).focus()
    page.keyboard.press("Alt+Enter")
    expect(page.get_by_label("Line 2", exact=True)).to_be_focused()
    page.keyboard.type("two words")
    expect(words).to_have_text(str(before + 2))
    page.get_by_label("Line 3", exact=True).fill("")
    page.get_by_label("Line 3", exact=True).press("Backspace")
    expect(page.get_by_label("Line 2", exact=True)).to_be_focused()
    page.get_by_role("button", name="Save the essay").click()
    expect(page.get_by_text("The essay was saved.")).to_be_visible()
    assert essay(site) == "\n".join([essays.LINES[0], "two words", *essays.LINES[2:]])


def test_what_was_typed_is_kept_when_a_colleague_was_faster(page: Page, site: Site) -> None:
    page.get_by_label("Line 1", exact=True).fill("my own reading")
    with site.context.database.session() as session:
        session.scalars(select(Submission)).one().version += 1
    page.get_by_role("button", name="Save the essay").click()
    expect(page.get_by_role("alert")).to_contain_text("What you typed is below.")
    expect(page.get_by_label("Line 1", exact=True)).to_have_value("my own reading")
    page.get_by_role("button", name="Save the essay").click()
    expect(page.get_by_text("The essay was saved.")).to_be_visible()
    assert (essay(site) or "").startswith("my own reading\n")


def test_what_was_typed_is_there_after_the_page_was_left(page: Page) -> None:
    page.get_by_label("Line 2", exact=True).fill("not sent yet")
    page.goto("/submissions")
    page.go_back()
    expect(page.get_by_label("Line 2", exact=True)).to_have_value("not sent yet")


def test_without_javascript(visit: Visit, site: Site, submission: Submission) -> None:
    page = visit("reviewer", java_script_enabled=False)
    page.goto(f"/submissions/{submission.id}/essay")
    page.get_by_role("button", name="Add a line after line 1", exact=True).click()
    page.get_by_label("Line 2", exact=True).fill("put in")
    page.get_by_role("button", name="Remove line 4", exact=True).click()
    page.get_by_role("button", name="Save the essay").click()
    expect(page.get_by_text("The essay was saved.")).to_be_visible()
    assert essay(site) == "\n".join([essays.LINES[0], "put in", essays.LINES[1], *essays.LINES[3:]])
