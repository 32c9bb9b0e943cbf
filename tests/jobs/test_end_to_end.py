"""From a file to a reviewed record, through the real queue and a real worker."""

from __future__ import annotations

import json
import uuid

import pytest
from sqlalchemy import select

from core.models import Escalation, ReviewSuggestion, Submission
from services.context import Context
from services.pages import original_file
from services.review.details import suggestion_detail
from services.review.escalations import resolve_escalation
from services.uploads.submit import IncomingFile, submit_files
from tests.support.long import some
from tests.support.office import SAMPLES, entries_of, make_person, run_of, settled, uploads_of, wait_until, working
from tests.support.reading.entries import COMPLETE, ESSAY, acroform, doodle


def submission(context: Context, submission_id: uuid.UUID) -> Submission:
    return context.database.get_one(Submission, submission_id)


def test_three_entries_go_three_ways(context: Context) -> None:
    files = [
        IncomingFile("complete.pdf", acroform(COMPLETE)),
        IncomingFile("no-grade.pdf", acroform({**COMPLETE, "Grade": ""}, essay=ESSAY + " I love him.")),
        IncomingFile("doodle.png", doodle()),
    ]
    batch = submit_files(context, make_person(context), files)
    reviewer = make_person(context, "reviewer")
    with working(context):
        wait_until(lambda: settled(context, batch), "the end of the batch")
        complete, no_grade, drawn = entries_of(context, batch)
        assert (complete.status, complete.student_name, complete.grade) == ("completed", "Marisol Quintero", "4")
        assert no_grade.status in ("suggested", "escalated")
        assert drawn.status == "escalated"
        for upload, file in zip(uploads_of(context, batch), files, strict=True):
            assert original_file(context, upload.id)[0] == file.data
        _settle(context, reviewer, drawn.id)
        wait_until(lambda: run_of(context, drawn.id).status == "settled", "the resumed run")
    resolved = submission(context, drawn.id)
    assert (resolved.status, resolved.student_name, resolved.needs_review) == ("resolved", "Ana Ruiz", False)


def _settle(context: Context, reviewer: uuid.UUID, submission_id: uuid.UUID) -> None:
    escalation = context.database.one(select(Escalation).where(Escalation.submission_id == submission_id))
    values = {"student_name": "Ana Ruiz", "school_name": "Lakeview School", "grade": "3", "essay_text": ESSAY}
    resolve_escalation(context, reviewer, escalation.id, escalation.version, "settle", values, "as seen")


def test_several_files_are_one_entry(context: Context) -> None:
    files = [IncomingFile("one.pdf", acroform(COMPLETE)), IncomingFile("two.png", doodle())]
    batch = submit_files(context, make_person(context), files, one_entry=True)
    with working(context):
        wait_until(lambda: settled(context, batch), "the end of the batch")
    (entry,) = entries_of(context, batch)
    assert (entry.page_start, entry.page_end) == (1, 2)
    assert [upload.status for upload in uploads_of(context, batch)] == ["split", "joined"]


@pytest.mark.long
def test_samples_reach_the_outcome_their_labels_say(context: Context) -> None:
    labels = json.loads((SAMPLES / "labels.json").read_text(encoding="utf-8"))
    # By outcome, so that some of them have every outcome.
    every = sorted(labels.values(), key=lambda label: (label["entries"][0]["expected_outcome"], label["file"]))
    by_name = {label["file"]: label for label in some(every, every=6)}
    files = [IncomingFile(name, (SAMPLES / name).read_bytes()) for name in by_name]
    batch = submit_files(context, make_person(context), files)
    with working(context):
        wait_until(lambda: settled(context, batch), "the end of the samples", seconds=1200)
    outcomes: dict[str, list[str]] = {name: [] for name in by_name}
    names = {upload.id: upload.original_filename for upload in uploads_of(context, batch)}
    for entry in entries_of(context, batch):
        outcomes[names[entry.upload_id]].append(entry.status)
    expected = {name: [entry["expected_outcome"] for entry in label["entries"]] for name, label in by_name.items()}
    assert outcomes == expected
    assert {"completed", "suggested", "escalated"} <= {status for found in outcomes.values() for status in found}


def test_a_doubtful_value_that_its_line_does_not_back_is_left_to_a_person(context: Context) -> None:
    """The scan of the demo whose school reads as whole words, but otherwise in other pictures of its line."""
    name = "14-scan-by-hand.pdf"
    batch = submit_files(context, make_person(context), [IncomingFile(name, (SAMPLES / name).read_bytes())])
    with working(context):
        wait_until(lambda: settled(context, batch), "the end of the batch")
    suggestion_id = context.database.one(select(ReviewSuggestion.id))
    marked = {field.name: field for field in suggestion_detail(context, suggestion_id).fields}
    school = marked["school_name"]
    assert school.current == school.proposed == "Sterling Oaks"
    assert (school.preferred, school.preselected) == ("neither", "reject")
    assert marked["student_name"].confirms and marked["student_name"].preselected == "approve"
