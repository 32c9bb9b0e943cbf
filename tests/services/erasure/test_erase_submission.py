"""Nothing of an erased child is found again, and the others of the file are whole."""

from __future__ import annotations

import threading
import uuid
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.confined.mupdf import pymupdf
from core.errors import ConflictError, HeldError, NotFoundError, StorageError
from core.lease import process_name
from core.models import (
    Erasure,
    ErasureReason,
    EssayWord,
    Page,
    Report,
    ReportSource,
    ReportVersion,
    Run,
    Submission,
    Upload,
    UploadBatch,
)
from core.models.leases import RUN_LEASES
from pipeline.runner import read_submission
from research.document import ReportDocument
from research.readers.findings import clean_quote
from services.context import Context
from services.entries.change import edit_record
from services.erasure.erase import erase_submissions
from services.erasure.held_export import find_held
from services.erasure.scope import HeldKind
from services.library.copies import WordRuns
from services.library.essays.add_essays import add_essays, decide_word
from services.pages import page_image, page_words
from services.recovery.kinds import RUNS
from services.recovery.work import lasting, queue_rows
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from services.runs import run as read_first
from services.runs.run import run_submission
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories
from tests.support.erasure import child
from tests.support.erasure.scan import where_found
from tests.support.office import make_person
from tests.support.reading.stacks import planned, versions_of

QUESTION = "What do this season's essays say fathers do for their children?"


def erase(context: Context, submission_id: uuid.UUID, **values: float) -> uuid.UUID:
    admin = make_person(context, "admin")
    return erase_submissions(context, [submission_id], admin, ErasureReason.ASKED, **values)


def others_are_whole(context: Context) -> None:
    for name in child.OTHERS:
        entry = child.named(context, name)
        assert entry.status in ("completed", "escalated")
        upload = context.database.get_one(Upload, entry.upload_id)
        assert upload.pdf_key is not None
        with pymupdf.open("pdf", context.store.get(upload.pdf_key)) as document:
            values = {widget.field_value for widget in document[entry.page_start - 1].widgets()}
        assert name in values
        assert page_image(context, entry.upload_id, entry.page_start, 240)
        said = [
            word.text for line in page_words(context, entry.upload_id, entry.page_start).lines for word in line
        ]
        assert name in " ".join(said)


def put_into_library(context: Context, reviewer: uuid.UUID) -> None:
    """Add the essays, with every word that could be a name."""
    add_essays(context)
    waiting = context.database.scalars(select(EssayWord).where(EssayWord.taken_out.is_(None)))
    for one in waiting:
        decide_word(context, reviewer, one.submission_id, one.word, taken_out=False)
    assert add_essays(context).waiting == 0


def test_a_child_in_a_stack_with_all_that_came_of_it(context: Context) -> None:
    stack = child.stack()
    batch = child.hand_in(context, make_person(context), stack)
    child.hand_in(context, make_person(context), stack)
    entry = child.named(context, child.NAME)
    reviewer = make_person(context, "reviewer")
    edit_record(
        context, reviewer, entry.id, entry.version, {"email": child.EMAIL, "phone": child.PHONE}, "As on paper"
    )
    for page in (1, 2, 3):
        page_image(context, entry.upload_id, page, 240)
        page_words(context, entry.upload_id, page)
    put_into_library(context, reviewer)
    report_id = request_report(context, make_person(context, "officer"), ReportRequest(QUESTION, tier="quick"))
    assert run_report(context, report_id)
    queue_rows(context, RUNS, f"{entry.id}:1")
    found = where_found(context, child.TRACES)
    assert all(any(trace.casefold() in one for one in found) for trace in child.TRACES), "the scan sees them"
    assert any("report_versions.document" in one for one in found), "the report quotes the essay"

    held = find_held(context, [entry.id])
    receipt_id = erase(context, entry.id)

    assert where_found(context, child.TRACES) == []
    others_are_whole(context)
    with context.database.session() as session:
        receipt = session.get_one(Erasure, receipt_id)
        upload = session.get_one(Upload, entry.upload_id)
        blank = session.get_one(Page, (upload.id, 2))
        document = ReportDocument.model_validate(session.scalars(select(ReportVersion.document)).first())
        withdrawn = session.scalars(select(ReportSource).where(ReportSource.title == "[withdrawn]")).all()
        report = session.get_one(Report, report_id)
        uploads = session.scalars(select(Upload)).all()
        counts = dict(session.execute(select(UploadBatch.id, UploadBatch.file_count)).all())
    assert receipt.counts == {kind.value: number for kind, number in held.counts.items()}
    assert receipt.counts["entries"] == 1 and receipt.submission_ids == [entry.id]
    assert {"fields", "events", "decisions", "runs", "essays", "report_passages"} <= receipt.counts.keys()
    assert (upload.erased_pages, blank.role) == ([2], "blank_sheet")
    assert [one.id for one in uploads] == [upload.id], "the duplicate held the same pages"
    assert sorted(counts.values()) == [0, 1] and counts[batch] == 1
    assert report.status == "done" and len(withdrawn) == 1
    assert "[withdrawn]" in {reference.title for reference in document.references}


