"""Make the entries of a file, with their first runs, from the outlines of its pages."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import EmptyDocumentError
from core.models import Page, PageRange, Run, RunStatus, Submission, Upload, UploadStatus
from pipeline.document_analysis import Chunk, DocumentAnalysis, analyse_outlines
from pipeline.files.notes import FileNote
from pipeline.records.outlines import PageOutline
from services.batches.received import first_received
from services.uploads.derived_file import PlannedFile, planned_file, settle_split


class SplitChangedError(RuntimeError):
    """An entry that was made in an earlier attempt has other pages now."""


def make_submissions(
    session: Session, settings: Settings, upload: Upload, pages: Sequence[PageOutline], whole: bool
) -> list[str]:
    """Make the entries that are complete and not there yet; return the ids of their runs.

    `pages` are all pages of the file if `whole`, else the first ones; then an entry that later pages may belong to
    is left for a later call. The caller has locked the upload. Raises EmptyDocumentError if all pages are blank.
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
    received_on = first_received(session, settings, upload)
    for submission in submissions:
        submission.received_on = received_on
    session.add_all(submissions)
    session.flush()
    if whole:
        _finish(session, upload, analysis)
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
    """Mark the file as split; entries that were made early get the format of the whole file."""
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
