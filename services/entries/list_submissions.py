"""The list of entries: filtered, searched and paginated, without counting rows."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from psycopg.errors import QueryCanceled
from sqlalchemy import ColumnElement, Label, Select, func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.models import Submission, Upload
from services.accounts.person import Person
from services.context import Context
from services.entries.list_order import ListOrder
from services.entries.submission_filter import SubmissionFilter
from services.keyset import Page, fetch_page
from services.late import is_late
from services.seasons import shown_season
from services.visibility import visible_to

PAGE_SIZE = 50
#: Counting stops here, and when it has taken as long as this.
MOST_COUNTED = 10_000
#: The same where something is searched for, which takes longer an entry.
MOST_COUNTED_BY_TEXT = 1_000
_COUNTED_WITHIN = text("set local statement_timeout = '250ms'")
#: Similar entries that follow those that have what was looked for.
SIMILAR = 20


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
    season_id: uuid.UUID | None = None,
) -> Page[SubmissionRow]:
    """Return one page of a season's entries, of the current one unless another is given.

    Raises InvalidInputError for a bad cursor, NotFoundError for a season that does not exist.
    """
    name = order.name_column
    column: InstrumentedAttribute[datetime] | Label[str] = Submission.created_at if name is None else name
    with context.database.session() as session:
        query = _query(session, person, shown_season(session, season_id).id, wanted)
        query = query if name is None else query.add_columns(name)
        rows, after, before = fetch_page(session, query, column, Submission.id, cursor, limit, order.descending)
        names = _filenames(session, {row.upload_id for row in rows})
    return Page([_row(row, names[row.upload_id]) for row in rows], after, before)


@dataclass(frozen=True)
class Found:
    """How many entries a filter finds."""

    number: int
    #: Whether there are more than that.
    more: bool = False


def count_found(
    context: Context, person: Person, wanted: SubmissionFilter, season_id: uuid.UUID | None = None
) -> Found | None:
    """Count the entries of a filter, up to MOST_COUNTED; None where even that would take long."""
    most = MOST_COUNTED_BY_TEXT if wanted.searches else MOST_COUNTED
    try:
        with context.database.session() as session:
            some = select(Submission.id).where(*_of(session, person, shown_season(session, season_id).id, wanted))
            session.execute(_COUNTED_WITHIN)
            number = session.scalar(select(func.count()).select_from(some.limit(most + 1).subquery())) or 0
    except OperationalError as error:
        if isinstance(error.orig, QueryCanceled):
            return None
        raise
    return Found(min(number, most), number > most)


def _of(
    session: Session, person: Person, season_id: uuid.UUID, wanted: SubmissionFilter
) -> tuple[ColumnElement[bool], ...]:
    return (
        Submission.season_id == season_id,
        visible_to(person, Submission.owner_user_id),
        *wanted.conditions(session),
    )


def list_similar(
    context: Context,
    person: Person,
    wanted: SubmissionFilter,
    found: Page[SubmissionRow],
    order: ListOrder = ListOrder.NEWEST,
    season_id: uuid.UUID | None = None,
) -> Page[SubmissionRow]:
    """Return the first of the entries that nearly have the filter's text.

    They follow those that have it: nothing is returned where `found` is not the last page of those.
    """
    if not wanted.searches or wanted.similar or found.next is not None:
        return Page([], None, None)
    similar = replace(wanted, similar=True)
    return list_submissions(context, person, similar, limit=SIMILAR, order=order, season_id=season_id)


def _query(
    session: Session, person: Person, season_id: uuid.UUID, wanted: SubmissionFilter
) -> Select[*tuple[Any, ...]]:
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
    ).where(*_of(session, person, season_id, wanted))


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
