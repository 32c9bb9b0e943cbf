"""Make what an entry is compared by, before any transaction: maps of its pages, and its keys."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from core.errors import AppError
from core.log import get_logger
from core.models import Submission, Upload
from pipeline.duplicates.keys import keys_of
from pipeline.duplicates.picture import DPI, PAGES, Fingerprint, fingerprint
from pipeline.duplicates.subject import Subject, subject_of
from pipeline.recognition.page_contents import render_page
from pipeline.schema import DocFormat, SubmissionRecord
from services.context import Context

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as it was read, ready to be compared."""

    subject: Subject
    keys: list[int]


def prepare(context: Context, record: SubmissionRecord) -> Prepared:
    """Return what the entry is compared by; pages that cannot be drawn are left out."""
    subject = subject_of(record, fingerprints(context, uuid.UUID(record.submission_id)))
    return Prepared(subject, keys_of(subject))


def fingerprints(context: Context, submission_id: uuid.UUID) -> tuple[Fingerprint, ...]:
    """Return the maps of the entry's first pages; none of an entry whose text was taken from the file as it is."""
    with context.database.session() as session:
        submission = session.get_one(Submission, submission_id)
        pdf_key = session.get_one(Upload, submission.upload_id).pdf_key
    if pdf_key is None or submission.doc_format == DocFormat.NATIVE_TEXT:
        return ()
    last = min(submission.page_end, submission.page_start + PAGES - 1)
    try:
        pdf = context.store.get(pdf_key)
        maps = [fingerprint(render_page(pdf, number, DPI)) for number in range(submission.page_start, last + 1)]
    except AppError as error:
        log.warning("no_fingerprint", submission_id=str(submission_id), code=error.code)
        return ()
    return tuple(found for found in maps if found is not None)
