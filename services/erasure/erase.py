"""Erase an entry with its files, under the leases of its work."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.database import remove_threads
from core.errors import ConflictError
from core.file_store import FileStore
from core.lease import Leases, process_name
from core.models import (
    BatchDefault,
    BulkChange,
    BulkChangeItem,
    Erasure,
    ErasureReason,
    Escalation,
    LibraryDocument,
    Page,
    SecurityEventKind,
    Submission,
    Upload,
    UploadBatch,
    UploadSplit,
)
from core.models.leases import (
    BATCH_DEFAULT_LEASES,
    BATCH_LEASES,
    DOCUMENT_LEASES,
    PAGE_RANGE_LEASES,
    REPORT_LEASES,
    RUN_LEASES,
    SUPERVISION_LEASES,
    UPLOAD_LEASES,
)
from core.queue import forget_jobs
from pipeline.files.content_type import PDF
from pipeline.mupdf.assembly import blank_pages
from pipeline.supabase_db import forget_spellings
from services.audit import record_event
from services.context import Context
from services.erasure.held_export import count_held
from services.erasure.other_places import (
    Elsewhere,
    delete_elsewhere,
    find_elsewhere,
    forget_elsewhere,
    withdraw_quotations,
)
from services.erasure.scope import ErasureScope, find_scope
from services.erasure.search import forget_filters, splits_around
from services.exports.contents import remove_abandoned
from services.exports.request import delete_export_files, forget_exports
from services.form_studio.draft import delete_samples, forget_samples
from services.items.holds import require_free
from services.letters.answers import forget_letters
from services.library.copies import WITHDRAWN
from services.messages.entries import Conflict
from services.recovery.kinds import ALL, MAILS, RESTS, SAMPLES
from services.supervision.documents import original_key
from services.uploads.contents import lock_entries

# Erase everything that is held of entries: rows, files, caches, checkpoints, and what reports quote of them.


#: Seconds to wait for workers that work on something of the entry.
PATIENCE = 20.0


def erase_submissions(
    context: Context,
    submission_ids: Sequence[uuid.UUID],
    actor_id: uuid.UUID | None,
    reason: ErasureReason,
    patience: float = PATIENCE,
) -> uuid.UUID:
    """Erase entries of one season, and every older entry of the same pages; return the id of the receipt.

    Other entries of the same files keep their pages. There is no way back. Raises NotFoundError, ConflictError if
    an entry was replaced or workers do not release it in time, HeldError if a person has one open, StorageError
    and DocumentError if a file cannot be changed or removed. The rows are deleted in one transaction, after the
    files, the originals last: after a failure there is no receipt, and erasing again is safe.
    """
    with context.database.session() as session:
        scope = find_scope(session, submission_ids)
        require_free(session, actor_id, scope.submissions)
    with leases_taken(context, scope, patience), context.database.session() as session:
        scope = _locked(session, scope)
        elsewhere = find_elsewhere(context, session, scope)
        receipt = _receipt(session, scope, elsewhere, actor_id, reason)
        files = files_to_erase(session, scope)
        forget_jobs(context.redis, _jobs(session, scope))
        mails = forget_letters(session, scope.submissions)
        forget_jobs(context.redis, [MAILS.job_id(mail_id) for mail_id in mails])
        withdraw_quotations(context, session, scope)
        forget_filters(session, scope.submissions)
        remove_threads(session, scope.threads)
        _delete_rows(session, scope)
        # They may name the child, and are made again in a minute.
        exports = forget_exports(session, scope.season_id, scope.reports)
        samples = forget_samples(session)
        forget_jobs(context.redis, [SAMPLES.job_id(sample.sample_id) for sample in samples])
        forget_elsewhere(context, session, elsewhere)
        blanked = [
            blank_file(context, session, upload_id, numbers) for upload_id, numbers in scope.blanked.items()
        ]
        # Nothing is final before this line. Watched folders come first: their owners may refuse the deletion.
        delete_elsewhere(context.store, elsewhere)
        for key, pdf in blanked:
            context.store.put(key, pdf, PDF)
        delete_export_files(context.store, exports)
        remove_abandoned(context)
        delete_samples(context.store, samples)
        for report_id in scope.emptied:
            context.store.put(original_key(report_id), WITHDRAWN.encode(), "text/plain")
        delete_erased_files(context.store, files)
    return receipt


def _locked(session: Session, scope: ErasureScope) -> ErasureScope:
    """Lock files and entries and return what they reach now.

    Raises ConflictError if something was added to them during the wait for leases.
    """
    session.execute(select(Upload.id).where(Upload.id.in_(scope.uploads)).order_by(Upload.id).with_for_update())
    lock_entries(session, [*scope.submissions, *_renamed_submissions(session, scope)])
    # A change of the values of a batch that begins now is found by this search, or waits for the end.
    session.execute(
        select(UploadBatch.id)
        .where(UploadBatch.id.in_(scope.batches))
        .order_by(UploadBatch.id)
        .with_for_update(key_share=True)
    )
    # A report that is researched now stores its sources before this line, where they are found, or not at all.
    session.execute(
        select(LibraryDocument.id)
        .where(LibraryDocument.id.in_([*scope.documents, *scope.copying]))
        .order_by(LibraryDocument.id)
        .with_for_update()
    )
    now = find_scope(session, scope.asked)
    if now != scope:
        raise ConflictError(Conflict.BEING_WORKED_ON)
    return now


def _renamed_submissions(session: Session, scope: ErasureScope) -> Sequence[uuid.UUID]:
    """Return the entries of all files that may get another name, which the database hands on to their entries."""
    splits = [split.id for split in splits_around(session, scope.uploads)]
    files = select(Upload.id).where(Upload.id.in_(scope.uploads) | Upload.split_id.in_(splits))
    return session.scalars(select(Submission.id).where(Submission.upload_id.in_(files))).all()


def _receipt(
    session: Session, scope: ErasureScope, elsewhere: Elsewhere, actor_id: uuid.UUID | None, reason: ErasureReason
) -> uuid.UUID:
    counts = count_held(session, scope, elsewhere).counts
    receipt = Erasure(
        id=uuid.uuid4(),
        season_id=scope.season_id,
        actor_id=actor_id,
        reason=reason.value,
        submission_ids=scope.submissions,
        counts={kind.value: number for kind, number in counts.items()},
        not_reached=elsewhere.not_reached,
    )
    session.add(receipt)
    record_event(session, SecurityEventKind.ERASED, actor_id=actor_id, rows=len(scope.submissions))
    session.flush()
    return receipt.id


def _jobs(session: Session, scope: ErasureScope) -> list[str]:
    """Return the ids of all jobs on the scope; a failed job keeps its traceback."""
    escalations = session.scalars(select(Escalation.id).where(Escalation.submission_id.in_(scope.submissions)))
    keys = [
        *scope.uploads,
        *scope.ranges,
        *scope.runs,
        *scope.batches,
        *scope.documents,
        *scope.reports,
        *scope.supervisions,
        *escalations,
    ]
    return [work.job_id(key) for work in (*ALL, RESTS) for key in keys]


def _delete_rows(session: Session, scope: ErasureScope) -> None:
    """Delete what nothing needs any more; most tables follow their entry or their file."""
    doomed = _forget_splits(session, scope)
    changes = session.scalars(
        select(BulkChangeItem.bulk_id).where(BulkChangeItem.submission_id.in_(scope.submissions))
    ).all()
    session.execute(delete(Submission).where(Submission.id.in_(scope.submissions)))
    _forget_changes(session, changes)
    forget_spellings(session, scope.season_id)
    _leave_batches(session, scope)
    session.execute(delete(Upload).where(Upload.id.in_(scope.removed)))
    session.execute(delete(UploadSplit).where(UploadSplit.id.in_(doomed)))


def _forget_changes(session: Session, change_ids: Sequence[uuid.UUID]) -> None:
    """Delete bulk changes none of whose entries is left: their values and reasons concern these alone."""
    still = select(BulkChangeItem.id).where(BulkChangeItem.bulk_id == BulkChange.id)
    session.execute(delete(BulkChange).where(BulkChange.id.in_(change_ids), ~still.exists()))


def _forget_splits(session: Session, scope: ErasureScope) -> list[uuid.UUID]:
    """Take the entries out of what corrections keep of them; return the corrections that can be deleted."""
    gone, removed = {str(found) for found in scope.submissions}, set(scope.removed)
    around = splits_around(session, scope.uploads)
    # Derived files are called after their sources.
    session.execute(
        update(Upload)
        .where(Upload.split_id.in_([split.id for split in around]))
        .values(original_filename=NEUTRAL_NAME)
    )
    doomed = []
    for split in around:
        split.superseded = [stood for stood in split.superseded if stood["submission_id"] not in gone]
        nothing_made = split.made_upload_id is None and removed.issuperset(split.upload_ids)
        if split.made_upload_id in removed or nothing_made:
            split.made_upload_id = None
            doomed.append(split.id)
    session.flush()
    return doomed


def _leave_batches(session: Session, scope: ErasureScope) -> None:
    """Count the removed files out of their batches, so that nothing waits for them."""
    rows = session.execute(
        select(Upload.batch_id, func.count())
        .where(Upload.id.in_(scope.removed), Upload.split_id.is_(None))
        .group_by(Upload.batch_id)
    )
    for batch_id, number in rows.all():
        session.execute(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id)
            .values(file_count=func.greatest(UploadBatch.file_count - number, 0))
        )
    # The defaults of a batch without entries concern the child alone, unless it has other files.
    still = select(Submission.id).where(Submission.batch_id == BatchDefault.batch_id)
    others = select(Upload.id).where(Upload.batch_id == BatchDefault.batch_id, Upload.id.not_in(scope.uploads))
    session.execute(
        delete(BatchDefault).where(BatchDefault.batch_id.in_(scope.batches), ~still.exists(), ~others.exists())
    )


# Take the leases on all rows of an erasure, so that no worker writes what is about to go, or writes it again.


#: Term of the leases; after a crash others wait this long.
_LASTING = timedelta(minutes=2)
_LOOK_SECONDS = 0.1


@contextmanager
def leases_taken(context: Context, scope: ErasureScope, patience: float) -> Iterator[None]:
    """Hold the leases on everything of the scope while the block runs.

    Waits for workers that have one, `patience` seconds in all: they write files and checkpoints without checking
    the lease, so that only their end is safe. Raises ConflictError if it takes longer, with nothing changed.
    """
    end = time.monotonic() + patience
    holder = process_name()
    with ExitStack() as taken:
        for leases, key in _wanted(scope):
            _take(context, leases, key, holder, end)
            taken.callback(_release, context, leases, key, holder)
        yield


def _wanted(scope: ErasureScope) -> Iterator[tuple[Leases[Any], object]]:
    """Files before entries, as workers take them."""
    for leases, keys in (
        (BATCH_LEASES, scope.batches),
        (BATCH_DEFAULT_LEASES, scope.batch_changes),
        (UPLOAD_LEASES, sorted(scope.uploads)),
        (PAGE_RANGE_LEASES, scope.ranges),
        (RUN_LEASES, scope.runs),
        (DOCUMENT_LEASES, scope.documents),
        (REPORT_LEASES, scope.reports),
        (SUPERVISION_LEASES, sorted({*scope.supervisions, *scope.searching})),
    ):
        for key in keys:
            yield leases, key


def _take(context: Context, leases: Leases[Any], key: object, holder: str, end: float) -> None:
    while True:
        with context.database.session() as session:
            if leases.take(session, key, holder, _LASTING):
                return
        if time.monotonic() > end:
            raise ConflictError(Conflict.BEING_WORKED_ON)
        time.sleep(_LOOK_SECONDS)


def _release(context: Context, leases: Leases[Any], key: object, holder: str) -> None:
    with context.database.session() as session:
        leases.held_by(key, holder).release(session)


# The files of an erasure in the file store.


#: Recognitions are stored by content, not by entry: all are deleted, and made again when needed.
_RECOGNITIONS = "cache/ocr"


@dataclass(frozen=True)
class Files:
    """The files that are deleted."""

    keys: list[str]
    #: Folders.
    prefixes: list[str]


def files_to_erase(session: Session, scope: ErasureScope) -> Files:
    """Return the files to delete: originals, PDFs, readings, essays, and pictures and words of pages.

    For a file that is blanked in part, the original is deleted if it is not the PDF.
    """
    originals = session.execute(
        select(Upload.storage_key, Upload.pdf_key).where(Upload.id.in_(scope.removed))
    ).all()
    replaced = session.scalars(
        select(Upload.storage_key).where(Upload.id.in_(scope.blanked), Upload.storage_key != Upload.pdf_key)
    ).all()
    essays = session.scalars(
        select(LibraryDocument.storage_key).where(LibraryDocument.id.in_(scope.documents))
    ).all()
    return Files(
        keys=[key for row in originals for key in row if key is not None] + [*replaced, *essays],
        prefixes=[
            *(f"artifacts/{submission_id}" for submission_id in scope.submissions),
            *(f"cache/pages/{upload_id}" for upload_id in scope.uploads),
            *(f"cache/words/{upload_id}" for upload_id in scope.uploads),
            *(f"cache/library/{document_id}" for document_id in scope.documents),
            _RECOGNITIONS,
        ],
    )


def delete_erased_files(store: FileStore, files: Files) -> None:
    """Delete them, first those that can be made again. Raises StorageError; deleting again does no harm."""
    for prefix in files.prefixes:
        store.delete_prefix(prefix)
    for key in dict.fromkeys(files.keys):
        store.delete(key)


# Make the pages of an erased entry blank in a file that other entries need.


#: What a file is called from then on: its old name may be that of a child.
NEUTRAL_NAME = "erased-in-part.pdf"


def blank_file(
    context: Context, session: Session, upload_id: uuid.UUID, numbers: Sequence[int]
) -> tuple[str, bytes]:
    """Blank these pages, from 1, of a file that the caller has locked; return (key, PDF) to store.

    The PDF replaces an original of another format. Raises DocumentError and StorageError.
    """
    upload = session.get_one(Upload, upload_id, populate_existing=True)
    assert upload.pdf_key is not None  # it has entries, so its pages were read
    pdf = blank_pages(context.store.get(upload.pdf_key), numbers)
    # Not the other way round: erasing again finds the PDF where the row has it.
    upload.storage_key = upload.pdf_key
    upload.content_type = PDF
    upload.byte_size = len(pdf)
    upload.sha256 = hashlib.sha256(pdf).hexdigest()
    upload.original_filename = NEUTRAL_NAME
    # They name what was attached, which is not in the PDF any more.
    upload.notes = []
    upload.erased_pages = sorted({*upload.erased_pages, *numbers})
    upload.erased_at = utcnow()
    upload.updated_at = utcnow()
    upload.entry_count = session.scalar(select(func.count()).where(Submission.upload_id == upload_id))
    session.execute(
        update(Page)
        .where(Page.upload_id == upload_id, Page.page_no.in_(numbers))
        .values(role="blank_sheet", source=None, distrust=None, ocr_confidence=None)
    )
    session.flush()
    return upload.storage_key, pdf
