"""A season in the office, from the set-up to the judges' packet, with all that people do in between."""

from __future__ import annotations

import csv
import io
import re
import uuid
import zipfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from core.config import ROOT
from core.confined.mupdf import pymupdf
from core.models import COMPLETE_STATUSES, Submission, SubmissionField
from tests.browser.conftest import Site, Visit
from tests.support.long import LONG
from tests.support.office import entries_of, settled, wait_until, working

SAMPLES = ROOT / "samples"
#: Read as it is; without a grade; another form; an essay without a form.
FEW = (
    "01-form-filled-on-screen.pdf",
    "02-form-without-grade.pdf",
    "07-form-printed-from-a-browser.pdf",
    "10-essay-without-a-form.pdf",
)
#: What a person types where a field of an escalated entry is empty.
TYPED = {
    "student_name": "Noemi Marlowe",
    "school_name": "Summit Prairie High School East",
    "grade": "7",
    "essay_text": "He taught me to mend what is broken, and to wait for what takes its time. " * 8,
}
#: The name that one of the schools gets.
SCHOOL = "Alder Grove Middle School"
_PATIENCE = 120_000
_READING = 1_500.0


def files_of_the_season(folder: Path) -> list[Path]:
    """The files of an upload, the last one a scan of the first: some of the samples, or with TEST_LONG all."""
    rescan = folder / "scanned once more.png"
    with pymupdf.open(SAMPLES / FEW[0]) as document:
        document[0].get_pixmap(dpi=150).save(rescan)
    if not LONG:
        return [*(SAMPLES / name for name in FEW), rescan]
    entries = ROOT / "tests" / "data" / "entries"
    kept = [path for path in sorted(SAMPLES.iterdir()) if path.suffix in (".pdf", ".jpg", ".docx")]
    return [*kept, *(path for path in sorted(entries.iterdir()) if path.suffix != ".json"), rescan]


@pytest.mark.slow
@pytest.mark.long
def test_a_season(visit: Visit, site: Site, tmp_path: Path) -> None:
    files = files_of_the_season(tmp_path)
    admin = visit("admin", by_form=True)
    set_up(admin)
    with working(site.context):
        batch = upload(visit("uploader", by_form=True), site, files)
        page = visit("reviewer", by_form=True)
        keep_one_of_two(page)
        ask_for_what_is_missing(page)
        decide_all(page)
        wait_until(lambda: settled(site.context, batch), "the end of what was decided", seconds=_READING)
        rename_a_school(page, site)
        packet = judges_packet(page, tmp_path)
    page.goto("/submissions/by-school")
    expect(page.get_by_role("link", name=SCHOOL)).to_be_visible()
    assert essays_in(packet) == complete_with_essay(site, at_least=len(files) - 2)
    close_the_season(admin)


def set_up(page: Page) -> None:
    """The season's name, its schools, and how the office is reached; the rest as it is."""
    page.goto("/admin/set-up")
    page.get_by_label("Name", exact=True).fill("Season 2027")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The season was saved.")).to_be_visible()
    page.get_by_label("CSV file").set_input_files(SAMPLES / "schools.csv")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("schools are on this season's list")).to_be_visible()
    page.goto("/letters/texts")
    page.get_by_label("How to reach the office").fill("555-0142")
    page.get_by_role("button", name="Save").click()


