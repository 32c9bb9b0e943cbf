"""Choosing, dropping, sending and watching files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from core.models import Upload, UploadBatch
from tests.browser.conftest import Site, Visit

_DROP = """(element) => {
  const files = new DataTransfer();
  files.items.add(new File(["dropped"], "dropped.pdf"));
  element.dispatchEvent(new DragEvent("dragover", { dataTransfer: files, bubbles: true, cancelable: true }));
  element.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def page(visit: Visit) -> Page:
    page = visit("uploader")
    page.goto("/")
    return page


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / name for name in ("one.pdf", "two.pdf", "three.pdf")]
    for path in made:
        path.write_text(path.name)
    return made


def names(site: Site) -> list[str]:
    with site.context.database.session() as session:
        return list(session.scalars(select(Upload.original_filename).order_by(Upload.position)))


def test_files_are_sent_one_by_one_and_the_batch_shown(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files)
    page.locator("[data-drop]").evaluate(_DROP)
    page.get_by_role("button", name="Remove two.pdf").click()
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    assert names(site) == ["one.pdf", "three.pdf", "dropped.pdf"]
    with site.context.database.session() as session:
        assert session.scalars(select(UploadBatch.file_count)).all() == [3]


def test_one_entry_goes_in_one_request(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files)
    page.get_by_label("These files are one entry").check()
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    with site.context.database.session() as session:
        assert session.scalars(select(UploadBatch.one_entry)).all() == [True]
    assert len(names(site)) == 3


def test_the_batch_follows_by_itself(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files[0])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Waiting")).to_be_visible()
    failed = {"status": "failed", "error_code": "storage_error"}
    with site.context.database.session() as session:
        session.execute(update(Upload).values(failed))
    expect(page.get_by_text("The file store is not responding.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The file is being read again.")).to_be_visible()


def test_a_connection_that_breaks_off_can_be_tried_again(visit: Visit, site: Site, files: list[Path]) -> None:
    page = visit("uploader", tolerate="ERR_FAILED")
    page.goto("/")
    page.route("**/upload", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("#files").set_input_files(files[0])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("The connection was lost.")).to_be_visible()
    page.unroute("**/upload")
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    assert names(site) == ["one.pdf"]


def test_a_file_is_chosen_by_the_products_own_button(visit: Visit, site: Site, tmp_path: Path) -> None:
    """By pointer and by keyboard, which reach the browser's control over it; the name is said."""
    file = tmp_path / "schools.csv"
    file.write_text("name\nLakeview Elementary\n")
    page = visit("admin")
    picker = page.locator("[data-file-picker]")

    def show_picker() -> None:
        page.goto("/schools")
        if not picker.is_visible():
            picker.locator("xpath=ancestor::details[not(@open)]/summary").click()
        # The script moves the button: a click before it would miss.
        expect(picker).to_contain_class("enhanced")

    # Kept for the whole test: the browser's own dialogue, which nobody answers, would open between two listeners.
    page.on("filechooser", lambda _: None)
    show_picker()
    with page.expect_file_chooser() as chooser:
        picker.get_by_text("Choose a file").click(force=True)
    chooser.value.set_files(file)
    expect(picker.get_by_text("schools.csv")).to_be_visible()
    # On a new page: the browser opens no second dialogue of one control before it has put the first away.
    show_picker()
    with page.expect_file_chooser():
        page.get_by_label("CSV file").press("Enter")
