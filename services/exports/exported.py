"""The entries of an export, a few at a time, so that any number of them takes the same memory."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, select, true
from sqlalchemy.orm import Session

from core.models import COMPLETE_STATUSES, ExportKind, Submission, SubmissionField, SubmissionStatus, Upload
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind
from pipeline.validation.characters import character_count
from services.accounts.person import Person
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.exports.columns import SubmissionColumn
from services.late import is_late
from services.schools.same_school import is_meant, school_of, schools_meant
from services.visibility import visible_to

#: Entries that are read at a time.
AT_A_TIME = 200
Value: TypeAlias = str | int | float | bool | list[str] | None


@dataclass(frozen=True)
class ExportedSubmission:
    """One entry as files have it."""

    id: uuid.UUID
    #: By key of `services.exports.columns`.
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


def submission_ids(
    session: Session,
    person: Person | None,
    season_id: uuid.UUID,
    wanted: SubmissionFilter,
    kind: ExportKind = ExportKind.ENTRIES,
) -> list[uuid.UUID]:
    """Return the entries that fit and that the person may see, by school, grade and name; None sees all.

    Judges and certificates have complete entries alone. What was superseded is in a table only if it is asked for.
    """
    meant = schools_meant()
    order = (school_of(meant), Submission.grade, Submission.student_name, Submission.id)
    query = (
        select(Submission.id)
        .outerjoin(meant, is_meant(meant))
        .where(
            Submission.season_id == season_id,
            true() if person is None else visible_to(person, Submission.owner_user_id),
            _fit_for(kind, wanted),
            *wanted.conditions(session),
        )
    )
    return list(session.scalars(query.order_by(*order)))


def _fit_for(kind: ExportKind, wanted: SubmissionFilter) -> ColumnElement[bool]:
    if kind is not ExportKind.ENTRIES:
        return Submission.status.in_(COMPLETE_STATUSES)
    return true() if wanted.status else Submission.status != SubmissionStatus.SUPERSEDED.value


def read_submissions(context: Context, ids: Sequence[uuid.UUID]) -> Iterator[ExportedSubmission]:
    """Yield the entries in the order of their ids; one that is gone meanwhile is left out."""
    zone = context.settings.office_zone
    for start in range(0, len(ids), AT_A_TIME):
        some = ids[start : start + AT_A_TIME]
        with context.database.session() as session:
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
    # Of a form that has no fields of these names, what lists show in their place.
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
