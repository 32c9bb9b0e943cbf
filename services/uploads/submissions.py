"""Make the entries of an analysed file, and read its pages."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.confined.children import within
from core.errors import EmptyDocumentError, NotFoundError
from core.lease import Lease
from core.messages import Message
from core.models import Page, PageRange, Run, RunStatus, SplitStatus, Submission, Upload, UploadSplit, UploadStatus
from pipeline.files.content_type import PDF, FileNote
from pipeline.files.intake import Intake, to_pdf
from pipeline.mupdf.assembly import Leaf, assemble, join_pdfs
from pipeline.mupdf.file import check_pdf
from pipeline.profiles import Forms
from pipeline.runner import outline_pages
from pipeline.splitting.document_analysis import Chunk, DocumentAnalysis, analyse_outlines
from pipeline.splitting.outlines import PageOutline, RangeOutlines, join_outlines
from services.audit import event
from services.batches.typed_in import first_received, keep_received
from services.context import Context
from services.messages.entries import EventReason
from services.recovery.kinds import PAGE_RANGES, UPLOADS
from services.recovery.work import keeping, queue_rows, take_lease
from services.runs.inputs import replaced_submissions
from services.seasons import forms_in_use
from services.uploads.split import PlannedEntry, entries_from_json


def read_page_range(context: Context, range_id: uuid.UUID) -> list[str]:
    """Read a range of pages; return the ids of the runs of new entries, which the caller must queue.

    Safe to repeat: pages that were read, and those that another worker reads, are left unchanged. Raises
    DocumentError, RecognitionError, StorageError. No database session is open while pages are read.
    """
    lease = take_lease(context, PAGE_RANGES, range_id)
    if lease is None:
        return []
    with keeping(context, lease):
        with context.database.session() as session:
            pages = lease.hold(session)
            upload = session.get_one(Upload, pages.upload_id)
            key, forms = upload.pdf_key, forms_in_use(session, upload.season_id)
        assert key is not None
        numbers = range(pages.first_page, pages.last_page + 1)
        with time_of_file(context, pages.upload_id):
            outlines = outline_pages(context.store.get(key), context.settings, context.store, numbers, forms)
        return _store(context, lease, pages.upload_id, outlines)


def _store(context: Context, lease: Lease[PageRange], upload_id: uuid.UUID, outlines: RangeOutlines) -> list[str]:
    """Store the outlines and make entries in one transaction; write nothing if the file failed meanwhile."""
    with context.database.session() as session:
        # Every range locks the file first, so that of two ranges that end at once the later one sees both.
        upload = session.scalar(
            select(Upload)
            .where(Upload.id == upload_id, Upload.status == UploadStatus.ANALYSING.value)
            .with_for_update(key_share=True)
        )
        if upload is None:
            return []
        lease.hold(session)
        session.execute(update(PageRange).where(lease.is_mine()).values(outlines=outlines.model_dump(mode="json")))
        found, whole = outlines_so_far(session, upload_id)
        return make_submissions(session, context.settings, upload, found, whole)


def analyse_upload(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Analyse and split one upload; return the ids of the runs, which the caller must queue.

    The pages of a long file are read by separate jobs, which are queued here; no run is returned then.
    Safe to repeat: a file that was split, failed, is a duplicate or is leased to another worker is left unchanged.
    Raises DocumentError for a file that cannot be read; the caller records it. No database session is open while
    pages are read.
    """
    lease = take_lease(context, UPLOADS, upload_id)
    if lease is None:
        return []
    with keeping(context, lease), time_of_file(context, upload_id):
        return _analyse(context, lease)


@contextmanager
def time_of_file(context: Context, upload_id: uuid.UUID) -> Iterator[None]:
    """Limit parsing in the block to the rest of PARSE_FILE_SECONDS; record the time used, even on errors.

    A file with more pages than that has a second a page. Parsing beyond the limit raises TooCostlyError. Jobs that
    read ranges of one file at once count each other's time only when they end.
    """
    with context.database.reading() as session:
        query = select(Upload.parse_seconds, func.coalesce(Upload.page_count, 0)).where(Upload.id == upload_id)
        before, pages = session.execute(query).one_or_none() or (0.0, 0)
    with within(max(context.settings.parse_file_seconds, pages), before) as budget:
        try:
            yield
        finally:
            taken = Upload.parse_seconds + (budget.used - before)
            context.database.execute(update(Upload).where(Upload.id == upload_id).values(parse_seconds=taken))


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
    queue_rows(context, PAGE_RANGES, *(pages.id for pages in ranges))
    return []


