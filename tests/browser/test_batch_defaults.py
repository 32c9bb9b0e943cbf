"""What is said of a batch is seen before it holds, applied and taken back; an entry is typed in by hand."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from core.errors import DamagedDocumentError
from core.models import BatchDefault, Run, Upload
from services.batches.giving import run_defaults
from services.context import Context
from services.runs.run import run_submission
from services.runs.settle import fail_upload
from services.uploads.submissions import analyse_upload
from tests.browser.conftest import Site, Visit
from tests.support.erasure.child import OTHER_ESSAY
from tests.support.reading.entries import COMPLETE, acroform


def read_all(context: Context) -> None:
    """What a worker does."""
    stored = context.database.scalars(select(Upload.id).where(Upload.status == "stored"))
    for upload_id in stored:
        analyse_upload(context, upload_id)
    given = context.database.scalars(select(BatchDefault.id).where(BatchDefault.status == "applying"))
    for change_id in given:
        assert run_defaults(context, change_id)
    due = context.database.scalars(select(Run.run_id).where(Run.status == "queued"))
    for run_id in due:
        assert run_submission(context, run_id)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two entries: one without a school."""
    (tmp_path / "one.pdf").write_bytes(acroform({**COMPLETE, "School": ""}))
    (tmp_path / "two.pdf").write_bytes(acroform({**COMPLETE, "Student's Name": "Theo Okafor"}, OTHER_ESSAY))
    return [str(tmp_path / name) for name in ("one.pdf", "two.pdf")]


def test_said_before_it_is_read_and_changed_after(visit: Visit, site: Site, files: list[str]) -> None:
    page = visit("reviewer")
    page.goto("/upload")
    page.locator("summary", has_text="Values for all of these files").click()
    page.get_by_label("Teacher").fill("Ms. Ortega")
    page.get_by_label("Language of the essays").select_option("es")
    says = page.get_by_text(
        "These values will be used where the page has none: Teacher: Ms. Ortega · Language: Spanish"
    )
    expect(says).to_be_visible()
    page.set_input_files("#files", files)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    expect(page.get_by_text("These values will be used where the page has none:")).to_be_visible()
    read_all(site.context)
    page.reload()
    batch = uuid.UUID(page.url.rsplit("/", 1)[1])

    page.locator("summary", has_text="Change them").click()
    page.get_by_label("School").fill("Juniper Hills Elementary School")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_text("1 entry in this upload would change, 1 stays as it is.")).to_be_visible()
    expect(page.get_by_text("keeps “Lakeview Elementary School”")).to_be_visible()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("The values were saved and are being filled in.")).to_be_visible()
    read_all(site.context)
    page.reload()
    expect(page.get_by_text("Completed · 2")).to_be_visible()
    page.get_by_role("link", name="Juniper Hills Elementary School").click()
    school = page.locator("#field-school_name")
    expect(school).to_contain_text("value from the upload")
    expect(school).to_contain_text("given by")

    page.goto(f"/batches/{batch}")
    page.get_by_role("button", name="Remove these values").click()
    expect(
        page.get_by_role("status").get_by_text("The values are being removed from the entries that have them.")
    ).to_be_visible()
    read_all(site.context)
    page.reload()
    expect(page.get_by_text("Completed · 1")).to_be_visible()
    expect(page.get_by_text("Juniper Hills Elementary School")).to_have_count(0)


def test_an_entry_that_cannot_be_read_is_typed_in(visit: Visit, site: Site, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    page = visit("reviewer", java_script_enabled=False)
    page.goto("/upload")
    page.set_input_files("#files", str(tmp_path / "broken.pdf"))
    page.get_by_role("button", name="Upload").click()
    upload_id = site.context.database.one(select(Upload.id))
    fail_upload(site.context, upload_id, DamagedDocumentError("no pages"))
    page.reload()
    page.get_by_role("link", name="Type it in").click()
    expect(page.get_by_text("Type what is on its pages; the file stays with the entry.")).to_be_visible()
    page.get_by_label("Student", exact=True).fill("Marisol Quintero")
    page.get_by_label("School").fill("Juniper Hills Elementary School")
    page.get_by_label("Essay", exact=True).fill("Too short")
    page.get_by_role("button", name="Save the entry").click()
    expect(page.get_by_text("It is waiting for a person because something is missing.")).to_be_visible()
    expect(page.get_by_text("There is no page to show: the entry was typed in.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.")).to_be_visible()
    expect(page.get_by_role("link", name="Type it in")).to_be_visible()
