"""The progress of an upload."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import (
    COMPLETE_STATUSES,
    PageRange,
    SplitStatus,
    Submission,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadSplit,
    UploadStatus,
)
from core.plain_data import built
from pipeline.files.content_type import FileNote
from pipeline.reason_codes import OF_FILES
from services.accounts.person import Person, visible_to
from services.batches.default_values import visible_batch
from services.context import Context
from services.entries.listing import WAITING_STATUSES, SubmissionCounts
from services.seasons import is_late

# The progress of a batch: each file with the status of its entries.


#: The least and the most seconds, and the least share, from which a pace is computed.
_PACE = (5, 2 * 3600)
_LEAST_SHARE = 0.05
_WORKING = (UploadStatus.STORED, UploadStatus.ANALYSING)
_READING = (SubmissionStatus.QUEUED, SubmissionStatus.PROCESSING)


@dataclass(frozen=True)
class EntryProgress:
    """One entry of a file."""

    id: uuid.UUID
    status: str
    student_name: str | None
    school_name: str | None
    grade: str | None
    page_start: int
    page_end: int
    error_code: str | None
    error_params: dict[str, Any]
    missing_fields: list[str]
    reason_codes: list[str]
    #: Received after the season's deadline.
    late: bool

    def reasons_beside(self, notes: Sequence[FileNote]) -> list[str]:
        """Return the reasons that no note of the file gives already."""
        noted = {note.code for note in notes}
        return [code for code in OF_FILES if code in self.reason_codes and code not in noted]


@dataclass(frozen=True)
class EarlierSubmission:
    """One entry of an earlier file."""

    id: uuid.UUID
    student_name: str | None


@dataclass(frozen=True)
class EarlierFile:
    """A file with the same bytes that was uploaded before, and its entries."""

    batch_id: uuid.UUID
    entries: list[EarlierSubmission] = field(default_factory=list)


@dataclass(frozen=True)
class FileProgress:
    """One file of the batch."""

    id: uuid.UUID
    filename: str
    byte_size: int
    status: str
    error_code: str | None
    error_params: dict[str, Any]
    page_count: int | None
    #: Pages of a long file that were read so far; None for any other file, and once the file is split.
    pages_read: int | None
    #: The file with the same bytes that was uploaded before; None if this person may not see it.
    duplicate_of: uuid.UUID | None
    earlier: EarlierFile | None = None
    #: Whether a split correction made this file from other files.
    derived: bool = False
    #: Whether a split correction superseded entries of it.
    split_anew: bool = False
    #: Whether it is not queued, because the queue did not answer; the reconciler will queue it.
    unqueued: bool = False
    entries: list[EntryProgress] = field(default_factory=list)
    #: What it holds besides the pages that were read.
    notes: list[FileNote] = field(default_factory=list)

    @property
    def working(self) -> bool:
        return self.status in _WORKING or any(entry.status in _READING for entry in self.entries)

    @property
    def handed_in(self) -> bool:
        """Whether it was uploaded: neither made by a correction nor an entry that was typed in."""
        return not self.derived and (self.status != UploadStatus.TYPED or self.error_code is not None)

    @property
    def unread(self) -> bool:
        """Whether it could not be read, or none of its entries could."""
        failed = [entry.status == SubmissionStatus.FAILED for entry in self.entries]
        return self.status == UploadStatus.FAILED or (bool(failed) and all(failed))

    @property
    def share_done(self) -> float:
        """How much of it is read, from 0 to 1."""
        if not self.working:
            return 1.0
        if self.pages_read is not None and self.page_count:
            return 0.5 * min(self.pages_read / self.page_count, 1.0)
        return sum(entry.status not in _READING for entry in self.entries) / max(len(self.entries), 1)


@dataclass(frozen=True)
class BatchProgress:
    """A batch with all of its files."""

    id: uuid.UUID
    one_entry: bool
    created_at: datetime
    file_count: int
    files: list[FileProgress]
    #: The number of entries that a person expects.
    expected_entries: int | None = None
    #: The date of receipt that a person gave for the batch.
    received_on: date | None = None
    #: Seconds since the upload. They are ignored in the fingerprint.
    seconds: float = field(default=0.0, repr=False)

    @property
    def working(self) -> bool:
        """Whether the batch changes without an action by a person."""
        uploaded = sum(not file.derived for file in self.files)
        return uploaded < self.file_count or any(file.working for file in self.files)

    @property
    def submissions_found(self) -> int:
        """The number of entries that were found."""
        return sum(len(file.entries) for file in self.files)

    @property
    def sent_before(self) -> int:
        """The number of other entries that files of this batch gave when they were uploaded before."""
        here = {entry.id for file in self.files for entry in file.entries}
        return len({entry.id for file in self.files if file.earlier for entry in file.earlier.entries} - here)

    @property
    def sent_by_others(self) -> int:
        """The number of files that somebody else uploaded before, whose entries this person may not see."""
        return sum(file.status == UploadStatus.DUPLICATE and file.earlier is None for file in self.files)

    @property
    def unqueued(self) -> bool:
        """Whether a file is stored but not queued yet."""
        return any(file.unqueued for file in self.files)

    @property
    def files_total(self) -> int:
        """The number of files that were uploaded."""
        typed = sum(not file.handed_in and not file.derived for file in self.files)
        return max(self.file_count - typed, sum(file.handed_in for file in self.files))

    @property
    def files_done(self) -> int:
        """The number of those that are finished, read or not."""
        return sum(file.handed_in and not file.working for file in self.files)

    @property
    def unread(self) -> list[FileProgress]:
        """The files that could not be read."""
        return [file for file in self.files if file.handed_in and file.unread]

    @property
    def share_done(self) -> float:
        """How much of all files is read, from 0 to 1."""
        return sum(file.share_done for file in self.files if file.handed_in) / max(self.files_total, 1)

    @property
    def minutes_left(self) -> int | None:
        """Estimated minutes for reading the rest, at the pace so far; None if that is unknown.

        A pace needs many pages or files, and some time; a batch that has taken very long had pauses.
        """
        many = self.files_total > 2 or any((file.page_count or 0) > 8 for file in self.files)
        if not (self.working and many and _PACE[0] <= self.seconds <= _PACE[1] and self.share_done > _LEAST_SHARE):
            return None
        return round(self.seconds * (1 - self.share_done) / self.share_done / 60)

    @property
    def by_status(self) -> dict[str, int]:
        """Numbers of entries by status, in the order in which statuses are reached."""
        found = [entry.status for file in self.files for entry in file.entries]
        return {status.value: found.count(status) for status in SubmissionStatus if status in found}

    @property
    def counts(self) -> SubmissionCounts:
        """Numbers of entries by progress, and what is missing in those that wait for a person."""
        found = [entry for file in self.files for entry in file.entries]
        waiting = [entry for entry in found if entry.status in WAITING_STATUSES]
        complete = sum(entry.status in COMPLETE_STATUSES for entry in found)
        under_way = sum(entry.status in _READING for entry in found)
        return SubmissionCounts(
            received=len(found),
            complete=complete,
            waiting=len(waiting),
            under_way=under_way,
            out=len(found) - complete - len(waiting) - under_way,
            missing=dict(Counter(name for entry in waiting for name in entry.missing_fields).most_common()),
        )

    @property
    def late(self) -> int:
        """The number of entries that were received after the deadline."""
        return sum(entry.late for file in self.files for entry in file.entries)

    @property
    def fingerprint(self) -> str:
        """Hash that changes whenever the shown data changes."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def batch_progress(context: Context, person: Person, batch_id: uuid.UUID) -> BatchProgress:
    """Return the progress of a batch. Raises NotFoundError if it does not exist or this person may not see it."""
    with context.database.session() as session:
        batch = visible_batch(session, person, batch_id)
        entries = _entries(session, batch_id)
        uploads = session.scalars(
            select(Upload)
            .where(Upload.batch_id == batch_id, Upload.status != UploadStatus.SUPERSEDED.value)
            .order_by(Upload.position, Upload.created_at, Upload.id)
        ).all()
        anew = _split_anew(session, batch_id)
        pages_read = _pages_read(session, batch_id)
        earlier = _earlier(session, person, {upload.duplicate_of for upload in uploads})
        files = [
            _file(upload, entries.get(upload.id, []), upload.id in anew, pages_read.get(upload.id), earlier)
            for upload in uploads
        ]
        return built(BatchProgress, batch, files=files, seconds=(utcnow() - batch.created_at).total_seconds())


