"""The progress of an upload."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any

from sqlalchemy import Label, String, and_, case, cast, func, select
from sqlalchemy.orm import Session, aliased

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
from core.models.base import columns_of
from core.plain_data import built
from pipeline.files.content_type import FileNote
from pipeline.reason_codes import OF_FILES
from services.accounts.person import Person, visible_to
from services.batches.default_values import READING_STATUSES, DefaultsView, defaults_of, visible_batch
from services.context import Context
from services.entries.listing import WAITING_STATUSES, SubmissionCounts
from services.keyset import RowPage, fetch_page
from services.seasons import is_late

#: The least and the most seconds, and the least share, from which a pace is computed.
_PACE = (5, 2 * 3600)
_LEAST_SHARE = 0.05
_WORKING = (UploadStatus.STORED, UploadStatus.ANALYSING)


@dataclass(frozen=True)
class EntryProgress:
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
class FileState:
    id: uuid.UUID
    filename: str
    status: str
    error_code: str | None
    page_count: int | None
    #: Pages of a long file that were read so far; None for any other file, and once the file is split.
    pages_read: int | None
    #: Whether a split correction made this file from other files.
    derived: bool = False
    #: Whether it is not queued, because the queue did not answer; the reconciler will queue it.
    unqueued: bool = False
    #: The number of its entries: of all, of those being read, and of those that failed.
    found: int = 0
    reading: int = 0
    failed: int = 0

    @property
    def working(self) -> bool:
        return self.status in _WORKING or self.reading > 0

    @property
    def handed_in(self) -> bool:
        """Whether it was uploaded: neither made by a correction nor an entry that was typed in."""
        return not self.derived and (self.status != UploadStatus.TYPED or self.error_code is not None)

    @property
    def unread(self) -> bool:
        """Whether it could not be read, or none of its entries could."""
        return self.status == UploadStatus.FAILED or 0 < self.found == self.failed

    @property
    def share_done(self) -> float:
        """How much of it is read, from 0 to 1."""
        if not self.working:
            return 1.0
        if self.pages_read is not None and self.page_count:
            return 0.5 * min(self.pages_read / self.page_count, 1.0)
        return (self.found - self.reading) / max(self.found, 1)


@dataclass(frozen=True, kw_only=True)
class FileProgress(FileState):
    byte_size: int
    error_params: dict[str, Any]
    #: The file with the same bytes that was uploaded before; None if this person may not see it.
    duplicate_of: uuid.UUID | None
    earlier: EarlierFile | None = None
    #: Whether a split correction superseded entries of it.
    split_anew: bool = False
    #: The first of its entries.
    entries: list[EntryProgress] = field(default_factory=list)
    #: What it holds besides the pages that were read.
    notes: list[FileNote] = field(default_factory=list)


@dataclass(frozen=True)
class BatchProgress:
    """A batch: all of its files in numbers, and one page of them with their first entries."""

    id: uuid.UUID
    one_entry: bool
    created_at: datetime
    file_count: int
    states: list[FileState]
    #: Those of the page, with the cursors of the neighbouring pages.
    files: list[FileProgress] = field(default_factory=list)
    next: str | None = None
    previous: str | None = None
    #: Numbers of entries by status, and of those that wait for a person by what they lack.
    statuses: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    #: The number of entries that were received after the deadline.
    late: int = 0
    #: The number of other entries that files of this batch gave when they were uploaded before.
    sent_before: int = 0
    #: The number of files that somebody else uploaded before, whose entries this person may not see.
    sent_by_others: int = 0
    #: The number of entries that a person expects.
    expected_entries: int | None = None
    #: The date of receipt that a person gave for the batch.
    received_on: date | None = None
    #: The values that are used where a page has none.
    defaults: DefaultsView | None = None
    #: Seconds since the upload. They are not part of the state that is shown.
    seconds: float = field(default=0.0, repr=False)

    @property
    def reading(self) -> bool:
        """Whether files are still to come or to be read."""
        uploaded = sum(not file.derived for file in self.states)
        return uploaded < self.file_count or any(file.working for file in self.states)

    @property
    def working(self) -> bool:
        """Whether the batch changes without an action by a person."""
        return self.reading or (self.defaults is not None and self.defaults.applying)

    @property
    def submissions_found(self) -> int:
        """The number of entries that were found."""
        return sum(self.statuses.values())

    @property
    def unqueued(self) -> bool:
        """Whether a file is stored but not queued yet."""
        return any(file.unqueued for file in self.states)

    @property
    def files_total(self) -> int:
        """The number of files that were uploaded."""
        typed = sum(not file.handed_in and not file.derived for file in self.states)
        return max(self.file_count - typed, sum(file.handed_in for file in self.states))

    @property
    def files_done(self) -> int:
        """The number of those that are finished, read or not."""
        return sum(file.handed_in and not file.working for file in self.states)

    @property
    def unread(self) -> list[FileState]:
        """The files that could not be read."""
        return [file for file in self.states if file.handed_in and file.unread]

    @property
    def share_done(self) -> float:
        """How much of all files is read, from 0 to 1."""
        return sum(file.share_done for file in self.states if file.handed_in) / max(self.files_total, 1)

    @property
    def minutes_left(self) -> int | None:
        """Estimated minutes for reading the rest, at the pace so far; None if that is unknown.

        A pace needs many pages or files, and some time; a batch that has taken very long had pauses.
        """
        many = self.files_total > 2 or any((file.page_count or 0) > 8 for file in self.states)
        if not (self.reading and many and _PACE[0] <= self.seconds <= _PACE[1] and self.share_done > _LEAST_SHARE):
            return None
        return round(self.seconds * (1 - self.share_done) / self.share_done / 60)

    @property
    def by_status(self) -> dict[str, int]:
        """Numbers of entries by status, in the order in which statuses are reached."""
        return {status.value: self.statuses[status] for status in SubmissionStatus if status in self.statuses}

    @property
    def counts(self) -> SubmissionCounts:
        """Numbers of entries by progress, and what is missing in those that wait for a person."""
        complete, waiting, under_way = (
            sum(self.statuses.get(status, 0) for status in of)
            for of in (COMPLETE_STATUSES, WAITING_STATUSES, READING_STATUSES)
        )
        received = self.submissions_found
        return SubmissionCounts(
            received=received,
            complete=complete,
            waiting=waiting,
            under_way=under_way,
            out=received - complete - waiting - under_way,
            missing=dict(self.missing),
        )


#: Files of one page.
FILES_SHOWN = 50
#: Entries of one page in all, and of one file at least; the list of entries has the others.
_ENTRIES_SHOWN = 300
_ENTRIES_OF_FILE = 10


def batch_progress(
    context: Context, person: Person, batch_id: uuid.UUID, cursor: str | None = None, limit: int = FILES_SHOWN
) -> BatchProgress:
    """Return the progress of a batch, with one page of its files.

    Raises NotFoundError if it does not exist or this person may not see it, InvalidInputError for a bad cursor.
    """
    with context.database.reading() as session:
        batch = visible_batch(session, person, batch_id)
        states = _states(session, batch_id)
        here = (Upload.batch_id == batch_id, Upload.status != UploadStatus.SUPERSEDED.value)
        query = select(Upload, Upload.id, _PLACE).where(*here)
        rows, after, before = fetch_page(session, query, _PLACE, Upload.id, cursor, limit, newest_first=False)
        statuses, late = _numbers(session, batch_id)
        return built(
            BatchProgress,
            batch,
            states=states,
            files=_files(session, person, [row.Upload for row in rows], {state.id: state for state in states}),
            next=after,
            previous=before,
            statuses=statuses,
            missing=_missing(session, batch_id),
            late=late,
            **_sent_before(session, person, batch_id),
            defaults=defaults_of(session, batch_id),
            seconds=(utcnow() - batch.created_at).total_seconds(),
        )


_STANDS = Submission.status != SubmissionStatus.SUPERSEDED.value
#: The place of a file among those of its batch, as a text that sorts in the order of the numbers.
_PLACE: Label[str] = func.lpad(cast(Upload.position, String), 10, "0").label("place")


def _states(session: Session, batch_id: uuid.UUID) -> list[FileState]:
    entries = (
        select(
            Submission.upload_id,
            func.count().label("found"),
            func.count().filter(Submission.status.in_(READING_STATUSES)).label("reading"),
            func.count().filter(Submission.status == SubmissionStatus.FAILED.value).label("failed"),
        )
        .where(Submission.batch_id == batch_id, _STANDS)
        .group_by(Submission.upload_id)
        .subquery()
    )
    pages = case((PageRange.outlines.is_not(None), PageRange.last_page - PageRange.first_page + 1), else_=0)
    read = (
        select(PageRange.upload_id, func.sum(pages).label("pages_read"))
        .join(Upload, Upload.id == PageRange.upload_id)
        .where(Upload.batch_id == batch_id)
        .group_by(PageRange.upload_id)
        .subquery()
    )
    rows = session.execute(
        select(
            Upload.id,
            Upload.original_filename.label("filename"),
            Upload.status,
            Upload.error_code,
            Upload.page_count,
            read.c.pages_read,
            Upload.split_id.is_not(None).label("derived"),
            and_(Upload.status == UploadStatus.STORED.value, Upload.enqueued_at.is_(None)).label("unqueued"),
            *(func.coalesce(entries.c[name], 0).label(name) for name in ("found", "reading", "failed")),
        )
        .outerjoin(entries, entries.c.upload_id == Upload.id)
        .outerjoin(read, read.c.upload_id == Upload.id)
        .where(Upload.batch_id == batch_id, Upload.status != UploadStatus.SUPERSEDED.value)
        .order_by(_PLACE, Upload.id)
    )
    return [FileState(**row._asdict()) for row in rows]


def _numbers(session: Session, batch_id: uuid.UUID) -> tuple[dict[str, int], int]:
    """Return the numbers of entries by status, and of late ones."""
    rows = session.execute(
        select(Submission.status, func.count(), func.count().filter(is_late()))
        .where(Submission.batch_id == batch_id, _STANDS)
        .group_by(Submission.status)
    ).all()
    return {row[0]: row[1] for row in rows}, sum(row[2] for row in rows)


def _missing(session: Session, batch_id: uuid.UUID) -> dict[str, int]:
    """Return what the entries that wait for a person lack, the most frequent first."""
    name = func.unnest(Submission.missing_fields).label("name")
    waiting = (
        select(name).where(Submission.batch_id == batch_id, Submission.status.in_(WAITING_STATUSES)).subquery()
    )
    rows = session.execute(
        select(waiting.c.name, func.count()).group_by(waiting.c.name).order_by(func.count().desc(), waiting.c.name)
    )
    return {row[0]: row[1] for row in rows}


def _sent_before(session: Session, person: Person, batch_id: uuid.UUID) -> dict[str, int]:
    """Return the number of other batches' entries that files of this one gave before, and of hidden files."""
    first = aliased(Upload)
    here = (Upload.batch_id == batch_id, Upload.status != UploadStatus.SUPERSEDED.value)
    seen = and_(first.id == Upload.duplicate_of, visible_to(person, first.uploaded_by))
    entries = (
        select(func.count(Submission.id.distinct()))
        .select_from(Upload)
        .join(first, seen)
        .join(Submission, Submission.upload_id == first.id)
        .where(*here, _STANDS, Submission.batch_id != batch_id)
    )
    hidden = select(func.count()).where(
        *here, Upload.status == UploadStatus.DUPLICATE.value, ~select(first.id).where(seen).exists()
    )
    return {"sent_before": session.scalar(entries) or 0, "sent_by_others": session.scalar(hidden) or 0}


