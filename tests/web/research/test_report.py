from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from sqlalchemy import func, select, update

from core.errors import TooCostlyError
from core.models import Export, Report, ReportPassage
from research.exports.formats import EXPORT_FORMATS
from services.context import Context
from services.exports.contents import key_of
from services.messages.entries import ExportRefused
from services.recovery.kinds import EXPORTS
from services.recovery.work import fail_work
from tests.support.research.reports import QUOTE, make_files


def change(context: Context, report_id: uuid.UUID, **values: object) -> None:
    context.database.execute(update(Report).where(Report.id == report_id).values(**values))


def test_a_finished_report_is_read_with_its_sources(signed_in, finished: uuid.UUID) -> None:
    page = signed_in("officer").get(f"/research/{finished}").text
    assert "<h1>School programmes that bring fathers in</h1>" in page and "A reading list." not in page
    entry = page.split('<li id="ref-1"')[1].split("</li>")[0]
    assert f'href="/research/{finished}/sources/okafor2019?claim=c1">Passage 1</a>' in entry
    assert f'href="/research/{finished}/sources/okafor2019?claim=c3">Passage 2</a>' in entry
    assert '/sources/marlow2021?claim=c2">View the passage</a>' in page


def test_only_a_report_under_way_is_said_to_stop(
    signed_in, context: Context, running: uuid.UUID, finished: uuid.UUID
) -> None:
    asked = datetime.now(UTC)
    for report_id in (running, finished):
        change(context, report_id, cancel_requested_at=asked, cancel_requested_by=Report.requested_by)
    reader = signed_in("officer")
    assert "it stops after the current step" in reader.get(f"/research/{running}").text
    assert "it stops after the current step" not in reader.get(f"/research/{finished}").text


def test_what_was_checked_is_told(signed_in, finished: uuid.UUID) -> None:
    page = signed_in("auditor").get(f"/research/{finished}").text
    checked = page.split('id="checked"')[1]
    assert "2 quotations appear word for word in their sources." in checked
    assert "All fathers came every day." in checked.split("Dropped: not backed by any source")[1].split("<h3>")[0]
    moved = checked.split("Moved to another source")[1].split("<h3>")[0]
    assert "Volunteers of the parish lead them." in moved and "marlow2021" in moved
    assert "Confirmed by another source" in checked