def upload(page: Page, site: Site, files: Sequence[Path]) -> uuid.UUID:
    """Hand the files in, with a teacher for all of them, and more entries announced than there are; wait."""
    page.goto("/upload")
    page.locator("#files").set_input_files(files)
    page.locator("summary", has_text="Values for all of these files").click()
    page.get_by_label("Teacher").fill("Ms. Ortega")
    page.get_by_label("Entries sent").fill("200")
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/batches/*", timeout=_PATIENCE)
    batch = uuid.UUID(page.url.rsplit("/", 1)[1])
    wait_until(lambda: settled(site.context, batch), "the end of the reading", seconds=_READING)
    page.reload()
    found = len(entries_of(site.context, batch))
    assert found >= len(files)
    expect(page.get_by_text(f"200 entries were sent, {found} were found.")).to_be_visible()
    return batch


def keep_one_of_two(page: Page) -> None:
    """The scan of an entry that came as a file too: the file is kept."""
    page.goto("/submissions/duplicates")
    page.get_by_role("link", name="Start with the oldest").click()
    page.get_by_role("button", name="Keep the first").click()
    expect(page.get_by_text("The first was kept.")).to_be_visible()


def ask_for_what_is_missing(page: Page) -> None:
    """A letter to print asks for what a form left out; the answer completes the entry."""
    page.goto("/submissions/missing")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Preview the letters").click()
    page.get_by_role("button", name="Prepare 1 letter to print").click()
    with page.expect_download() as letter:
        page.get_by_role("link", name="Letters to print (PDF)").click()
    assert letter.value.path().read_bytes().startswith(b"%PDF")
    page.locator("tbody th a").first.click()
    page.get_by_text("Enter the answer").click()
    fill_in(page)
    page.get_by_role("button", name="Save it and settle the entry").click()
    expect(page.get_by_text("The answer was saved, and the entry is settled.")).to_be_visible()


def fill_in(page: Page) -> None:
    """Type what is missing."""
    for name, value in TYPED.items():
        for field in page.locator(f".missing [name=value-{name}], .answer-letter [name=value-{name}]").all():
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)


def decide_all(page: Page) -> None:
    """Approve each entry as it is marked, with what is missing typed in and what is undecided taken."""
    for _ in count():
        page.goto("/review")
        start = page.get_by_role("link", name="Start")
        expect(start.or_(page.locator(".empty-state"))).to_be_visible()
        if not start.count():
            break
        start.click()
        fill_in(page)
        for row in page.locator(".desk-row:has([value=reject]:checked)").all():
            row.locator("[value=approve]").evaluate("radio => radio.click()")
        page.get_by_role("button", name="Approve", exact=True).click()
        expect(page.locator(".messages .message")).to_be_visible()


def judges_packet(page: Page, folder: Path) -> Path:
    """The packet as it is downloaded once it is made; the page follows by itself."""
    page.goto("/exports")
    page.get_by_label("essays of complete entries by grade").check()
    page.get_by_role("button", name="Create the file").click()
    with page.expect_download(timeout=_PATIENCE) as packet:
        page.locator("th a[download]").click(timeout=_PATIENCE)
    path = folder / "packet.zip"
    packet.value.save_as(path)
    return path


def essays_in(packet: Path) -> int:
    """How many lines of the key have a number that stands in a file of the judges, which name nobody."""
    with zipfile.ZipFile(packet) as archive:
        texts = []
        for name in archive.namelist():
            if name.endswith(".pdf"):
                with pymupdf.open(stream=archive.read(name), filetype="pdf") as document:
                    texts += [page.get_text() for page in document]
        [key] = [name for name in archive.namelist() if name.endswith(".csv")]
        lines = list(csv.DictReader(io.StringIO(archive.read(key).decode())))
    told = "\n".join(texts)
    assert not any(line["student_name"] and line["student_name"] in told for line in lines)
    return sum(bool(line["number"]) and line["number"] in told for line in lines)


def complete_with_essay(site: Site, at_least: int) -> int:
    """How many entries the judges should get."""
    found = site.context.database.scalars(
        select(SubmissionField.submission_id)
        .join(Submission, Submission.id == SubmissionField.submission_id)
        .where(
            Submission.status.in_(COMPLETE_STATUSES),
            SubmissionField.name == "essay_text",
            SubmissionField.value.is_not(None),
        )
    )
    assert len(found) >= at_least
    return len(found)


def rename_a_school(page: Page, site: Site) -> None:
    """Of every entry of one school, as one change."""
    with site.context.database.session() as session:
        found = select(Submission.school_name).where(Submission.school_name.is_not(None))
        old = session.scalars(found.order_by(Submission.school_name)).first()
    assert old is not None
    page.goto("/submissions/changes/new")
    form = page.get_by_role("form", name="Replace a value")
    form.get_by_label("As spelled in the entries").fill(old)
    form.get_by_label("New value").fill(SCHOOL)
    form.get_by_role("button").click()
    # The page follows by itself.
    page.get_by_role("button", name=re.compile("^Change [0-9]+ entr")).click()
    expect(page.get_by_role("button", name="Undo all")).to_be_visible()


def close_the_season(page: Page) -> None:
    """Nothing is handed in after it."""
    page.goto("/admin/seasons")
    page.get_by_role("row", name="Season 2027").get_by_role("link").click()
    page.get_by_role("button", name="Close the season").click()
    page.goto("/upload")
    expect(page.get_by_text("The season Season 2027 is closed")).to_be_visible()
