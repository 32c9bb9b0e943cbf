"""Accept uploaded files: limits, copies, the expected number of entries."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, partial
from io import SEEK_END, BufferedReader
from pathlib import PurePosixPath
from typing import TypeVar

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import (
    AppError,
    FileTooLargeError,
    InvalidInputError,
    NoFileError,
    NotFoundError,
    StorageError,
    TooManyFilesError,
    UploadQuotaError,
    UploadUnconfirmedError,
)
from core.file_store import FileStore, from_beginning
from core.models import Season, SecurityEventKind, Upload, UploadBatch, UploadStatus
from core.models.base import error_columns
from services.accounts.person import Person
from services.audit import record_change
from services.batches.default_values import NOTHING_SAID, SaidOfBatch, batch_to_change, checked_defaults
from services.context import Context
from services.messages.entries import Refused
from services.recovery.kinds import UPLOADS
from services.recovery.work import queue_rows
from services.seasons import current_season, give_defaults, require_open
from services.uploads.room import room_for

# Accept uploaded files: originals are stored before they are read, all of a request or none; then queued.


_T = TypeVar("_T")


@dataclass(frozen=True)
class IncomingFile:
    """A file as uploaded: its bytes, or an open file that holds them."""

    filename: str
    data: bytes | BufferedReader

    @cached_property
    def size(self) -> int:
        """Its length in bytes."""
        return len(self.data) if isinstance(self.data, bytes) else self.data.seek(0, SEEK_END)

    @cached_property
    def sha256(self) -> str:
        """The digest of its bytes, in hexadecimal."""
        if isinstance(self.data, bytes):
            return hashlib.sha256(self.data).hexdigest()
        with from_beginning(self.data) as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()

    def put(self, store: FileStore, key: str) -> None:
        """Store it at the key. Raises StorageError."""
        if isinstance(self.data, bytes):
            store.put(key, self.data)
        else:
            store.put_file(key, self.data)


@dataclass(frozen=True)
class _Stored:
    """A file that is in the file store but not yet in the database."""

    id: uuid.UUID
    key: str
    file: IncomingFile


@dataclass(frozen=True)
class _Opening:
    """The batch that files go into: one of the person's own, or a new one with its data."""

    season_id: uuid.UUID
    one_entry: bool
    batch_id: uuid.UUID | None
    new_id: uuid.UUID
    received_on: date | None
    given: Mapping[str, str]


def submit_files(
    context: Context,
    actor_id: uuid.UUID,
    files: Sequence[IncomingFile],
    one_entry: bool = False,
    batch_id: uuid.UUID | None = None,
    said: SaidOfBatch = NOTHING_SAID,
    new_id: uuid.UUID | None = None,
) -> uuid.UUID:
    """Store the files, queue their processing and return the batch's id.

    A file that was uploaded before in this season is kept and marked a duplicate. Files beyond
    MAX_FILES_PER_UPLOAD are kept, marked failed, and can be retried. With `one_entry` the files are read as one
    document, in the order given. `said` applies to a new batch, whose id is `new_id` if that is given, so that
    an interrupted caller can find out whether it was recorded. Raises NoFileError, FileTooLargeError,
    UploadQuotaError, InvalidInputError for a closed season or values that do not fit, StorageFullError,
    QueueFullError, StorageSlowError (all before anything is stored), NotFoundError for a batch of another person,
    and UploadUnconfirmedError if the database failed while
    the files were being recorded. After any other error none of the files is stored.
    """
    if not files:
        raise NoFileError
    for file in files:
        if file.size > context.settings.max_upload_bytes:
            raise FileTooLargeError(f"{file.size} bytes")
    with context.database.session() as session:
        require_quota(session, context.settings, actor_id, len(files), sum(file.size for file in files))
        season_id = _season_of(session, actor_id, batch_id)
        given = checked_defaults(session, season_id, said.defaults) if batch_id is None else {}
        opening = _Opening(season_id, one_entry, batch_id, new_id or uuid.uuid4(), said.received_on, given)
    with room_for(context, sum(file.size for file in files)):
        stored = _store(context, opening.season_id, files)
    try:
        batch_id, unread = _again_if_beaten(partial(_record, context, actor_id, opening, stored))
    except UploadUnconfirmedError:
        # Files that the database may name are kept. If it does not, they are purged later.
        raise
    except (AppError, SQLAlchemyError):
        _remove(context, stored)
        raise
    queue_rows(context, UPLOADS, *unread)
    return batch_id


