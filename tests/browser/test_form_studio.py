"""An admin describes an entirely different form and tries it; its entries are read, reviewed and exported."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from core.models import Export
from lab.samples.camp import filled, layout
from lab.samples.camp.collection import blank_forms
from lab.samples.camp.people import DEVELOPMENT, draw_camper
from lab.samples.sample import to_bytes
from services.exports.making import make_export
from services.form_studio.blank import read_blank
from services.form_studio.draft import list_drafts
from services.form_studio.samples import list_samples, read_sample
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from tests.browser.conftest import Site, Visit
from tests.support.office import uploads_of
from tests.support.small_form import files_alone_afterwards

LABELS = {cell.name: cell.english for cell in layout.CELLS}


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    path = tmp_path / "camp.pdf"
    path.write_bytes(blank_forms()["camp-blank-flat.pdf"])
    return path


def card_of(page: Page, label: str) -> Locator:
    return page.locator(".mark-card", has=page.locator("summary .grow").get_by_text(label, exact=True)).first


def saved(page: Page) -> None:
    """Wait until the server has the last change, and nothing is under way."""
    page.get_by_role("button", name="Save the draft").click()
    expect(page.locator("[data-saved]")).to_have_text("Saved")


@pytest.mark.slow
def test_from_a_blank_to_an_export(visit: Visit, site: Site, blank: Path, tmp_path: Path) -> None:
    rng = Random("studio")
    whole, lacking = (draw_camper(rng, DEVELOPMENT) for _ in range(2))
    name, age = lacking.given["student_name"], lacking.given["age"]
    lacking.answers["age"] = None
    files = [tmp_path / "whole.pdf", tmp_path / "lacking.pdf"]
    for path, camper in zip(files, (whole, lacking), strict=True):
        path.write_bytes(to_bytes(filled.typed(rng, camper), rng))
    page = visit("admin")
    begin(page, site, blank)
    describe(page)
    try_it(page, site, files[0], whole.given["student_name"])
    save(page)
    read(page, site, files)
    settle(page, age)
    page.goto("/admin/orchestrator_stats?form=cedar_camp")
    expect(page.locator(".tile", has_text="Total runs")).to_contain_text("2")
    rows = {row["student_name"]: row for row in exported(page, site)}
    assert set(rows) == {whole.given["student_name"], name}
    assert rows[whole.given["student_name"]]["t_shirt_size"] == whole.given["shirt_size"]
    assert rows[name]["age"] == age


def begin(page: Page, site: Site, blank: Path) -> None:
    page.goto("/admin/forms")
    expect(page.get_by_text("No form has been described here yet.")).to_be_visible()
    page.get_by_label("Empty form").set_input_files(blank)
    page.get_by_role("button", name="Upload").click()
    (draft,) = list_drafts(site.context)
    assert read_blank(site.context, draft.id)
    # The page follows by itself.
    expect(page.locator("[data-mark=field-0-zone]")).to_be_visible()


def describe(page: Page) -> None:
    """Name the form, drag one mark, type the place of another, and say what every entry needs."""
    page.get_by_label("Name", exact=True).fill("Cedar Bend camp")
    page.locator("[name=form-key]").fill("cedar_camp")
    saved(page)
    card_of(page, LABELS["city_or_location"]).locator("summary").first.click()
    city = card_of(page, LABELS["city_or_location"]).locator("[data-inputs$=-zone]")
    part = city.get_attribute("data-inputs")
    mark = page.locator(f"[data-mark={part}]")
    before = float(page.locator(f"[name={part}-x0]").input_value())
    box = mark.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 4, y, steps=3)
    page.mouse.up()
    assert float(page.locator(f"[name={part}-x0]").input_value()) < before
    saved(page)
    mark.press("ArrowRight")
    page.locator(f"[name={part}-y1]").fill("222.5")
    bottom = mark.evaluate("rect => Number(rect.getAttribute('y')) + Number(rect.getAttribute('height'))")
    assert abs(bottom - 222.5) < 0.2
    for name in layout.REQUIRED:
        card = card_of(page, LABELS[name])
        if card.get_attribute("open") is None:
            card.locator("summary").first.click()
        card.get_by_label("Required for every entry").check()
    saved(page)
    expect(page.get_by_text("The marks have no problems.")).to_be_visible()
    # What is removed by mistake comes back.
    card_of(page, "Date").locator("summary").first.click()
    card_of(page, "Date").get_by_role("button", name="Remove this field").click()
    expect(page.locator("#fields-heading")).to_contain_text("16")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#fields-heading")).to_contain_text("17")


def try_it(page: Page, site: Site, sample: Path, name: str) -> None:
    page.get_by_role("link", name="Test", exact=True).click()
    page.get_by_label("Completed forms").set_input_files(sample)
    page.get_by_role("button", name="Read them").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    (draft,) = list_drafts(site.context)
    (row,) = list_samples(site.context, draft.id)
    assert read_sample(site.context, row.id)
    expect(page.get_by_text("12 of 12 required fields have a value.")).to_be_visible()
    expect(page.get_by_role("cell", name=name)).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("link", name="Save", exact=True).click()
    expect(page.get_by_text("The first version of a new form")).to_be_visible()
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("Cedar Bend camp was saved as version 1.")).to_be_visible()


def read(page: Page, site: Site, files: list[Path]) -> None:
    """Hand entries in; the office then knows what each of them needs."""
    page.goto("/upload")
    page.locator("#files").set_input_files(files)
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*")
    for upload in uploads_of(site.context, uuid.UUID(page.url.rpartition("/")[2])):
        for run_id in analyse_upload(site.context, upload.id):
            assert run_submission(site.context, run_id)
    expect(page.locator(".entries .pill", has_text="Completed")).to_be_visible()
    expect(page.locator(".entries .pill", has_text="Needs a person")).to_be_visible()


def settle(page: Page, age: str) -> None:
    """Settle the entry that waits with what a person found out."""
    page.goto("/review/escalations")
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#field-age")).to_contain_text("missing")
    page.locator("#value-age").fill(age)
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_text("The queue is empty.")).to_be_visible()


def exported(page: Page, site: Site) -> list[dict[str, str]]:
    page.goto("/exports")
    page.get_by_label("Entries, CSV").check()
    page.get_by_role("button", name="Create the file").click()
    export_id = site.context.database.one(select(Export.id))
    assert make_export(site.context, export_id)
    expect(page.get_by_role("cell", name="Done")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("link", name="Entries, CSV").click()
    with started.value.path().open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_without_a_script(visit: Visit, site: Site, blank: Path) -> None:
    page = visit("admin", java_script_enabled=False)
    page.goto("/admin/forms")
    page.get_by_label("Empty form").set_input_files(blank)
    page.get_by_role("button", name="Upload").click()
    (draft,) = list_drafts(site.context)
    assert read_blank(site.context, draft.id)
    page.reload()
    page.locator("[name=form-label]").fill("Camp")
    page.get_by_role("button", name="Add a field").click()
    for side, value in zip(("x0", "y0", "x1", "y1"), (40, 420, 300, 440), strict=True):
        page.locator(f"[name=field-17-zone-{side}]").fill(str(value))
    page.locator("[name=field-17-key]").fill("bus_stop")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.locator("[data-mark=field-17-zone]")).to_have_attribute("x", "40.0")
    expect(page.locator("[name=form-label]")).to_have_value("Camp")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-mark=field-17-zone]")).to_have_count(0)