def _files(
    session: Session, person: Person, uploads: Sequence[Upload], states: Mapping[uuid.UUID, FileState]
) -> list[FileProgress]:
    entries = _entries(session, [upload.id for upload in uploads])
    anew = _split_anew(session, uploads)
    earlier = _earlier(session, person, {upload.duplicate_of for upload in uploads})
    return [
        built(
            FileProgress,
            upload,
            **{one.name: getattr(states[upload.id], one.name) for one in fields(FileState)},
            duplicate_of=upload.duplicate_of if upload.duplicate_of in earlier else None,
            earlier=earlier.get(upload.duplicate_of),
            split_anew=upload.id in anew,
            entries=entries.get(upload.id, []),
            notes=[FileNote.model_validate(note) for note in upload.notes],
        )
        for upload in uploads
    ]


def _split_anew(session: Session, uploads: Sequence[Upload]) -> set[uuid.UUID]:
    splits = session.scalars(
        select(UploadSplit.upload_ids).where(
            UploadSplit.batch_id.in_({upload.batch_id for upload in uploads}),
            UploadSplit.status != SplitStatus.UNDONE.value,
        )
    )
    return {upload_id for upload_ids in splits for upload_id in upload_ids}


def _earlier(
    session: Session, person: Person, upload_ids: set[uuid.UUID | None]
) -> Mapping[uuid.UUID | None, EarlierFile]:
    """Return those of the files that this person may see, with their first entries that are not superseded."""
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
        if row.entry is not None and len(file.entries) < _ENTRIES_OF_FILE:
            file.entries.append(EarlierSubmission(row.entry, row.student_name))
    return found