def closed_season(context: Context) -> str | None:
    """Return the name of the current season if it is closed, so that nothing can be uploaded."""
    with context.database.session() as session:
        season = current_season(session)
        return season.name if season.closed_at is not None else None


def current_season_name(context: Context) -> str:
    """Return the name of the season that files are uploaded to."""
    with context.database.session() as session:
        return current_season(session).name


def _season_of(session: Session, actor_id: uuid.UUID, batch_id: uuid.UUID | None) -> uuid.UUID:
    """Return the season of the person's own batch, the current one for a new batch.

    Raises NotFoundError, and InvalidInputError if the season is closed.
    """
    if batch_id is None:
        season = current_season(session)
    else:
        of_batch = select(Season).join(UploadBatch, UploadBatch.season_id == Season.id)
        found = session.scalar(of_batch.where(*_is_own(actor_id, batch_id)))
        if found is None:
            raise NotFoundError("no such batch of this person")
        season = found
    require_open(session, season.id)
    return season.id


def _is_own(actor_id: uuid.UUID, batch_id: uuid.UUID) -> tuple[ColumnElement[bool], ...]:
    return UploadBatch.id == batch_id, UploadBatch.uploaded_by == actor_id, ~UploadBatch.one_entry


def _store(context: Context, season_id: uuid.UUID, files: Iterable[IncomingFile]) -> list[_Stored]:
    """Put the files into the file store, or none if one cannot be stored."""
    stored: list[_Stored] = []
    try:
        for file in files:
            upload_id = uuid.uuid4()
            one = _Stored(upload_id, f"originals/{season_id}/{upload_id}", file)
            file.put(context.store, one.key)
            stored.append(one)
    except StorageError:
        _remove(context, stored)
        raise
    return stored


def _remove(context: Context, stored: Iterable[_Stored]) -> None:
    """Remove files that are not recorded. Those that the store does not remove now are purged later."""
    with suppress(StorageError):
        for one in stored:
            context.store.delete(one.key)


def _again_if_beaten(record: Callable[[], _T]) -> _T:
    """Record, and retry if another request stored the same bytes between the query and the insert.

    The second query finds them.
    """
    try:
        return record()
    except IntegrityError:
        return record()


def _record(
    context: Context, actor_id: uuid.UUID, opening: _Opening, stored: Sequence[_Stored]
) -> tuple[uuid.UUID, list[uuid.UUID]]:
    """Write the batch and the files in one transaction; return the batch's id and the ids of the files to read."""
    commits = False
    try:
        with context.database.session() as session:
            # The season may have been closed while the files were stored.
            require_open(session, opening.season_id)
            batch, first = _open_batch(session, actor_id, opening, len(stored))
            uploads = [_insert(context, session, batch, first + place, one) for place, one in enumerate(stored)]
            unread = _join(session, uploads) if opening.one_entry else uploads
            found = batch.id, [upload.id for upload in unread if upload.status == UploadStatus.STORED]
            commits = True
    except OperationalError as exc:
        if commits:
            raise UploadUnconfirmedError(type(exc.orig).__name__) from exc
        raise
    return found


def _open_batch(session: Session, actor_id: uuid.UUID, opening: _Opening, count: int) -> tuple[UploadBatch, int]:
    """Create the batch, or extend the person's own; return it with the position of the first new file."""
    if opening.batch_id is None:
        batch = UploadBatch(
            id=opening.new_id,
            season_id=opening.season_id,
            uploaded_by=actor_id,
            one_entry=opening.one_entry,
            file_count=count,
            received_on=opening.received_on,
        )
        session.add(batch)
        session.flush()
        if opening.given:
            give_defaults(session, batch, actor_id, opening.given)
        return batch, 0
    row = session.scalar(
        update(UploadBatch)
        .where(*_is_own(actor_id, opening.batch_id))
        .values(file_count=UploadBatch.file_count + count)
        .returning(UploadBatch)
    )
    if row is None:
        raise NotFoundError("no such batch of this person")
    return row, row.file_count - count


