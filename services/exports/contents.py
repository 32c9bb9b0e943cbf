"""What an export holds: its kinds, columns, cells and records."""

from __future__ import annotations

import csv
import fcntl
import os
import re
import shutil
import tempfile
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TextIO, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, Select, Subquery, func, select, true
from sqlalchemy.orm import Session

from core.errors import InvalidInputError, StorageError
from core.messages import LabelledEnum
from core.models import (
    COMPLETE_STATUSES,
    ExportKind,
    Season,
    SecurityEventKind,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from core.models.operations import ExportFormat
from pipeline.profiles import FieldKind, declared_fields, fields_of_kind
from pipeline.validation.policy import character_count
from services.accounts.person import Person, visible_to
from services.audit import record_event
from services.context import Context
from services.entries.listing import SubmissionFilter
from services.messages.entries import ExportRefused
from services.school_names import is_meant, schools_meant
from services.seasons import is_late

# The entries of an export, a few at a time, so that any number of them takes the same memory.


#: Entries that are read at a time.
AT_A_TIME = 200
Value: TypeAlias = str | int | float | bool | list[str] | None


@dataclass(frozen=True)
class ExportedSubmission:
    """One entry as files have it."""

    id: uuid.UUID
    #: By key of `services.exports.contents`.
    values: dict[str, Value]
    #: Its pages within the PDF at this key, both ends included; None where there is no PDF.
    pdf_key: str | None
    page_start: int
    page_end: int

    def text(self, column: str) -> str:
        """Return a value as text, "" for none; several are separated by semicolons."""
        value = self.values.get(column)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "; ".join(value) if isinstance(value, list) else str(value)


@dataclass
class ChosenSubmissions:
    """The ids of the entries that fit and that the person may see, by school, grade and name; None sees all.

    Judges and certificates get only complete entries. Superseded ones are in a table only if they are asked for.
    Each iteration chooses anew, all entries as of one moment: the first at once, however many follow.
    """

    context: Context
    person: Person | None
    season_id: uuid.UUID
    wanted: SubmissionFilter
    kind: ExportKind = ExportKind.ENTRIES
    #: How many were found so far, and whether these are all.
    number: int = field(default=0, init=False)
    is_whole: bool = field(default=False, init=False)

    def __iter__(self) -> Iterator[uuid.UUID]:
        with self.context.database.session() as session:
            found = session.scalars(self._query(session).execution_options(yield_per=AT_A_TIME))
            first = list(islice(found, AT_A_TIME))
            self.number, self.is_whole = len(first), len(first) < AT_A_TIME
            yield from first
            # No transaction stays open for as long as the file is written.
            rest = found.all()
        self.number, self.is_whole = len(first) + len(rest), True
        yield from rest

    def _query(self, session: Session) -> Select[uuid.UUID]:
        schools = _schools(self.season_id)
        return (
            select(Submission.id)
            .join(schools, schools.c.spelling == _SPELLING)
            .where(
                Submission.season_id == self.season_id,
                true() if self.person is None else visible_to(self.person, Submission.owner_user_id),
                _fit_for(self.kind, self.wanted),
                *self.wanted.conditions(session),
            )
            .order_by(schools.c.name, Submission.grade, Submission.student_name, Submission.id)
        )


_SPELLING = func.coalesce(Submission.school_name, "")


def _schools(season_id: uuid.UUID) -> Subquery:
    """Return the columns spelling and name of the schools of a season's entries, in the order of the names.

    Each spelling is looked up in the index of schools. In this order, the entries of the first school are found
    and sorted without those of the others.
    """
    first = select(func.min(_SPELLING).label("spelling")).where(Submission.season_id == season_id)
    written = first.cte("written", recursive=True)
    following = first.where(written.c.spelling < _SPELLING).correlate(written).scalar_subquery()
    written = written.union_all(select(following).where(written.c.spelling.is_not(None)))
    meant = schools_meant()
    of_season = (meant.c.season_id == season_id) & (meant.c.spelling == written.c.spelling)
    name = func.coalesce(meant.c.name, written.c.spelling).label("name")
    return select(written.c.spelling, name).outerjoin(meant, of_season).order_by(name).subquery("schools")


def _fit_for(kind: ExportKind, wanted: SubmissionFilter) -> ColumnElement[bool]:
    if kind is not ExportKind.ENTRIES:
        return Submission.status.in_(COMPLETE_STATUSES)
    return true() if wanted.status else Submission.status != SubmissionStatus.SUPERSEDED.value


def read_submissions(context: Context, ids: Iterable[uuid.UUID]) -> Iterator[ExportedSubmission]:
    """Yield the entries in the order of their ids; one that was deleted meanwhile is left out."""
    zone, rest = context.settings.office_zone, iter(ids)
    while some := list(islice(rest, AT_A_TIME)):
        with context.database.reading() as session:
            rows = {row.id: row for row in session.execute(_query(some))}
            fields = _fields(session, some)
        yield from (_entry(rows[key], fields[key], zone) for key in some if key in rows)


def _query(ids: Sequence[uuid.UUID]) -> Any:
    meant = schools_meant()
    return (
        select(
            Submission.id,
            Submission.status,
            Submission.needs_review,
            Submission.review_reason_codes,
            Submission.missing_fields,
            Submission.confidence,
            Submission.page_start,
            Submission.page_end,
            Submission.batch_id,
            Submission.profile,
            Submission.student_name,
            Submission.school_name,
            Submission.grade,
            Submission.language,
            Submission.received_on,
            is_late().label("late"),
            Upload.created_at.label("received"),
            Upload.original_filename,
            Upload.pdf_key,
            meant.c.listed.label("listed_school"),
        )
        .join(Upload, Upload.id == Submission.upload_id)
        .outerjoin(meant, is_meant(meant))
        .where(Submission.id.in_(ids))
    )


def _fields(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, dict[str, Value]]:
    found: dict[uuid.UUID, dict[str, Value]] = defaultdict(dict)
    rows = session.execute(
        select(SubmissionField.submission_id, SubmissionField.name, SubmissionField.value).where(
            SubmissionField.submission_id.in_(ids)
        )
    )
    for submission_id, name, value in rows:
        found[submission_id][name] = value
    return found


def _characters(fields: dict[str, Value]) -> int | None:
    essays = [str(value) for name in fields_of_kind(FieldKind.ESSAY) if (value := fields.get(name))]
    return sum(map(character_count, essays)) if essays else None


def _entry(row: Row[Any], fields: dict[str, Value], zone: ZoneInfo) -> ExportedSubmission:
    # For a form without these fields, what lists show in their place.
    shown: dict[str, Value] = {
        "student_name": row.student_name,
        "school_name": row.school_name,
        "grade": row.grade,
    }
    own: dict[str, Value] = {
        SubmissionColumn.ID: str(row.id),
        SubmissionColumn.STATUS: row.status,
        SubmissionColumn.NEEDS_REVIEW: row.needs_review,
        SubmissionColumn.REASONS: list(row.review_reason_codes),
        SubmissionColumn.MISSING: list(row.missing_fields),
        SubmissionColumn.CONFIDENCE: None if row.confidence is None else round(row.confidence, 4),
        SubmissionColumn.FILE: row.original_filename,
        SubmissionColumn.PAGES: f"{row.page_start}-{row.page_end}"
        if row.page_end > row.page_start
        else str(row.page_start),
        SubmissionColumn.BATCH: str(row.batch_id),
        SubmissionColumn.FORM: row.profile,
        SubmissionColumn.LANGUAGE: row.language,
        SubmissionColumn.RECEIVED: row.received.astimezone(zone).isoformat(),
        SubmissionColumn.RECEIVED_ON: row.received_on.isoformat(),
        SubmissionColumn.LATE: row.late,
        SubmissionColumn.LISTED_SCHOOL: row.listed_school,
        SubmissionColumn.CHARACTERS: _characters(fields),
    }
    return ExportedSubmission(row.id, {**shown, **fields, **own}, row.pdf_key, row.page_start, row.page_end)


def record_made(
    session: Session, actor_id: uuid.UUID | None, what: str, rows: int, season: Season, wanted: SubmissionFilter
) -> None:
    """Add the event in the caller's transaction: `what` is kind and format, `rows` the number of entries.

    The record outlives the entries: it says that text was searched for, but not which.
    """
    record_event(
        session,
        SecurityEventKind.EXPORTED,
        actor_id=actor_id,
        what=what,
        rows=rows,
        season=season.name,
        filters=[name if name == "text" else f"{name}={value}" for name, value in wanted.to_json().items()],
    )


#: The formats of each kind; the first is the one that is offered.
FORMATS: Mapping[ExportKind, tuple[ExportFormat, ...]] = {
    ExportKind.ENTRIES: (ExportFormat.XLSX, ExportFormat.CSV, ExportFormat.JSON_LINES, ExportFormat.ZIP),
    ExportKind.JUDGES: (ExportFormat.ZIP,),
    ExportKind.CERTIFICATES: (ExportFormat.CSV,),
}
CONTENT_TYPES: Mapping[ExportFormat, str] = {
    ExportFormat.CSV: "text/csv",
    ExportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ExportFormat.JSON_LINES: "application/x-ndjson",
    ExportFormat.ZIP: "application/zip",
}


def checked_format(kind: ExportKind, format_key: str) -> ExportFormat:
    """Return the format of this key. Raises InvalidInputError if the kind has none of it."""
    if format_key not in FORMATS[kind]:
        choices = [one.value for one in FORMATS[kind]]
        raise InvalidInputError(ExportRefused.FORMAT_UNKNOWN, export_kind=kind.value, choices=choices)
    return ExportFormat(format_key)


# Names of files and folders in archives, good for every system that may unpack them.


#: What Windows allows in no name, and what a program for archives could take for a folder.
_REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_SPACE = re.compile(r"\s+")
#: Names of devices on Windows, with any ending.
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")
#: Most bytes of a part of a name; systems allow 255, and something is added.
_LONGEST = 100


def safe_name(text: str, without: str) -> str:
    """Return the text as a name of a file or folder; `without` if none of it may be in one."""
    kept = _SPACE.sub(" ", _REFUSED.sub(" ", unicodedata.normalize("NFC", text)))
    kept = "".join(character for character in kept if unicodedata.category(character) not in ("Cf", "Cs", "Co"))
    # Windows drops spaces and dots at the end; one at the beginning hides a file elsewhere.
    # Lists of files are opened as tables too.
    kept = harmless(kept.strip(" ."), "_").encode()[:_LONGEST].decode(errors="ignore").strip(" .")
    return (f"_{kept}" if _DEVICES.match(kept) else kept) or without


FOLDER = "exports"
#: How long a file is kept after it was asked for.
KEPT = timedelta(days=7)


def key_of(export_id: uuid.UUID) -> str:
    """Return the key of an export's file."""
    return f"{FOLDER}/{export_id}"


def scratch_of(context: Context) -> Path:
    """Return where files are written before they are stored."""
    return context.settings.var_dir / "unfinished-exports"


@contextmanager
def scratch(context: Context) -> Iterator[Path]:
    """Yield a folder for one export, which is removed after the block. Raises StorageError if the disk is full.

    The folder is locked meanwhile, which distinguishes it from those that killed workers have left.
    """
    try:
        above = scratch_of(context)
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as held:
            with _locked(above):
                folder = Path(tempfile.mkdtemp(dir=above))
                held.enter_context(_locked(folder))
            held.callback(shutil.rmtree, folder)
            yield folder
    except OSError as exc:
        raise StorageError(f"cannot write: {exc.strerror}") from exc


def remove_abandoned(context: Context) -> int:
    """Remove what killed workers have left of unfinished exports; return the number. Raises StorageError."""
    above = scratch_of(context)
    if not above.is_dir():
        return 0
    removed = 0
    try:
        with _locked(above):
            for folder in above.iterdir():
                with suppress(BlockingIOError), _locked(folder, fcntl.LOCK_NB):
                    shutil.rmtree(folder)
                    removed += 1
    except OSError as exc:
        raise StorageError(f"cannot delete: {exc.strerror}") from exc
    return removed


@contextmanager
def _locked(folder: Path, how: int = 0) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(descriptor)


class SubmissionColumn(LabelledEnum):
    """What is known of an entry beside the values of its fields."""

    ID = "id", "Entry"
    STATUS = "status", "Status"
    NEEDS_REVIEW = "needs_review", "Needs a person"
    REASONS = "reasons", "Reasons"
    MISSING = "missing", "Missing fields"
    CONFIDENCE = "confidence", "Confidence"
    FILE = "file", "File"
    PAGES = "pages", "Pages"
    BATCH = "batch", "Upload"
    FORM = "form", "Form"
    LANGUAGE = "language", "Language"
    RECEIVED = "received", "Received"
    RECEIVED_ON = "received_on", "Date received"
    LATE = "late", "Late"
    LISTED_SCHOOL = "listed_school", "School on the list"
    CHARACTERS = "characters", "Characters in the essay"


_LISTED = SubmissionColumn.LISTED_SCHOOL.value
#: Of a list of certificates: what is printed on one.
CERTIFICATE_COLUMNS = ("id", "student_name", "school_name", "grade", "teacher_name")


def known_columns() -> tuple[str, ...]:
    """Return every key, in the order in which files have them unless somebody chose another."""
    own = tuple(SubmissionColumn)
    schools = fields_of_kind(FieldKind.SCHOOL)
    # The school on the list follows the one that was read.
    fields = [key for name in declared_fields() for key in (name, *([_LISTED] if name in schools[:1] else []))]
    return (own[0].value, *fields, *(column.value for column in own[1:] if column.value not in fields))


def checked_columns(chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen columns once each, all of them for none. Raises InvalidInputError for an unknown one."""
    known = known_columns()
    if unknown := sorted(set(chosen) - set(known)):
        raise InvalidInputError(ExportRefused.COLUMN_UNKNOWN, names=unknown)
    return tuple(dict.fromkeys(chosen)) or known


# Values as cells of tables for spreadsheet programs: nothing that somebody wrote is a formula there.


#: What begins a formula, in every form that NFKC turns into one of `=+-@`.
_FORMULA = re.compile("[=＝﹦⁼₌⩵⩶+＋﹢⁺₊﬩\\-－﹣@＠﹫]")
#: Where programs split rows. A file is written with commas, but where numbers have decimal commas programs split
#: at semicolons, and quotes beside a comma protect nothing there.
_SEPARATORS = frozenset(",;|\t\n\r\x0b\x0c\x85\u2028\u2029")
#: What a program may drop from the beginning of a cell: quotes, spaces, marks without a letter, letters without a
#: shape; and whatever else cannot be printed, such as the marks of right-to-left writing.
_DROPPED = frozenset('"\u115f\u1160\u3164\uffa0\u2800')
_DROPPED_KINDS = frozenset({"Mn", "Me", "Zs"})
#: A cell that begins with one of these is marked in any case (OWASP, "CSV Injection").
_BLANKS = ("\t", "\r", "\n")
#: What XML 1.0 does not allow, so that no workbook can hold it.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: The most characters that Excel takes in a cell.
LONGEST = 32_767


class CsvTable:
    """Rows as CSV (RFC 4180): every text in quotes and harmless, numbers as they are."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)

    def write(self, cells: Iterable[str | int | float | Decimal | None]) -> None:
        """Write one row; None is an empty cell."""
        self._writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in cells])