def _intake(context: Context, upload: Upload) -> Intake:
    """Return the upload's PDF, joined with the files that were uploaded as one document with it."""
    with context.database.reading() as session:
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
    """Store the PDF and its properties, with the ranges of its pages.

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
    pages = join_outlines([outline_pages(intake.pdf, context.settings, context.store, numbers, forms)])
    with context.database.session() as session:
        upload = session.scalar(
            select(Upload).where(lease.is_mine(), UPLOADS.due).with_for_update(of=Upload, key_share=True)
        )
        return [] if upload is None else make_submissions(session, context.settings, upload, pages, whole=True)


class SplitChangedError(RuntimeError):
    """An entry that was made in an earlier attempt has other pages now."""


def make_submissions(
    session: Session, settings: Settings, upload: Upload, pages: Sequence[PageOutline], whole: bool
) -> list[str]:
    """Make the entries that are complete and not there yet; return the ids of their runs.

    `pages` are all pages of the file if `whole`, else the first ones; an entry that later pages may belong to is
    then left for a later call. The caller has locked the upload. Raises EmptyDocumentError if all pages are blank.
    """
    planned = planned_file(session, upload) if upload.split_id is not None else None
    if planned and not whole:
        return []
    analysis = analyse_outlines(
        pages,
        one_entry=_is_one_entry(session, upload),
        page_counts=planned.page_counts if planned else None,
        whole=whole,
        notes=[FileNote.model_validate(note) for note in upload.notes],
    )
    if whole and not analysis.chunks:
        raise EmptyDocumentError("every page is blank")
    _store_pages(session, upload, pages)
    submissions = _new_submissions(session, upload, analysis, planned)
    if whole:
        _finish(session, upload, analysis)
    # Those that were made early are locked by now, as the day of the batch is after entries.
    received_on = first_received(session, settings, upload)
    for submission in submissions:
        submission.received_on = received_on
    session.add_all(submissions)
    session.flush()
    if planned:
        settle_split(session, upload, submissions)
    runs = [_first_run(submission) for submission in submissions]
    session.add_all(runs)
    return [run.run_id for run in runs]


def _is_one_entry(session: Session, upload: Upload) -> bool:
    return bool(session.scalar(select(Upload.id).where(Upload.joined_into == upload.id).limit(1)))


def _store_pages(session: Session, upload: Upload, pages: Sequence[PageOutline]) -> None:
    if not pages:
        return
    session.execute(
        insert(Page).on_conflict_do_nothing(),
        [
            {
                "upload_id": upload.id,
                "page_no": page.page_no,
                "width": page.width,
                "height": page.height,
                "role": page.role,
                "source": page.source,
                "distrust": page.distrust,
                "ocr_confidence": page.ocr_confidence,
                "turned": page.turned,
            }
            for page in pages
        ],
    )


def _new_submissions(
    session: Session, upload: Upload, analysis: DocumentAnalysis, planned: PlannedFile | None
) -> list[Submission]:
    rows = session.execute(
        select(Submission.chunk_index, Submission.page_start, Submission.page_end).where(
            Submission.upload_id == upload.id
        )
    )
    made = {row.chunk_index: (row.page_start, row.page_end) for row in rows}
    ids = planned.submission_ids if planned else [uuid.uuid4() for _ in analysis.chunks]
    found = []
    for key, chunk in zip(ids, analysis.chunks, strict=True):
        if chunk.index not in made:
            found.append(_submission(key, upload, analysis, chunk))
        elif made[chunk.index] != (chunk.page_start, chunk.page_end):
            raise SplitChangedError(f"entry {chunk.index} of upload {upload.id}")
    return found


def _submission(submission_id: uuid.UUID, upload: Upload, analysis: DocumentAnalysis, chunk: Chunk) -> Submission:
    return Submission(
        id=submission_id,
        season_id=upload.season_id,
        batch_id=upload.batch_id,
        upload_id=upload.id,
        owner_user_id=upload.uploaded_by,
        chunk_index=chunk.index,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        doc_class=chunk.doc_class.value,
        doc_format=analysis.format.value,
        profile=chunk.profile,
        chunk_metadata=chunk.model_dump(mode="json"),
    )


def _first_run(submission: Submission) -> Run:
    return Run(
        run_id=f"{submission.id}:1",
        submission_id=submission.id,
        season_id=submission.season_id,
        run_no=1,
        status=RunStatus.QUEUED.value,
    )


def _finish(session: Session, upload: Upload, analysis: DocumentAnalysis) -> None:
    """Mark the file as split; entries that were made early get the format of the file."""
    upload.status = UploadStatus.SPLIT.value
    upload.entry_count = len(analysis.chunks)
    upload.doc_format = analysis.format.value
    upload.structure = analysis.structure.value
    upload.doc_class = analysis.doc_class.value
    upload.updated_at = utcnow()
    session.execute(
        update(Submission).where(Submission.upload_id == upload.id).values(doc_format=analysis.format.value)
    )
    session.execute(delete(PageRange).where(PageRange.upload_id == upload.id))


#: Files with more pages are read by several jobs.
READ_AT_ONCE = 8
#: Pages of one such job. Fewer pages find the first entry sooner, but each job opens the complete file.
_RANGE = 4


def is_long(page_count: int | None) -> bool:
    """Whether the pages of a file are read by several jobs."""
    return page_count is not None and page_count > READ_AT_ONCE


def divide(upload_id: uuid.UUID, page_count: int) -> list[PageRange]:
    """Return the ranges of a file in order; they cover each page once."""
    return [
        PageRange(
            id=uuid.uuid4(), upload_id=upload_id, first_page=first, last_page=min(first + _RANGE - 1, page_count)
        )
        for first in range(1, page_count + 1, _RANGE)
    ]


def outlines_so_far(session: Session, upload_id: uuid.UUID) -> tuple[list[PageOutline], bool]:
    """Return the outlines before the first page that was not read, and whether these are all of the file's."""
    found = session.scalars(
        select(PageRange.outlines).where(PageRange.upload_id == upload_id).order_by(PageRange.first_page)
    ).all()
    read = _until_unread(found)
    return join_outlines(read), len(read) == len(found)


