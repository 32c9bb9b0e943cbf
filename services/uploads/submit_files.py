"""Accept uploaded files: each original is stored before it is read, then queued."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import FileTooLargeError, NoFileError, NotFoundError, TooManyFilesError
from core.models import Upload, UploadBatch, UploadStatus
from core.models.base import error_columns
from services.context import Context
from services.recovery.kinds import UPLOADS
from services.recovery.work import enqueue
from services.seasons import current_season
from services.uploads.quota import require_quota


@dataclass(frozen=True)
class IncomingFile:
    """A file as uploaded."""

    filename: str
    data: bytes


def submit_files(
    context: Context,
    actor_id: uuid.UUID,
    files: Sequence[IncomingFile],
    one_entry: bool = False,
    batch_id: uuid.UUID | None = None,
) -> uuid.UUID:
    """Store the files, queue their processing and return the batch's id.

    A file that was uploaded before in this season is kept and marked a duplicate. Files beyond
    MAX_FILES_PER_UPLOAD are kept, marked failed, and can be retried. With `one_entry` the files are read as one
    document, in the order given. Raises NoFileError, FileTooLargeError and UploadQuotaError (before anything is
    stored), and NotFoundError for a batch of another person.
    """
    if not files:
        raise NoFileError
    for file in files:
        if len(file.data) > context.settings.max_upload_bytes:
            raise FileTooLargeError(f"{len(file.data)} bytes")
    with context.database.session() as session:
        require_quota(session, context.settings, actor_id, len(files), sum(len(file.data) for file in files))
    batch, first = _open_batch(context, actor_id, len(files), one_entry, batch_id)
    stored = [_store(context, batch, first + offset, file) for offset, file in enumerate(files)]
    if one_entry:
        stored = _join(context, stored)
    enqueue(context, UPLOADS, *(upload.id for upload in stored if upload.status == UploadStatus.STORED))
    return batch.id


def _open_batch(
    context: Context, actor_id: uuid.UUID, count: int, one_entry: bool, batch_id: uuid.UUID | None
) -> tuple[UploadBatch, int]:
    """Create the batch, or extend the person's own; return it with the position of the first new file."""
    with context.database.session() as session:
        if batch_id is None:
            batch = UploadBatch(
                season_id=current_season(session).id, uploaded_by=actor_id, one_entry=one_entry, file_count=count
            )
            session.add(batch)
            session.flush()
            return batch, 0
        row = session.scalar(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id, UploadBatch.uploaded_by == actor_id, ~UploadBatch.one_entry)
            .values(file_count=UploadBatch.file_count + count)
            .returning(UploadBatch)
        )
        if row is None:
            raise NotFoundError("no such batch of this person")
        return row, row.file_count - count


def display_name(filename: str) -> str:
    """Return the last part of a browser's file name for display; it is never used as a path."""
    name = PurePosixPath(filename.replace("\\", "/").replace("\x00", "")).name
    shown = "".join(char for char in name if char.isprintable()).strip()
    return shown[:255] or "unnamed"


def _store(context: Context, batch: UploadBatch, position: int, file: IncomingFile) -> Upload:
    digest = hashlib.sha256(file.data).hexdigest()
    upload_id = uuid.uuid4()
    key = f"originals/{batch.season_id}/{upload_id}"
    context.store.put(key, file.data, "application/octet-stream")
    upload = Upload(
        id=upload_id,
        season_id=batch.season_id,
        batch_id=batch.id,
        uploaded_by=batch.uploaded_by,
        position=position,
        original_filename=display_name(file.filename),
        byte_size=len(file.data),
        sha256=digest,
        storage_key=key,
        status=UploadStatus.STORED.value,
    )
    if position >= context.settings.max_files_per_upload:
        upload.status = UploadStatus.FAILED.value
        upload.error = TooManyFilesError().told
    return _insert(context, upload)


def _insert(context: Context, upload: Upload) -> Upload:
    """Insert the row; a unique index on the content decides which of two equal files is the original."""
    given = {
        column.key: value
        for column in Upload.__table__.columns
        if (value := getattr(upload, column.key)) is not None
    }
    try:
        return _insert_once(context, given)
    except IntegrityError:
        # Another request stored the same bytes between the query and the insert; the second query finds them.
        return _insert_once(context, given)


def _insert_once(context: Context, given: dict[str, object]) -> Upload:
    with context.database.session() as session:
        row = Upload(**given)
        original = _original_of(session, row.season_id, row.sha256)
        if original is not None:
            row.status = UploadStatus.DUPLICATE.value
            row.duplicate_of = original
            row.error = None
        session.add(row)
        session.flush()
        return row


def _original_of(session: Session, season_id: uuid.UUID, digest: str) -> uuid.UUID | None:
    return session.scalar(
        select(Upload.id).where(
            Upload.season_id == season_id,
            Upload.sha256 == digest,
            Upload.duplicate_of.is_(None),
            Upload.joined_into.is_(None),
            Upload.split_id.is_(None),
        )
    )


def _join(context: Context, uploads: list[Upload]) -> list[Upload]:
    """Join the other files into the first new one; return the files to process."""
    carrier = next((upload for upload in uploads if upload.status == UploadStatus.STORED), None)
    if carrier is None:
        return uploads
    others = [upload.id for upload in uploads if upload.id != carrier.id]
    with context.database.session() as session:
        session.execute(
            update(Upload)
            .where(Upload.id.in_(others))
            .values(
                status=UploadStatus.JOINED.value,
                joined_into=carrier.id,
                duplicate_of=None,
                **error_columns(None),
                updated_at=func.now(),
            )
        )
    return [carrier]
