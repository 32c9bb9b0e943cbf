"""The queue of pending revisions, oldest first."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ScalarSelect, Select, and_, func, literal, select, tuple_

from core.models import Profile, Report, ReportRevision, RevisionStatus
from core.models.leases import REVISION_HOLDS
from research.supervision.types import Issue
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Page, fetch_page
from services.seasons import current_season

PAGE_SIZE = 25
#: Counting a queue stops here.
MOST_COUNTED = 999


@dataclass(frozen=True)
class RevisionRow:
    """One line of the queue."""

    id: uuid.UUID
    created_at: datetime
    report_id: uuid.UUID
    supervision_id: uuid.UUID
    iteration: int
    report_title: str
    language: str
    issue: Issue | None
    #: Number of sources that it adds.
    sources: int
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None


def list_revisions(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> Page[RevisionRow]:
    """Return one page of the season's pending revisions. Raises InvalidInputError for a bad cursor."""
    held = and_(Profile.id == REVISION_HOLDS.owner, REVISION_HOLDS.unexpired())
    query = select(
        ReportRevision.id,
        ReportRevision.created_at,
        ReportRevision.report_id,
        ReportRevision.supervision_id,
        ReportRevision.iteration,
        ReportRevision.issue,
        REVISION_HOLDS.until.label("held_until"),
        func.cardinality(ReportRevision.source_keys).label("sources"),
        func.coalesce(func.nullif(Report.title, ""), Report.query).label("report_title"),
        Report.language,
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
    )
    with context.database.session() as session:
        query = _pending(query, current_season(session).id)
        query = query.join(Report, Report.id == ReportRevision.report_id).outerjoin(Profile, held)
        rows, after, before = fetch_page(
            session, query, ReportRevision.created_at, ReportRevision.id, cursor, limit, newest_first=False
        )
    return Page([_row(row) for row in rows], after, before)


def next_revision(
    context: Context, after: uuid.UUID | None, person_id: uuid.UUID | None, backwards: bool = False
) -> uuid.UUID | None:
    """Return the next pending revision after `after` that no other person holds, starting again from the first.

    With `backwards`, return the one before; None if there is none.
    """
    key = (ReportRevision.created_at, ReportRevision.id)
    order = [column.desc() if backwards else column.asc() for column in key]
    with context.database.session() as session:
        query = _pending(select(ReportRevision.id), current_season(session).id)
        query = query.where(REVISION_HOLDS.free_for(person_id))
        query = query.order_by(*order).limit(1)
        place = session.execute(select(*key).where(ReportRevision.id == after)).first() if after else None
        if place is not None:
            here, there = tuple_(*key), tuple_(*place)
            found: uuid.UUID | None = session.scalar(query.where(here < there if backwards else here > there))
            if found or backwards:
                return found
        first: uuid.UUID | None = session.scalar(query.where(ReportRevision.id != after) if after else query)
        return first


def _pending(
    query: Select[*tuple[Any, ...]], season_id: uuid.UUID | ScalarSelect[uuid.UUID]
) -> Select[*tuple[Any, ...]]:
    """Restrict the query to pending revisions. The status is a literal, so that the partial index is used."""
    pending = literal(RevisionStatus.PENDING.value, literal_execute=True)
    return query.where(ReportRevision.season_id == season_id, ReportRevision.status == pending)


def _counted(query: Select[*tuple[Any, ...]]) -> ScalarSelect[int]:
    return select(func.count()).select_from(query.limit(MOST_COUNTED).subquery()).scalar_subquery()


def _row(row: Any) -> RevisionRow:
    return RevisionRow(
        id=row.id,
        created_at=row.created_at,
        report_id=row.report_id,
        supervision_id=row.supervision_id,
        iteration=row.iteration,
        report_title=row.report_title,
        language=row.language,
        issue=Issue.model_validate(row.issue) if row.issue else None,
        sources=row.sources,
        held_by_id=row.held_by_id,
        held_by=row.held_by,
        held_until=row.held_until if row.held_by_id else None,
    )
