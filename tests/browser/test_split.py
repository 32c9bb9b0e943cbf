"""A wrong split mended: by mouse, by keyboard, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from core.models import Submission, Upload, UploadSplit
from services.uploads.submissions import analyse_upload
from tests.browser.conftest import Site, Visit, sign_in
from tests.browser.test_layout import check
from tests.support import factories
from tests.support.reading.stacks import make_stack, marks_of

NOTHING = "Nothing has been changed yet."


@pytest.fixture
def stack(site: Site) -> Upload:
    """Two entries of two pages, and one of one page that belongs to the second."""
    with site.context.database.session() as session:
        batch = factories.make_batch(session, file_count=2)
        make_stack(site.context, session, [(1, 1)], batch, mark="B", position=1)
        return make_stack(site.context, session, [(1, 2), (3, 4), (5, 5)], batch)[0]


def tile(page: Page, number: int, file: int = 0) -> Locator:
    return page.locator(f"#page-{file}-{number}")


def tool(page: Page, number: int, name: str) -> Locator:
    return tile(page, number).locator(f'[data-do="{name}"]')


def entries(page: Page) -> list[list[str]]:
    """The entries as the page shows them, by the keys of their pages."""
    return page.locator("[data-entry]").evaluate_all(
        "all => all.map(e => [...e.querySelectorAll('[data-page]')].map(t => t.dataset.page))"
    )


def saved(site: Site) -> tuple[list[str], list[tuple[int, int]]]:
    """The marks of the derived file's pages and the page ranges of its entries, once its work is done."""
    made = site.context.database.one(select(UploadSplit.made_upload_id))
    assert made is not None
    analyse_upload(site.context, made)
    with site.context.database.session() as session:
        rows = session.execute(
            select(Submission.page_start, Submission.page_end)
            .where(Submission.upload_id == made)
            .order_by(Submission.chunk_index)
        )
        ranges = [(row.page_start, row.page_end) for row in rows]
    return marks_of(site.context, made), ranges


def test_by_mouse(visit: Visit, site: Site, stack: Upload) -> None:
    page = visit("reviewer")
    page.goto(f"/batches/{stack.batch_id}")
    page.get_by_role("link", name="Correct the split of stack A.pdf").click()
    expect(page.get_by_text(NOTHING)).to_be_visible()
    page.get_by_role("button", name="Join entry 3 with the entry before").click()
    assert entries(page) == [["0-1", "0-2"], ["0-3", "0-4", "0-5"]]
    tile(page, 2).drag_to(tile(page, 3), target_position={"x": 8, "y": 90})
    assert entries(page) == [["0-1"], ["0-2", "0-3", "0-4", "0-5"]]
    tool(page, 4, "turn").click()
    tool(page, 3, "out").click()
    expect(page.locator("[data-preview]")).to_have_text(
        "3 entries will be replaced: Marisol Quintero, Tomas Alder, Ines Calloway. "
        "2 new entries will be read. One page will be left out."
    )
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. 2 new entries are being read.")).to_be_visible()
    assert saved(site) == (["A1", "A2", "A4", "A5"], [(1, 1), (2, 4)])
    page.reload()
    assert entries(page) == [["1-1"], ["1-2", "1-3", "1-4"]]
    expect(page.locator(".page-name").nth(2)).to_have_text("Page 4")
    expect(page.locator("[data-tray] [data-page]")).to_have_count(1)
    page.get_by_role("button", name="Undo the correction by Robin Reviewer").click()
    expect(page.get_by_text("Undone. 3 entries are restored.")).to_be_visible()
    assert entries(page) == [["0-1", "0-2"], ["0-3", "0-4"], ["0-5"]]