def _until_unread(found: Sequence[dict[str, object] | None]) -> list[RangeOutlines]:
    read: list[RangeOutlines] = []
    for outlines in found:
        if outlines is None:
            break
        read.append(RangeOutlines.model_validate(outlines))
    return read


@dataclass(frozen=True)
class PlannedFile:
    """The ids and numbers of pages of the planned entries of a derived file."""

    submission_ids: list[uuid.UUID]
    page_counts: list[int]


def derive_file(context: Context, upload: Upload) -> Intake:
    """Assemble the planned pages and store the file; the originals are not changed.

    Raises DocumentError, StorageError. Safe to repeat.
    """
    with context.database.reading() as session:
        split = session.get_one(UploadSplit, upload.split_id)
        keys = _pdf_keys(session, split.upload_ids)
    pdf = _assembled(context, keys, [entry for _, entry in entries_from_json(split.plan)])
    context.store.put(upload.storage_key, pdf, "application/pdf")
    # Its pages are those of the plan: none is divided, whatever is printed on it.
    return Intake(pdf, check_pdf(pdf, context.settings.file_bounds), PDF, converted=False)


def planned_file(session: Session, upload: Upload) -> PlannedFile:
    """Return the plan of a derived file."""
    planned = entries_from_json(session.get_one(UploadSplit, upload.split_id).plan)
    return PlannedFile([found for found, _ in planned], [len(entry.pages) for _, entry in planned])


def _pdf_keys(session: Session, upload_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, str]:
    rows = session.execute(select(Upload.id, Upload.pdf_key).where(Upload.id.in_(upload_ids)))
    keys = {row.id: row.pdf_key for row in rows if row.pdf_key is not None}
    if len(keys) < len(set(upload_ids)):
        raise NotFoundError("a file of the plan is gone")
    return keys


def _assembled(context: Context, keys: dict[uuid.UUID, str], entries: Sequence[PlannedEntry]) -> bytes:
    pages = [page for entry in entries for page in entry.pages]
    used = list(dict.fromkeys(page.upload_id for page in pages))
    leaves = [Leaf(used.index(page.upload_id), page.page_no, page.rotation) for page in pages]
    return assemble([context.store.get(keys[upload_id]) for upload_id in used], leaves)


def settle_split(session: Session, upload: Upload, submissions: Sequence[Submission]) -> None:
    """Mark the correction as done; tell its author in each new entry, which keeps the day received."""
    split = session.get_one(UploadSplit, upload.split_id, with_for_update=True)
    split.status = SplitStatus.DONE.value
    replaced = list(replaced_submissions(session, split))
    for submission in submissions:
        session.add(event(submission, "read_again", split.actor_id, message=Message.of(EventReason.MADE_BY_SPLIT)))
        here = [one for one, pages in replaced if submission.id in {page.submission_id for page in pages.values()}]
        # No person has changed the entry: the correction can still be undone.
        keep_received(session, submission, here)