def _entries(session: Session, upload_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[EntryProgress]]:
    """Return the first entries of each file."""
    number = func.row_number().over(partition_by=Submission.upload_id, order_by=Submission.chunk_index)
    stand = select(Submission.id, number.label("number")).where(Submission.upload_id.in_(upload_ids), _STANDS)
    numbered = stand.subquery()
    most = max(_ENTRIES_OF_FILE, _ENTRIES_SHOWN // max(len(upload_ids), 1))
    rows = session.execute(
        select(
            *columns_of(Submission, EntryProgress),
            Submission.upload_id,
            Submission.review_reason_codes.label("reason_codes"),
            is_late().label("late"),
        )
        .join(numbered, numbered.c.id == Submission.id)
        .where(numbered.c.number <= most)
        .order_by(Submission.upload_id, Submission.chunk_index)
    )
    found: dict[uuid.UUID, list[EntryProgress]] = {}
    for row in rows:
        values = row._asdict()
        found.setdefault(values.pop("upload_id"), []).append(EntryProgress(**values))
    return found


@dataclass(frozen=True)
class BatchRow:
    id: uuid.UUID
    created_at: datetime
    file_count: int
    first_filename: str | None


def recent_batches(
    context: Context, person: Person, cursor: str | None = None, limit: int = 8
) -> RowPage[BatchRow]:
    """Return one page of the person's own batches, newest first. Raises InvalidInputError for a bad cursor."""
    first = (
        select(Upload.original_filename)
        .where(Upload.batch_id == UploadBatch.id)
        .order_by(Upload.position)
        .limit(1)
        .scalar_subquery()
    )
    query = select(
        UploadBatch.id, UploadBatch.created_at, UploadBatch.file_count, first.label("first_filename")
    ).where(UploadBatch.uploaded_by == person.id)
    with context.database.reading() as session:
        rows, after, before = fetch_page(session, query, UploadBatch.created_at, UploadBatch.id, cursor, limit)
    return RowPage([BatchRow(**row._asdict()) for row in rows], after, before)
