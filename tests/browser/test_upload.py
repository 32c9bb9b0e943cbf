"""Choosing, dropping, sending and watching files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
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
    return site.context.database.scalars(select(Upload.original_filename).order_by(Upload.position))


def test_files_are_sent_one_by_one_and_the_batch_shown(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files)
    page.locator("[data-drop]").evaluate(_DROP)
    page.get_by_role("button", name="Remove two.pdf").click()
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    assert names(site) == ["one.pdf", "three.pdf", "dropped.pdf"]
    assert site.context.database.scalars(select(UploadBatch.file_count)) == [3]


def test_one_entry_goes_in_one_request(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files)
    page.get_by_label("These files are one entry").check()
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    assert site.context.database.scalars(select(UploadBatch.one_entry)) == [True]
    assert len(names(site)) == 3


def test_the_batch_follows_by_itself(page: Page, site: Site, files: list[Path]) -> None:
    page.locator("#files").set_input_files(files[0])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Waiting")).to_be_visible()
    failed = {"status": "failed", "error_code": "storage_error"}
    site.context.database.execute(update(Upload).values(failed))
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


def refuse(page: Page, answers: list[tuple[int, int]]) -> list[str]:
    """Have the server refuse so many uploads, each with a status and a Retry-After; return what was sent."""
    sent: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        sent.append((route.request.post_data_buffer or b"").decode(errors="replace"))
        if not answers:
            return route.continue_()
        status, seconds = answers.pop(0)
        body = {"error": {"code": "busy", "message": "", "help": "Others are served first."}}
        return route.fulfill(status=status, json=body, headers={"Retry-After": str(seconds)})

    page.route("**/upload", answer)
    return sent


def test_a_server_that_is_busy_is_asked_again_when_it_says(visit: Visit, site: Site, files: list[Path]) -> None:
    page = visit("uploader", tolerate="503")
    page.goto("/")
    sent = refuse(page, [(503, 1), (503, 1)])
    page.locator("#files").set_input_files(files)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Others are served first. Trying again in 1 s.")).to_be_visible()
    page.wait_for_url("**/batches/*")
    assert names(site) == ["one.pdf", "two.pdf", "three.pdf"] and len(sent) == 5


def test_a_server_that_takes_nothing_is_not_asked_for_each_file(
    visit: Visit, site: Site, files: list[Path]
) -> None:
    page = visit("uploader", tolerate="507")
    page.goto("/")
    sent = refuse(page, [(507, 300)])
    page.locator("#files").set_input_files(files)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Some files were not")).to_be_visible()
    assert len(sent) == 1 and names(site) == []
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    assert names(site) == ["one.pdf", "two.pdf", "three.pdf"]


def test_an_entry_too_large_for_one_request_is_not_sent(page: Page, site: Site, files: list[Path]) -> None:
    sent = refuse(page, [])
    page.locator("[data-upload]").evaluate("(form) => form.dataset.maxRequest = 20")
    page.locator("#files").set_input_files(files)
    page.get_by_label("These files are one entry").check()
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Too large for one upload")).to_have_count(3)
    assert sent == [] and names(site) == []


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