def harmless(value: str, mark: str = "'") -> str:
    """Return the text with a mark before everything that a spreadsheet would take for a formula: at the beginning,
    and after each character at which one or another program splits a row.
    """
    edges = [0, *sorted(_starts(value)), len(value)]
    return mark.join(value[start:end] for start, end in pairwise(edges))


def _starts(value: str) -> set[int]:
    """Return where a cell would begin that has to be marked, whichever separator is used."""
    starts = {0} if value.startswith(_BLANKS) else set()
    for found in _FORMULA.finditer(value):
        start = found.start()
        while start and _may_be_dropped(value[start - 1]):
            start -= 1
        if not start or value[start - 1] in _SEPARATORS:
            starts.add(start)
    return starts


def _may_be_dropped(character: str) -> bool:
    return character not in _SEPARATORS and (
        character in _DROPPED or not character.isprintable() or unicodedata.category(character) in _DROPPED_KINDS
    )


def for_workbook(value: str) -> str:
    """Return the text as a cell of a workbook can hold it: characters that XML lacks are replaced, the end of a
    text that is too long is cut off, marked by "…". Nothing splits such a cell, so only its beginning is marked:
    an essay whose lines begin with dashes stays as it is.
    """
    kept = _NOT_XML.sub("\ufffd", f"'{value}" if 0 in _starts(value) else value)
    return kept if len(kept) <= LONGEST else f"{kept[: LONGEST - 1]}…"