def _split_anew(session: Session, batch_id: uuid.UUID) -> set[uuid.UUID]:
    splits = session.scalars(
        select(UploadSplit).where(UploadSplit.batch_id == batch_id, UploadSplit.status != SplitStatus.UNDONE.value)
    )
    return {upload_id for split in splits for upload_id in split.upload_ids}


def _pages_read(session: Session, batch_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """Return, for each file whose pages are read by several jobs, how many were read."""
    pages = case((PageRange.outlines.is_not(None), PageRange.last_page - PageRange.first_page + 1), else_=0)
    rows = session.execute(
        select(PageRange.upload_id, func.sum(pages).label("read"))
        .join(Upload, Upload.id == PageRange.upload_id)
        .where(Upload.batch_id == batch_id)
        .group_by(PageRange.upload_id)
    )
    return {row.upload_id: row.read for row in rows}


def _earlier(
    session: Session, person: Person, upload_ids: set[uuid.UUID | None]
) -> Mapping[uuid.UUID | None, EarlierFile]:
    """Return those of the files that this person may see, with their entries that are not superseded."""
    wanted = [upload_id for upload_id in upload_ids if upload_id is not None]
    if not wanted:
        return {}
    stands = and_(Submission.upload_id == Upload.id, Submission.status != SubmissionStatus.SUPERSEDED.value)
    rows = session.execute(
        select(Upload.id, Upload.batch_id, Submission.id.label("entry"), Submission.student_name)
        .outerjoin(Submission, stands)
        .where(Upload.id.in_(wanted), visible_to(person, Upload.uploaded_by))
        .order_by(Submission.chunk_index)
    )
    found: dict[uuid.UUID | None, EarlierFile] = {}
    for row in rows:
        file = found.setdefault(row.id, EarlierFile(row.batch_id))
        if row.entry is not None:
            file.entries.append(EarlierSubmission(row.entry, row.student_name))
    return found


def _file(
    upload: Upload,
    entries: list[EntryProgress],
    split_anew: bool,
    pages_read: int | None,
    earlier: Mapping[uuid.UUID | None, EarlierFile],
) -> FileProgress:
    return built(
        FileProgress,
        upload,
        filename=upload.original_filename,
        pages_read=pages_read,
        duplicate_of=upload.duplicate_of if upload.duplicate_of in earlier else None,
        earlier=earlier.get(upload.duplicate_of),
        derived=upload.split_id is not None,
        split_anew=split_anew,
        unqueued=upload.status == UploadStatus.STORED and upload.enqueued_at is None,
        entries=entries,
        notes=[FileNote.model_validate(note) for note in upload.notes],
    )


def _entries(session: Session, batch_id: uuid.UUID) -> dict[uuid.UUID, list[EntryProgress]]:
    rows = session.execute(
        select(
            Submission.id,
            Submission.upload_id,
            Submission.status,
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            Submission.page_start,
            Submission.page_end,
            Submission.error_code,
            Submission.error_params,
            Submission.missing_fields,
            Submission.review_reason_codes.label("reason_codes"),
            is_late().label("late"),
        )
        .where(Submission.batch_id == batch_id, Submission.status != SubmissionStatus.SUPERSEDED.value)
        .order_by(Submission.upload_id, Submission.chunk_index)
    )
    found: dict[uuid.UUID, list[EntryProgress]] = {}
    for row in rows:
        values = row._asdict()
        found.setdefault(values.pop("upload_id"), []).append(EntryProgress(**values))
    return found


@dataclass(frozen=True)
class BatchRow:
    """One line of the list."""

    id: uuid.UUID
    created_at: datetime
    file_count: int
    first_filename: str | None


def recent_batches(context: Context, person: Person, limit: int = 8) -> list[BatchRow]:
    """Return the person's own batches, newest first."""
    first = (
        select(Upload.original_filename)
        .where(Upload.batch_id == UploadBatch.id)
        .order_by(Upload.position)
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(UploadBatch.id, UploadBatch.created_at, UploadBatch.file_count, first.label("first_filename"))
        .where(UploadBatch.uploaded_by == person.id)
        .order_by(UploadBatch.created_at.desc(), UploadBatch.id.desc())
        .limit(limit)
    )
    with context.database.session() as session:
        return [BatchRow(**row._asdict()) for row in session.execute(query)]