def display_name(filename: str) -> str:
    """Return the last part of a browser's file name for display; it is never used as a path."""
    return last_part("".join(char for char in filename if char.isprintable()).strip())[:255]


def last_part(filename: str) -> str:
    """Return the last part of a file name that could be a path; "unnamed" if it is empty or only dots."""
    name = PurePosixPath(filename.replace("\\", "/")).name
    return name if name.strip(". ") else "unnamed"


def _insert(context: Context, session: Session, batch: UploadBatch, position: int, stored: _Stored) -> Upload:
    """Insert a file's row; a unique index on the content decides which of two equal files is the original."""
    upload = Upload(
        id=stored.id,
        season_id=batch.season_id,
        batch_id=batch.id,
        uploaded_by=batch.uploaded_by,
        position=position,
        original_filename=display_name(stored.file.filename),
        byte_size=stored.file.size,
        sha256=stored.file.sha256,
        storage_key=stored.key,
        status=UploadStatus.STORED.value,
    )
    original = _original_of(session, upload.season_id, upload.sha256)
    if original is not None:
        upload.status = UploadStatus.DUPLICATE.value
        upload.duplicate_of = original
    elif position >= context.settings.max_files_per_upload:
        upload.status = UploadStatus.FAILED.value
        upload.error = TooManyFilesError().told
    session.add(upload)
    session.flush()
    return upload


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


def _join(session: Session, uploads: list[Upload]) -> list[Upload]:
    """Join the other files into the first new one; return the files to process."""
    carrier = next((upload for upload in uploads if upload.status == UploadStatus.STORED), None)
    if carrier is None:
        return uploads
    others = [upload.id for upload in uploads if upload.id != carrier.id]
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


MOST = 100_000


def expected_number(text: str) -> int | None:
    """Return the typed number, None for an empty text.

    Raises InvalidInputError unless it is a whole number between 1 and MOST.
    """
    typed = text.strip()
    if not typed:
        return None
    # `isdecimal` accepts digits of other scripts too, which `int` reads.
    number = int(typed) if typed.isdecimal() and len(typed) <= len(str(MOST)) else 0
    if not 1 <= number <= MOST:
        raise InvalidInputError(Refused.NUMBER_OF_ENTRIES, limit=MOST)
    return number


def expect_submissions(context: Context, person: Person, batch_id: uuid.UUID, number: int | None) -> None:
    """Record the number; None: unknown.

    Raises NotFoundError for a batch that this person may not see, InvalidInputError if its season is closed.
    """
    with context.database.session() as session:
        batch = batch_to_change(session, person, batch_id)
        record_change(
            session,
            SecurityEventKind.BATCH_CHANGED,
            {"expected": batch.expected_entries},
            {"expected": number},
            actor_id=person.id,
            batch=str(batch_id),
        )
        batch.expected_entries = number


_DAY = timedelta(days=1)


def require_quota(session: Session, settings: Settings, person_id: uuid.UUID, files: int, size: int) -> None:
    """Raise UploadQuotaError if so many files, of so many bytes, are too many for this person's last 24 hours.

    Files made by a corrected split are not counted. Requests that arrive at the same moment may each pass, and so
    together exceed the quota by the size of one request.
    """
    used_files, used_bytes = session.execute(
        select(func.count(), func.coalesce(func.sum(Upload.byte_size), 0)).where(
            Upload.uploaded_by == person_id, Upload.created_at > func.now() - _DAY, Upload.split_id.is_(None)
        )
    ).one()
    if used_files + files > settings.max_files_per_day or used_bytes + size > settings.max_bytes_per_day:
        raise UploadQuotaError(f"{used_files} files, {used_bytes} bytes within a day")
