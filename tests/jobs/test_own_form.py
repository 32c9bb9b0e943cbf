"""A form that an admin described, from the saved version to the completed entry and its columns in an export."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Iterator

import pytest

from core.confined.mupdf import pymupdf
from core.models import Export, ExportKind, ExportStatus, SubmissionStatus
from pipeline.profiles import PrintedRole
from pipeline.supabase_db import get_record_by_id
from services.accounts.person import person_of
from services.context import Context
from services.exports.contents import key_of
from services.exports.request import ExportRequest, request_export
from services.forms.versions import save_version
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, make_person, settled, wait_until, working
from tests.support.reading.documents import drawn
from tests.support.site import person
from tests.support.small_form import PADDLE_DAY, files_alone_afterwards


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


def filled(name: str, locker: str, ticked: str) -> bytes:
    """The form with typed values and a cross."""

    def draw(page: pymupdf.Page) -> None:
        for printed in PADDLE_DAY.printed:
            assert printed.at is not None
            size = 18 if printed.role is PrintedRole.TITLE else 10
            page.insert_text((printed.at.x0, printed.at.y1 - 3), printed.texts[0], fontsize=size, fontname="hebo")
            if printed.mark is not None:
                box = pymupdf.Rect(printed.mark)
                page.draw_rect(box)
                if printed.value == ticked:
                    page.draw_line(box.tl, box.br, width=1.5)
                    page.draw_line(box.bl, box.tr, width=1.5)
        for field, value in (("paddler_name", name), ("locker_code", locker)):
            zone = PADDLE_DAY.fields[field].zone
            assert zone is not None
            page.insert_text((zone.x0 + 6, zone.y1 - 5), value, fontsize=11)

    return drawn(draw)


def is_done(context: Context, export_id: uuid.UUID) -> bool:
    return context.database.get_one(Export, export_id).status == ExportStatus.DONE


def test_an_entry_of_an_own_form_is_read_completed_and_exported(context: Context) -> None:
    with working(context):
        # Saved while the worker runs, which is not started again.
        save_version(context, None, PADDLE_DAY)
        batch = submit_files(
            context,
            make_person(context),
            [
                IncomingFile("one.pdf", filled("Marisol Quintero", "AB-123", "Kayak")),
                IncomingFile("two.pdf", filled("Owen Bright", "locker 9", "Canoe")),
            ],
        )
        wait_until(lambda: settled(context, batch), "the end of the batch")
        columns = ["student_name", "paddler_name", "boat", "form"]
        wanted = ExportRequest(ExportKind.ENTRIES, "csv", columns=columns)
        export_id = request_export(context, person_of(person(context, "admin")), wanted)
        wait_until(lambda: is_done(context, export_id), "the export")
    good, wrong = entries_of(context, batch)
    with context.database.session() as session:
        record = get_record_by_id(session, good.id)
    assert {name: record.value_of(name) for name in PADDLE_DAY.fields} == {
        "paddler_name": "Marisol Quintero",
        "locker_code": "AB-123",
        "boat": "Kayak",
    }
    assert (good.profile, good.profile_version, good.student_name) == ("paddle_day", 1, "Marisol Quintero")
    assert (good.status, good.missing_fields, good.review_reason_codes) == ("completed", [], [])
    assert wrong.status != SubmissionStatus.COMPLETED and wrong.missing_fields == ["locker_code"]
    assert "INVALID_VALUE" in wrong.review_reason_codes

    rows = list(csv.reader(context.store.get(key_of(export_id)).decode("utf-8-sig").splitlines()))
    # Whose entry it is stands under the usual name, too.
    assert ["Marisol Quintero", "Marisol Quintero", "Kayak", "paddle_day"] in rows, rows