def test_a_store_that_fails_in_between_is_no_reason_not_to_erase_again(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the shared file was no PDF, so that its original goes and its PDF stays."""
    child.hand_in(context, make_person(context), child.stack())
    entry = child.named(context, child.NAME)
    picture = f"originals/{uuid.uuid4()}"
    context.store.put(picture, child.of_child())
    with context.database.session() as session:
        upload = session.get_one(Upload, entry.upload_id)
        upload.pdf_key, upload.storage_key = upload.storage_key, picture
    real, refusals = context.store.delete, iter([True])

    def once(key: str) -> None:
        real(key)
        if key == picture and next(refusals, False):
            raise StorageError("gone in the middle of it")

    monkeypatch.setattr(context.store, "delete", once)
    with pytest.raises(StorageError):
        erase(context, entry.id)
    assert child.named(context, child.NAME).id == entry.id
    erase(context, entry.id)
    assert where_found(context, child.TRACES) == []
    others_are_whole(context)


def test_a_file_of_its_own_goes_whole(context: Context) -> None:
    child.hand_in(context, make_person(context), child.of_child(), child.form(child.OTHERS[0], child.OTHER_ESSAY))
    erase(context, child.named(context, child.NAME).id)
    with context.database.session() as session:
        (upload,) = session.scalars(select(Upload))
        session.execute(select(Run.run_id)).one()
    assert upload.original_filename == "scan 1.pdf"
    assert where_found(context, child.TRACES) == []


def test_a_split_that_was_corrected_and_what_stood_before_it(context: Context) -> None:
    files = [child.of_child(), child.form(child.OTHERS[0], child.OTHER_ESSAY)]
    child.hand_in(context, make_person(context), *files, one_entry=True)
    with context.database.session() as session:
        (wrong,) = session.scalars(select(Submission))
        upload = session.get_one(Upload, wrong.upload_id)
    reviewer = make_person(context, "reviewer")
    split = resplit_upload(
        context, reviewer, [upload.id], versions_of([wrong]), [planned((upload, 2)), planned((upload, 1))]
    )
    child.read_all(context)
    entry = child.named(context, child.NAME)
    with pytest.raises(ConflictError):
        erase(context, wrong.id)
    held = find_held(context, [entry.id])
    assert (held.counts[HeldKind.EARLIER_ENTRIES], held.counts[HeldKind.CHANGED_FILES]) == (1, 2)

    erase(context, entry.id)

    assert where_found(context, child.TRACES) == []
    other = child.named(context, child.OTHERS[0])
    assert page_words(context, other.upload_id, 1).lines
    with pytest.raises(ConflictError):
        undo_resplit(context, reviewer, split.split_id)
    erase(context, other.id)
    assert context.database.scalars(select(Upload)) == [], "the last of them takes the files along"


def test_a_run_under_way_is_waited_for_and_writes_nothing_afterwards(context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session)
        entry = factories.make_submission(session, upload, status="processing")
        run = factories.make_run(session, entry, status="running")
    holder = process_name()
    with context.database.session() as session:
        lease = RUN_LEASES.take(session, run.run_id, holder, lasting(context))
    assert lease is not None
    with pytest.raises(ConflictError):
        erase(context, entry.id, patience=0.0)
    with context.database.session() as session:
        assert session.get(Submission, entry.id) is not None, "nothing was changed"
        lease.release(session)
    erase(context, entry.id)
    with context.database.session() as session:
        assert session.get(Run, run.run_id) is None and session.get(Submission, entry.id) is None
    with pytest.raises(NotFoundError):
        erase(context, entry.id)


@pytest.mark.parametrize("moment", ["before it has read", "when it has read"])
def test_a_worker_in_the_middle_of_a_run_leaves_nothing(
    context: Context, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, asked = threading.Event(), threading.Event()

    def read(*given: Any, **named: Any) -> Any:
        found = read_submission(*given, **named) if moment == "when it has read" else None
        there.set()
        assert asked.wait(60)
        return found or read_submission(*given, **named)

    monkeypatch.setattr(read_first, "read_submission", read)
    batch = submit_files(context, make_person(context), [IncomingFile("one.pdf", child.of_child())])
    upload_id = context.database.one(select(Upload.id).where(Upload.batch_id == batch))
    (run_id,) = analyse_upload(context, upload_id)
    worker = threading.Thread(target=run_submission, args=(context, run_id))
    worker.start()
    assert there.wait(60)
    assert leased(context, run_id)
    asked.set()
    erase(context, uuid.UUID(run_id[:36]))
    worker.join()
    assert where_found(context, child.TRACES) == []
    assert run_submission(context, run_id) is False


def leased(context: Context, run_id: str) -> bool:
    with context.database.session() as session:
        return RUN_LEASES.current(session, run_id) is not None


def test_what_a_person_has_open_is_not_erased(context: Context) -> None:
    reviewer = make_person(context, "reviewer")
    with context.database.session() as session:
        entry = factories.make_submission(session, status="suggested")
        run = factories.make_run(session, entry, status="settled")
        factories.make_suggestion(session, run, claimed_by=reviewer, claimed_until=utcnow() + timedelta(minutes=5))
    with pytest.raises(HeldError):
        erase(context, entry.id)


def test_a_quotation_that_a_report_printed_without_its_marks_is_found() -> None:
    essay = "My dad [1] said to me _that_ night [2] we would never go back [3] there."
    printed = clean_quote(essay)
    assert printed != essay
    runs = WordRuns([essay, clean_quote(essay)])
    assert "never go back" not in runs.without(f"He wrote: {printed}") + runs.without(f"He wrote: {essay}")
