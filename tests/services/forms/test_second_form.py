"""Entries of an entirely different form, from the studio to an export: typed, and written by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from random import Random

from sqlalchemy import select

from core.models import Escalation, ExportKind
from lab.bench.season.studio import saved_form
from lab.samples.camp import filled
from lab.samples.camp.collection import draw_half
from lab.samples.camp.people import DEVELOPMENT, draw_camper
from lab.samples.sample import to_bytes
from services.accounts.person import person_of
from services.context import Context
from services.exports.making import file_of, make_export
from services.exports.request import ExportRequest, find_export, request_export
from services.review.escalations import resolve_escalation
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, uploads_of
from tests.support.site import person


def test_entries_of_a_form_from_the_studio_complete_without_an_essay_and_are_exported(context: Context) -> None:
    form = saved_form(context)
    assert form.version == 1 and not form.has_essay and len(form.required or ()) == 12
    # The proposals of the supervisor are no matter of this test, and take long.
    context = replace(context, settings=context.settings.model_copy(update={"use_orchestrator": False}))
    ana = person_of(person(context, "reviewer", display_name="Ana Ruiz"))
    rng = Random("second form")
    camper = draw_camper(rng, DEVELOPMENT)
    written = next(one for one in draw_half("development", of_each=1) if not one.typed)
    files = [
        IncomingFile("typed.pdf", to_bytes(filled.typed(rng, camper), rng)),
        IncomingFile("by_hand.pdf", written.data),
    ]
    batch_id = submit_files(context, ana.id, files)
    for upload in uploads_of(context, batch_id):
        (run_id,) = analyse_upload(context, upload.id)
        assert run_submission(context, run_id)
    typed, by_hand = entries_of(context, batch_id)
    assert (typed.profile, typed.status, typed.needs_review) == (form.key, "completed", False)
    # What was recognised from a picture goes to a person, who completes it with what the sheet says.
    assert (by_hand.profile, by_hand.status) == (form.key, "escalated")
    waiting = context.database.one(select(Escalation).filter_by(submission_id=by_hand.id))
    said = {name: written.values[name] for name in form.required or ()}
    assert resolve_escalation(context, ana.id, waiting.id, 1, "settle", said) == "resolved"

    columns = ("student_name", "birth_date", "shirt_size", "emergency_phone")
    export_id = request_export(context, ana, ExportRequest(ExportKind.ENTRIES, "csv", columns=columns))
    assert make_export(context, export_id)
    table = file_of(context, find_export(context, ana, export_id))
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))  # type: ignore[union-attr]
    names = {row["student_name"]: row for row in rows}
    assert set(names) == {camper.given["student_name"], said["student_name"]}
    month, day, year = camper.given["birth_date"].split("/")
    assert names[camper.given["student_name"]]["birth_date"] == f"{year}-{month}-{day}"
    assert names[camper.given["student_name"]]["shirt_size"] == camper.given["shirt_size"]