def test_versions(signed_in, finished: uuid.UUID) -> None:
    reader = signed_in("officer")
    assert "What was found, version 2" in reader.get(f"/research/{finished}").text
    first = reader.get(f"/research/{finished}?version=1").text
    assert "What was found, version 1" in first and "This is version 1 of 2." in first
    assert reader.get(f"/research/{finished}?version=9").status_code == 404


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_every_export_is_a_file(signed_in, context: Context, finished: uuid.UUID, name: str) -> None:
    reader = signed_in("officer")
    assert f'/research/{finished}/export/{name}?version=2"' in reader.get(f"/research/{finished}").text
    address = f"/research/{finished}/export/{name}?version=1"
    asked = reader.get(address)
    assert asked.status_code == 202 and "The file is being prepared" in asked.text
    make_files(context)
    assert "Download the file" in reader.get(address.replace("?", "/progress?")).text
    with reader.get(address) as answer:
        assert answer.status_code == 200 and len(answer.data) > 100
        disposition = answer.headers["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="?school-programmes-[a-z-]+\.[a-z.]+"?', disposition)
        assert answer.headers["Content-Security-Policy"].startswith("sandbox")
        if name == "markdown":
            assert answer.content_type == "text/markdown; charset=utf-8" and "version 1" in answer.text


def test_an_export_is_made_once_for_all_and_stopped(signed_in, context: Context, finished: uuid.UUID) -> None:
    reader, other = signed_in("officer"), signed_in("auditor")
    address = f"/research/{finished}/export/html?version=1"
    assert {reader.get(address).status_code, other.get(address).status_code} == {202}
    assert context.database.scalar(select(func.count()).select_from(Export)) == 1
    stop = re.search(r'action="([^"]+/remove[^"]*)"', reader.get(address).text)
    assert stop and "not made any more" in reader.post(unescape(stop[1]), follow_redirects=True).text
    assert context.database.scalar(select(func.count()).select_from(Export)) == 0


def test_an_export_that_could_not_be_made_says_why_and_is_made_anew(
    signed_in, context: Context, finished: uuid.UUID
) -> None:
    reader, address = signed_in("officer"), f"/research/{finished}/export/pdf?version=1"
    reader.get(address)
    export_id = context.database.one(select(Export.id))
    fail_work(context, EXPORTS, export_id, TooCostlyError(ExportRefused.TOO_LARGE))
    failed = reader.get(address)
    assert failed.status_code == 202 and "could not be made" in failed.text and "too large" in failed.text
    context.database.execute(update(Export).values(finished_at=func.now() - timedelta(minutes=11)))
    assert "is being prepared" in reader.get(address).text
    make_files(context)
    with reader.get(address) as file:
        assert file.status_code == 200
    context.store.delete(key_of(export_id))
    assert reader.get(address).status_code == 202, "its file is gone"


def test_what_cannot_be_exported(signed_in, finished: uuid.UUID, running: uuid.UUID) -> None:
    reader = signed_in("officer")
    for path in (f"{finished}/export/exe", f"{finished}/export/html?version=3", f"{running}/export/html"):
        assert reader.get(f"/research/{path}").status_code == 404


def test_a_report_under_way_shows_all_that_happens(signed_in, running: uuid.UUID) -> None:
    page = signed_in("officer").get(f"/research/{running}").text
    for shown in (
        "Round 2: filling gaps",
        "Web researcher",
        "father breakfast programme cost",
        "A source is not responding.",
        "Riverbend Breakfasts",
        "Claims to verify",
        "opened in round 1, closed in round 2",
        "Nothing yet about grandfathers",
        "A source rejected the request.",
        "used up",
        "Sent as requested.",
        "Cancel the report",
    ):
        assert shown in page, shown
    assert '<noscript><meta http-equiv="refresh"' in page


def test_progress_is_sent_once(signed_in, context: Context, running: uuid.UUID) -> None:
    reader = signed_in("officer")
    part = reader.get(f"/research/{running}/progress")
    assert 'data-working="yes"' in part.text and "<html" not in part.text
    again = {"If-None-Match": part.headers["ETag"]}
    assert reader.get(f"/research/{running}/progress", headers=again).status_code == 304
    change(context, running, status="done", phase="done")
    assert 'data-working="no"' in reader.get(f"/research/{running}/progress", headers=again).text


def test_a_failed_report_says_why_and_can_be_taken_up(signed_in, context: Context, running: uuid.UUID) -> None:
    change(context, running, status="failed", error_code="storage_error")
    desk = signed_in("officer")
    page = desk.get(f"/research/{running}").text
    assert "The file store is not responding." in page and "Try again" in page
    assert "Try again" not in signed_in("auditor").get(f"/research/{running}").text
    after = desk.post(f"/research/{running}/retry", follow_redirects=True)
    assert "The report is resuming" in after.text and "Queued" in after.text
    assert desk.post(f"/research/{running}/retry").status_code == 409


def test_a_report_is_cancelled(signed_in, context: Context, waiting: uuid.UUID) -> None:
    desk = signed_in("officer")
    after = desk.post(f"/research/{waiting}/cancel", follow_redirects=True).text
    assert "Canceled" in after and "Resume" in after
    assert desk.post(f"/research/{waiting}/cancel").status_code == 409


def test_no_evidence_is_said(signed_in, context: Context, finished: uuid.UUID) -> None:
    change(context, finished, ended_because="no_evidence")
    assert "Nothing was found that could be quoted." in signed_in("officer").get(f"/research/{finished}").text


def test_the_page_of_a_source_lights_the_quotation(signed_in, finished: uuid.UUID) -> None:
    reader = signed_in("auditor")
    page = reader.get(f"/research/{finished}/sources/okafor2019?claim=c1").text
    assert f'<mark id="lit">{QUOTE}</mark>' in page and "<dd>2</dd>" in page
    assert "Ada Okafor" in page and "https://doi.org/10.5555/breakfast.2019" in page
    part = reader.get(f"/research/{finished}/sources/okafor2019/panel?claim=c1").text
    assert f'<mark id="lit">{QUOTE}</mark>' in part and "<html" not in part
    assert "<mark" not in reader.get(f"/research/{finished}/sources/okafor2019").text
    assert "A source rejected the request." in reader.get(f"/research/{finished}/sources/gone").text
    assert reader.get(f"/research/{finished}/sources/okafor2019?claim=c4").status_code == 404


def test_text_of_a_source_is_text(signed_in, context: Context, finished: uuid.UUID) -> None:
    context.database.execute(update(ReportPassage).values(text="<script>alert(1)</script>" + " " * 60))
    page = signed_in("officer").get(f"/research/{finished}/sources/marlow2021").text
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_an_older_report_without_research_is_still_shown(signed_in, context: Context, finished: uuid.UUID) -> None:
    """What was pruned or uploaded has no rounds, plan or allocation."""
    change(context, finished, origin="uploaded", plan=None, allocation={}, spent={}, budget={})
    assert signed_in("reviewer").get(f"/research/{finished}").status_code == 200


def test_every_page_of_a_recorded_sample_says_so(signed_in, context: Context, finished: uuid.UUID) -> None:
    reader, sentence = signed_in("officer"), "The replies of this sample were recorded from a model"
    pages = ("", "/sources/okafor2019?claim=c1", "/compare")
    assert not any(sentence in reader.get(f"/research/{finished}{page}").text for page in pages)
    change(context, finished, is_sample=True)
    assert all(sentence in reader.get(f"/research/{finished}{page}").text for page in pages)
