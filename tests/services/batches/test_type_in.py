"""An entry that no machine can read is typed in: checked like any other, bound to its file, taken back."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.errors import ConflictError, DamagedDocumentError, InvalidInputError, NotFoundError
from core.file_store import LocalFileStore
from core.models import ErasureReason, ReviewEvent, RunFact, SecurityEvent, SubmissionField, Upload, UploadBatch
from services.accounts.person import Person, person_of
from services.batches.typed_in import FIRST_VERSION, form_to_type, type_in_submission, undo_type_in
from services.context import Context
from services.entries.change import edit_record
from services.entries.detail import submission_detail
from services.erasure.erase import erase_submissions
from services.exports.contents import read_submissions
from services.review.escalations import resolve_escalation
from services.runs.run import resume_run
from services.runs.settle import fail_upload
from services.season_admin.seasons import close_season
from services.seasons import current_season
from services.stats.counts import wrong_counts
from services.uploads.contents import retry_upload
from services.uploads.progress import batch_progress
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, uploads_of
from tests.support.reading.entries import COMPLETE, ESSAY
from tests.support.site import person

FORM = "ifi_2026"
VALUES = {
    "student_name": " Marisol  Quintero ",
    "school_name": COMPLETE["School"],
    "grade": "4th",
    "essay_text": ESSAY,
    "email": "",
}


@pytest.fixture
def ana(context: Context) -> Person:
    return person_of(person(context, "reviewer", display_name="Ana Ruiz"))


def broken(context: Context, ana: Person) -> Upload:
    """A file that could not be read."""
    batch_id = submit_files(context, ana.id, [IncomingFile("broken.pdf", b"%PDF-1.7 nothing more")])
    (upload,) = uploads_of(context, batch_id)
    fail_upload(context, upload.id, DamagedDocumentError("no pages"))
    return uploads_of(context, batch_id)[0]


def test_a_season_that_is_closed_while_it_is_stored_takes_none(context: Context, ana: Person) -> None:
    class Slow(LocalFileStore):
        def put(self, key: str, data: bytes, content_type: str = "") -> None:
            with context.database.session() as session:
                season_id = current_season(session).id
            close_season(context, None, season_id)
            super().put(key, data, content_type)

    slow = replace(context, store=Slow(context.settings.var_dir / "files"))
    with pytest.raises(InvalidInputError, match="is closed"):
        type_in_submission(slow, ana, FORM, VALUES, "2026-01-15")
    assert context.database.scalars(select(Upload)) == []
    assert not [path for path in (context.settings.var_dir / "files").rglob("*") if path.is_file()]


def test_from_a_file_that_cannot_be_read(context: Context, ana: Person) -> None:
    upload = broken(context, ana)
    asked = form_to_type(context, ana, FORM, upload.id)
    assert asked.filename == "broken.pdf" and asked.why is not None and "essay_text" in asked.fields
    assert "word_count" not in asked.fields
    made = type_in_submission(context, ana, FORM, VALUES, "2026-01-15", upload_id=upload.id)
    (entry,) = entries_of(context, upload.batch_id)
    assert (entry.id, entry.status, entry.needs_review) == (made.id, "resolved", False) and made.missing == []
    assert (entry.student_name, entry.grade, entry.word_count) == ("Marisol Quintero", "4", len(ESSAY.split()))
    assert (entry.received_on.isoformat(), entry.language, entry.profile) == ("2026-01-15", "en", FORM)
    (file,) = uploads_of(context, upload.batch_id)
    # It stays bound to its file, which still says why it could not be read.
    assert (entry.upload_id, file.status, file.error_code) == (upload.id, "typed", upload.error_code)
    with context.database.session() as session:
        rows = {
            row.name: row for row in session.scalars(select(SubmissionField).filter_by(submission_id=entry.id))
        }
        assert {row.source for row in rows.values()} == {"person"} and rows["email"].value is None
        assert rows["grade"].method == "person" and rows["grade"].page is None
        told = session.scalars(select(ReviewEvent).filter_by(submission_id=entry.id)).all()
        assert {one.actor_id for one in told} == {ana.id}
        assert "typed_in" in {one.kind for one in told}
        assert (
            session.scalars(select(RunFact.reason).filter_by(submission_id=entry.id)).one() == "typed_in_by_person"
        )
    assert wrong_counts(context.database) == 0
    (exported,) = read_submissions(context, [entry.id])
    assert (exported.text("student_name"), exported.pdf_key) == ("Marisol Quintero", None)
    assert submission_detail(context, ana, entry.id).document.typed_in
    with pytest.raises(ConflictError):
        type_in_submission(context, ana, FORM, VALUES, upload_id=upload.id)


def test_it_is_taken_back_and_the_file_has_failed_again(context: Context, ana: Person) -> None:
    upload = broken(context, ana)
    made = type_in_submission(context, ana, FORM, VALUES, upload_id=upload.id)
    changed = edit_record(context, ana.id, made.id, FIRST_VERSION, {"grade": "5"})
    with pytest.raises(ConflictError):
        undo_type_in(context, ana, made.id, FIRST_VERSION)
    undo_type_in(context, ana, made.id, changed.version)
    (file,) = uploads_of(context, upload.batch_id)
    assert (file.status, file.error_code) == ("failed", upload.error_code)
    # Typed in anew, and read after all: neither is taken for what was typed first.
    again = type_in_submission(context, ana, FORM, VALUES, upload_id=upload.id)
    assert [entry.status for entry in entries_of(context, upload.batch_id)] == ["superseded", "resolved"]
    undo_type_in(context, ana, again.id, FIRST_VERSION)
    retry_upload(context, ana.id, upload.id)
    assert uploads_of(context, upload.batch_id)[0].status == "stored"


def test_on_paper_with_something_missing(context: Context, ana: Person) -> None:
    made = type_in_submission(context, ana, FORM, {**VALUES, "grade": ""})
    assert made.missing == ["grade"]
    entry = submission_detail(context, ana, made.id)
    assert entry.status == "escalated" and entry.escalation is not None
    progress = batch_progress(context, ana, entry.batch_id)
    assert [(file.status, file.error_code) for file in progress.files] == [("typed", None)]
    assert not progress.working
    escalation = entry.escalation
    with pytest.raises(InvalidInputError):
        resolve_escalation(context, ana.id, escalation.id, escalation.version, "read_again", {})
    resolve_escalation(context, ana.id, escalation.id, escalation.version, "settle", {"grade": "3"})
    assert resume_run(context, escalation.id)
    assert submission_detail(context, ana, made.id).status == "resolved"
    # A second one goes into the same batch. It says the same, so that a person compares them.
    second = type_in_submission(context, ana, FORM, {**VALUES, "grade": "3"}, batch_id=entry.batch_id)
    assert (second.missing, second.waits) == ([], True)
    assert context.database.get_one(UploadBatch, entry.batch_id).file_count == 2


def test_what_cannot_be_typed_in(context: Context, ana: Person) -> None:
    for wrong in ({"grade": "14"}, {"essay_text": "  "}, {}):
        with pytest.raises(InvalidInputError):
            type_in_submission(context, ana, FORM, wrong)
    with pytest.raises(InvalidInputError):
        type_in_submission(context, ana, "no_such_form", VALUES)
    with pytest.raises(NotFoundError):
        type_in_submission(context, ana, FORM, VALUES, upload_id=uuid.uuid4())
    assert context.database.scalars(select(Upload)) == []


def test_it_is_erased_with_its_file(context: Context, ana: Person) -> None:
    upload = broken(context, ana)
    made = type_in_submission(context, ana, FORM, VALUES, upload_id=upload.id)
    paper = type_in_submission(context, ana, FORM, VALUES)
    slip = context.database.one(select(Upload).where(Upload.id != upload.id))
    for submission_id in (made.id, paper.id):
        erase_submissions(context, [submission_id], ana.id, ErasureReason.ASKED)
    with context.database.session() as session:
        assert session.scalars(select(Upload)).all() == []
        assert session.scalars(select(SecurityEvent.kind).where(SecurityEvent.kind == "erased")).all()
    for key in (upload.storage_key, slip.storage_key):
        with pytest.raises(NotFoundError):
            context.store.get(key)
