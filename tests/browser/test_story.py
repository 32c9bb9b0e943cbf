"""The main job, as two people do it: upload a sample, watch it finish, approve, see the record changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.config import ROOT
from services.school_lists import import_schools
from tests.browser.conftest import Site, Visit
from tests.support.office import working

SAMPLES = ROOT / "samples"
_PATIENCE = 120_000
#: What the reviewer types over the first of these fields that is proposed.
CORRECTIONS = {"student_name": "Noemi Marlowe", "school_name": "Summit Prairie High School East", "grade": "7"}


def sample_with_a_proposal() -> Path:
    """The first of the samples whose one entry ends as a proposal."""
    labels = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8")).values()
    names = [
        label["file"] for label in labels if [one["expected_outcome"] for one in label["entries"]] == ["suggested"]
    ]
    return SAMPLES / min(names)


@pytest.mark.slow
def test_from_a_file_to_a_reviewed_record(visit: Visit, site: Site) -> None:
    import_schools(site.context, (SAMPLES / "schools.csv").read_text(encoding="utf-8"))
    with working(site.context):
        entry = upload_and_watch(visit("uploader", by_form=True), sample_with_a_proposal())
    page = visit("reviewer", by_form=True)
    decided = approve(page)
    page.goto(entry)
    expect(page.locator(".heading .pill")).to_have_text("Settled")
    for name, value in decided.items():
        if value:
            expect(page.locator(f"#field-{name} .value")).to_have_text(value)
    expect(page.locator(".history")).to_contain_text("Robin Reviewer")


def upload_and_watch(page: Page, sample: Path) -> str:
    """Returns the address of the entry; the page shows its end without being reloaded by hand."""
    page.goto("/upload")
    page.locator("#files").set_input_files(sample)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    expect(page.locator(".entries .pill")).to_have_text("Proposal waiting", timeout=_PATIENCE)
    expect(page.get_by_text("The file was read")).to_be_visible()
    href = page.locator(".entries a").get_attribute("href")
    assert href is not None
    return href


def approve(page: Page) -> dict[str, str]:
    """Approve what is proposed, one field corrected. Returns the values the record must have then."""
    page.goto("/review/suggestions")
    page.get_by_role("link", name="Start").click()
    # The list has a heading too: what is proposed stands only on the page of the entry.
    inputs = page.locator("[name^=value-]")
    expect(inputs.first).to_be_attached()
    names = inputs.evaluate_all("all => all.map(e => e.name.replace('value-', ''))")
    name = next(name for name in names if name in CORRECTIONS)
    field = page.locator(f"#field-{name}")
    field.get_by_label("Edit").check()
    field.locator(f"#value-{name}").fill(CORRECTIONS[name])
    values = inputs.evaluate_all("all => all.map(e => [e.name.replace('value-', ''), e.value])")
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()
    return dict(values)
