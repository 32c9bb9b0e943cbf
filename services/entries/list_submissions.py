"""The list of entries: filtered, searched and paginated, without counting rows."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Label, Select, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.models import Submission, Upload
from services.accounts.person import Person
from services.context import Context
from services.entries.list_order import ListOrder
from services.entries.submission_filter import SubmissionFilter
from services.keyset import Page, fetch_page
from services.late import is_late
from services.seasons import current_season
from services.visibility import visible_to

PAGE_SIZE = 50


@dataclass(frozen=True)
class SubmissionRow:
    """One line of the list."""

    id: uuid.UUID
    status: str
    needs_review: bool
    reason_codes: list[str]
    confidence: float | None
    student_name: str | None
    school_name: str | None
    grade: str | None
    filename: str
    page_start: int
    page_end: int
    created_at: datetime
    batch_id: uuid.UUID
    missing_fields: list[str]
    profile: str | None
    language: str | None
    received_on: date
    late: bool


def list_submissions(
    context: Context,
    person: Person,
    wanted: SubmissionFilter,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
    order: ListOrder = ListOrder.NEWEST,
) -> Page[SubmissionRow]:
    """Return one page of the current season's entries. Raises InvalidInputError for a bad cursor."""
    name = order.name_column
    column: InstrumentedAttribute[datetime] | Label[str] = Submission.created_at if name is None else name
    with context.database.session() as session:
        query = _query(person, current_season(session).id, wanted)
        query = query if name is None else query.add_columns(name)
        rows, after, before = fetch_page(session, query, column, Submission.id, cursor, limit, order.descending)
        names = _filenames(session, {row.upload_id for row in rows})
    return Page([_row(row, names[row.upload_id]) for row in rows], after, before)


def _query(person: Person, season_id: uuid.UUID, wanted: SubmissionFilter) -> Select[*tuple[Any, ...]]:
    return select(
        Submission.id,
        Submission.upload_id,
        Submission.status,
        Submission.needs_review,
        Submission.review_reason_codes,
        Submission.confidence,
        Submission.student_name,
        Submission.school_name,
        Submission.grade,
        Submission.page_start,
        Submission.page_end,
        Submission.created_at,
        Submission.batch_id,
        Submission.missing_fields,
        Submission.profile,
        Submission.language,
        Submission.received_on,
        is_late().label("late"),
    ).where(
        Submission.season_id == season_id,
        visible_to(person, Submission.owner_user_id),
        *wanted.conditions(),
    )


def _filenames(session: Session, upload_ids: set[uuid.UUID]) -> dict[uuid.UUID, str]:
    rows = session.execute(select(Upload.id, Upload.original_filename).where(Upload.id.in_(upload_ids)))
    return {row.id: row.original_filename for row in rows}


def _row(row: Any, filename: str) -> SubmissionRow:
    return SubmissionRow(
        id=row.id,
        status=row.status,
        needs_review=row.needs_review,
        reason_codes=list(row.review_reason_codes),
        confidence=row.confidence,
        student_name=row.student_name,
        school_name=row.school_name,
        grade=row.grade,
        filename=filename,
        page_start=row.page_start,
        page_end=row.page_end,
        created_at=row.created_at,
        batch_id=row.batch_id,
        missing_fields=list(row.missing_fields),
        profile=row.profile,
        language=row.language,
        received_on=row.received_on,
        late=row.late,
    )