def test_by_keyboard(visit: Visit, site: Site, stack: Upload) -> None:
    page = visit("reviewer")
    page.goto(f"/uploads/{stack.id}/split")
    tile(page, 1).focus()
    keys = page.keyboard
    keys.press("ArrowRight")
    expect(tile(page, 2)).to_be_focused()
    keys.press("Shift+ArrowLeft")
    assert entries(page)[0] == ["0-2", "0-1"]
    expect(page.locator("[data-said]")).to_have_text("stack A.pdf, page 2 is now page 1 of entry 1.")
    expect(tile(page, 2)).to_be_focused()
    keys.press("ArrowRight")
    keys.press("n")
    assert entries(page)[:2] == [["0-2"], ["0-1"]]
    keys.press("Control+z")
    keys.press("Control+z")
    assert entries(page)[0] == ["0-1", "0-2"]
    keys.press("Control+y")
    assert entries(page)[0] == ["0-2", "0-1"]
    tile(page, 5).focus()
    keys.press("r")
    keys.press("m")
    keys.press("Shift+ArrowLeft")
    tile(page, 4).focus()
    keys.press("x")
    expect(tile(page, 4)).to_be_focused()
    assert entries(page) == [["0-2", "0-1"], ["0-3", "0-5"]]
    expect(page.locator("[data-preview]")).to_contain_text(
        "2 new entries will be read. One page will be left out."
    )
    page.get_by_role("button", name="Save", exact=True).focus()
    keys.press("Enter")
    expect(page.get_by_text("Saved. 2 new entries are being read.")).to_be_visible()
    assert saved(site) == (["A2", "A1", "A3", "A5"], [(1, 2), (3, 4)])


def test_pages_of_another_file_are_joined(visit: Visit, site: Site, stack: Upload) -> None:
    page = visit("reviewer")
    page.goto(f"/uploads/{stack.id}/split")
    tool(page, 5, "turn").click()
    page.get_by_label("Add pages from another file").select_option("stack B.pdf")
    page.get_by_role("button", name="Add its pages").click()
    expect(tile(page, 1, file=1)).to_be_visible()
    page.get_by_role("button", name="Join entry 4 with the entry before").click()
    assert entries(page)[2] == ["0-5", "1-1"]
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. The new entry is being read.")).to_be_visible()
    assert saved(site) == (["A5", "B1"], [(1, 2)])


def test_dropping_beside_and_out(visit: Visit, stack: Upload) -> None:
    # High enough that nothing scrolls while a page is dragged.
    page = visit("reviewer", viewport={"width": 1400, "height": 1600})
    page.goto(f"/uploads/{stack.id}/split")
    tile(page, 4).drag_to(page.locator("[data-new]"))
    assert entries(page) == [["0-1", "0-2"], ["0-3"], ["0-5"], ["0-4"]]
    tile(page, 1).drag_to(page.locator("[data-tray]"))
    expect(page.locator("[data-tray] [data-page]")).to_have_count(1)
    tool(page, 1, "back").click()
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Redo", exact=True).click()
    assert entries(page) == [["0-2"], ["0-3"], ["0-5"], ["0-4"], ["0-1"]]


def test_without_scripts(visit: Visit, site: Site, stack: Upload) -> None:
    page = visit("reviewer", java_script_enabled=False)
    page.goto(f"/uploads/{stack.id}/split")
    fifth, fourth = tile(page, 5), tile(page, 4)
    fifth.get_by_label("Entry", exact=True).fill("2")
    fifth.get_by_label("Position", exact=True).fill("1")
    tile(page, 3).get_by_label("Position", exact=True).fill("2")
    fifth.get_by_role("combobox").select_option("90")
    fourth.get_by_label("Leave out", exact=True).check()
    page.get_by_role("button", name="See what will change").click()
    expect(page.locator("[data-preview]")).to_have_text(
        "2 entries will be replaced: Tomas Alder, Ines Calloway. One new entry will be read. "
        "One page will be left out. One entry stays as it is."
    )
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. The new entry is being read.")).to_be_visible()
    assert saved(site) == (["A5", "A3"], [(1, 2)])


def test_a_plan_survives_a_lost_session(visit: Visit, site: Site, stack: Upload) -> None:
    page = visit("reviewer", tolerate="the server responded with a status of 401")
    url = f"/uploads/{stack.id}/split"
    page.goto(url)
    tool(page, 2, "begin").click()
    expect(page.locator("[data-preview]")).to_contain_text("2 new entries will be read.")
    page.context.clear_cookies()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="Please sign in")).to_be_visible()
    sign_in(page, "reviewer@example.org")
    page.goto(url)
    assert entries(page)[:2] == [["0-1"], ["0-2"]]
    expect(page.locator("[data-said]")).to_contain_text("Your unsaved changes were restored.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. 2 new entries are being read.")).to_be_visible()
    expect(page.get_by_text(NOTHING)).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_fits(visit: Visit, stack: Upload, theme: str) -> None:
    page = visit("reviewer", color_scheme=theme)
    page.goto(f"/uploads/{stack.id}/split")
    for width in (390, 820, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        check(page)
