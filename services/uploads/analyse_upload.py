"""Analyse a stored file: convert it to PDF if necessary, analyse its pages, split it into entries."""

from __future__ import annotations

import hashlib
import uuid

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from core.clock import utcnow
from core.errors import EmptyDocumentError
from core.lease import Lease
from core.models import Page, Run, RunStatus, Submission, Upload, UploadStatus
from pipeline.document_analysis import Chunk, DocumentAnalysis
from pipeline.files.intake import Intake, join_pdfs, to_pdf
from pipeline.runner import analyse
from services.context import Context
from services.recovery.kinds import UPLOADS
from services.recovery.work import keeping, take
from services.uploads.derived_file import DerivedFile, derive_file, settle_split


def analyse_upload(context: Context, upload_id: uuid.UUID) -> list[str]:
    """Analyse and split one upload; return the ids of the runs, which the caller must queue.

    Safe to repeat: a file that was split, failed, is a duplicate or is leased to another worker is left unchanged.
    Raises DocumentError for a file that cannot be read; the caller records it. No database session is open while
    pages are read.
    """
    lease = take(context, UPLOADS, upload_id)
    if lease is None:
        return []
    with keeping(context, lease):
        return _analyse(context, lease)


def _analyse(context: Context, lease: Lease[Upload]) -> list[str]:
    with context.database.session() as session:
        upload = lease.hold(session)
    derived = derive_file(context, upload) if upload.split_id is not None else None
    intake = derived.intake if derived else _intake(context, upload)
    pdf_key = upload.storage_key
    if intake.converted:
        pdf_key = f"derived/{upload.season_id}/{upload.id}.pdf"
        context.store.put(pdf_key, intake.pdf, "application/pdf")
    analysis = analyse(
        intake.pdf,
        context.settings,
        context.store,
        context.settings.ocr_provider,
        one_entry=_is_one_entry(context, upload),
        page_counts=derived.page_counts if derived else None,
    )
    if not analysis.chunks:
        raise EmptyDocumentError("every page is blank")
    return _finish(context, lease, upload, intake, pdf_key, analysis, derived)


def _is_one_entry(context: Context, upload: Upload) -> bool:
    with context.database.session() as session:
        return bool(session.scalar(select(Upload.id).where(Upload.joined_into == upload.id).limit(1)))


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
    joined = to_pdf(join_pdfs([intake.pdf for intake in intakes]), "joined.pdf", context.settings)
    return Intake(
        pdf=joined.pdf, page_count=joined.page_count, content_type=intakes[0].content_type, converted=True
    )


def _finish(
    context: Context,
    lease: Lease[Upload],
    upload: Upload,
    intake: Intake,
    pdf_key: str,
    analysis: DocumentAnalysis,
    derived: DerivedFile | None,
) -> list[str]:
    """Write pages, entries and their first runs in one transaction; return the ids of the runs.

    Writes nothing and returns an empty list if the lease is lost or the upload was superseded.
    """
    with context.database.session() as session:
        won = session.scalar(
            update(Upload)
            .where(lease.is_mine(), UPLOADS.due)
            .values(
                status=UploadStatus.SPLIT.value,
                pdf_key=pdf_key,
                content_type=intake.content_type,
                page_count=intake.page_count,
                entry_count=len(analysis.chunks),
                doc_format=analysis.format.value,
                structure=analysis.structure.value,
                doc_class=analysis.doc_class.value,
                updated_at=utcnow(),
                **(_bytes_of(derived) if derived else {}),
            )
            .returning(Upload.id)
        )
        if won is None:
            return []
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
                }
                for page in analysis.pages
            ],
        )
        ids = derived.submission_ids if derived else [uuid.uuid4() for _ in analysis.chunks]
        submissions = [
            _submission(key, upload, analysis, chunk) for key, chunk in zip(ids, analysis.chunks, strict=True)
        ]
        session.add_all(submissions)
        session.flush()
        if derived:
            settle_split(session, upload, submissions)
        runs = [_first_run(submission) for submission in submissions]
        session.add_all(runs)
        return [run.run_id for run in runs]


def _bytes_of(derived: DerivedFile) -> dict[str, int | str]:
    pdf = derived.intake.pdf
    return {"byte_size": len(pdf), "sha256": hashlib.sha256(pdf).hexdigest()}


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
