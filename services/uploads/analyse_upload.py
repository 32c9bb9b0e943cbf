"""Analyse a stored file: convert it to PDF if necessary, analyse its pages, split it into entries."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select, update

from core.clock import utcnow
from core.confined.child import within
from core.lease import Lease
from core.models import PageRange, Upload
from pipeline.files.intake import Intake, to_pdf
from pipeline.mupdf.assembled import join_pdfs
from pipeline.profiles import Forms
from pipeline.records.outlines import joined
from pipeline.runner import outline_pages
from services.context import Context
from services.recovery.kinds import PAGE_RANGES, UPLOADS
from services.recovery.work import enqueue, keeping, take
from services.seasons import forms_in_use
from services.uploads.derived_file import derive_file
from services.uploads.make_submissions import make_submissions
from services.uploads.page_ranges import divide, is_long


def analyse_upload(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Analyse and split one upload; return the ids of the runs, which the caller must queue.

    The pages of a long file are read by jobs of their own, which are queued here; no run is returned then.
    Safe to repeat: a file that was split, failed, is a duplicate or is leased to another worker is left unchanged.
    Raises DocumentError for a file that cannot be read; the caller records it. No database session is open while
    pages are read.
    """
    lease = take(context, UPLOADS, upload_id)
    if lease is None:
        return []
    with keeping(context, lease), time_of_file(context, upload_id):
        return _analyse(context, lease)


@contextmanager
def time_of_file(context: Context, upload_id: uuid.UUID) -> Iterator[None]:
    """Have the file parsed within what is left of PARSE_FILE_SECONDS; note what the block takes, however it ends.

    A file of more pages than that has a second a page. Beyond it, what is read raises TooCostlyError. Jobs that
    read ranges of one file at once know of each other's time only when they end.
    """
    with context.database.session() as session:
        told = select(Upload.parse_seconds, func.coalesce(Upload.page_count, 0)).where(Upload.id == upload_id)
        before, pages = session.execute(told).one_or_none() or (0.0, 0)
    with within(max(context.settings.parse_file_seconds, pages), before) as budget:
        try:
            yield
        finally:
            taken = Upload.parse_seconds + (budget.used - before)
            with context.database.session() as session:
                session.execute(update(Upload).where(Upload.id == upload_id).values(parse_seconds=taken))


def _analyse(context: Context, lease: Lease[Upload]) -> list[str]:
    with context.database.session() as session:
        upload = lease.hold(session)
        forms = forms_in_use(session, upload.season_id)
    intake = derive_file(context, upload) if upload.split_id is not None else _intake(context, upload)
    ranges = divide(upload.id, intake.page_count) if is_long(intake.page_count) else []
    if not _take_in(context, lease, upload, intake, ranges):
        return []
    if not ranges:
        return _read_at_once(context, lease, intake, forms)
    enqueue(context, PAGE_RANGES, *(pages.id for pages in ranges))
    return []


def _intake(context: Context, upload: Upload) -> Intake:
    """Return the upload's PDF, joined with the files that were uploaded as one document with it."""
    with context.database.session() as session:
        parts = session.execute(
            select(Upload.storage_key, Upload.original_filename)
            .where((Upload.id == upload.id) | (Upload.joined_into == upload.id))
            .order_by(Upload.position)
        ).all()
    intakes = [to_pdf(context.store.get(key), name, context.settings) for key, name in parts]
    if len(intakes) == 1:
        return intakes[0]
    joined_pdf = to_pdf(join_pdfs([intake.pdf for intake in intakes]), "joined.pdf", context.settings)
    return Intake(
        pdf=joined_pdf.pdf,
        page_count=joined_pdf.page_count,
        content_type=intakes[0].content_type,
        converted=True,
        notes=tuple(note for intake in intakes for note in intake.notes),
    )


def _take_in(
    context: Context, lease: Lease[Upload], upload: Upload, intake: Intake, ranges: list[PageRange]
) -> bool:
    """Store the PDF and what is known of it, with the ranges of its pages.

    Returns False, with nothing written to the database, if the lease is lost or the upload was superseded.
    """
    pdf_key = upload.storage_key
    if intake.converted:
        pdf_key = f"derived/{upload.season_id}/{upload.id}.pdf"
        context.store.put(pdf_key, intake.pdf, "application/pdf")
    with context.database.session() as session:
        won = session.scalar(
            update(Upload)
            .where(lease.is_mine(), UPLOADS.due)
            .values(
                pdf_key=pdf_key,
                content_type=intake.content_type,
                page_count=intake.page_count,
                notes=[note.model_dump(mode="json") for note in intake.notes],
                updated_at=utcnow(),
                **(_bytes_of(intake.pdf) if upload.split_id is not None else {}),
            )
            .returning(Upload.id)
        )
        if won is not None:
            session.add_all(ranges)
        return won is not None


def _bytes_of(pdf: bytes) -> dict[str, int | str]:
    return {"byte_size": len(pdf), "sha256": hashlib.sha256(pdf).hexdigest()}


def _read_at_once(context: Context, lease: Lease[Upload], intake: Intake, forms: Forms) -> list[str]:
    """Read all pages and make the entries; an empty list if the lease is lost or the upload was superseded."""
    numbers = range(1, intake.page_count + 1)
    pages = joined([outline_pages(intake.pdf, context.settings, context.store, numbers, forms)])
    with context.database.session() as session:
        upload = session.scalar(
            select(Upload).where(lease.is_mine(), UPLOADS.due).with_for_update(of=Upload, key_share=True)
        )
        return [] if upload is None else make_submissions(session, context.settings, upload, pages, whole=True)
