"""A person's exports, and every export for those who administer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, select, true

from core.errors import NotFoundError
from core.messages import Message
from core.models import Export, Profile, Season
from services.accounts.person import Person
from services.context import Context
from services.entries.submission_filter import SubmissionFilter
from services.exports.stored import KEPT
from services.keyset import Page, fetch_page

PAGE_SIZE = 50


@dataclass(frozen=True)
class ExportView:
    """One export."""

    id: uuid.UUID
    kind: str
    format: str
    wanted: SubmissionFilter
    columns: list[str]
    status: str
    season: str
    requested_by: str
    rows_total: int | None
    rows_done: int
    byte_size: int | None
    error: Message | None
    created_at: datetime
    finished_at: datetime | None
    #: When its file is removed.
    kept_until: datetime

    @property
    def filename(self) -> str:
        """The name under which it is downloaded."""
        return f"{self.kind}-{self.created_at:%Y-%m-%d}-{str(self.id)[:8]}.{self.format}"

    @property
    def working(self) -> bool:
        """Whether something may still change by itself."""
        return self.status in ("queued", "running")


def list_exports(
    context: Context, person: Person, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[ExportView]:
    """Return one page, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        rows, after, before = fetch_page(session, _query(person), Export.created_at, Export.id, cursor, limit)
    return Page([_view(row) for row in rows], after, before)


def find_export(context: Context, person: Person, export_id: uuid.UUID) -> ExportView:
    """Return one export. Raises NotFoundError if there is none that this person may see."""
    with context.database.session() as session:
        row = session.execute(_query(person).where(Export.id == export_id)).first()
    if row is None:
        raise NotFoundError("no such export for this person")
    return _view(row)


def visible_exports(person: Person) -> ColumnElement[bool]:
    """Return the condition: it is of entries, and the person's own or the person administers."""
    own = true() if person.role.may_administer else Export.requested_by == person.id
    return and_(Export.report_id.is_(None), own)


def _query(person: Person) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Export.id,
            Export.kind,
            Export.format,
            Export.filter,
            Export.columns,
            Export.status,
            Export.rows_total,
            Export.rows_done,
            Export.byte_size,
            Export.error_code,
            Export.error_params,
            Export.created_at,
            Export.finished_at,
            Season.name.label("season"),
            Profile.display_name,
            Profile.email,
        )
        .join(Season, Season.id == Export.season_id)
        .join(Profile, Profile.id == Export.requested_by)
        .where(visible_exports(person))
    )


def _view(row: Row[Any]) -> ExportView:
    return ExportView(
        id=row.id,
        kind=row.kind,
        format=row.format,
        wanted=SubmissionFilter.from_json(row.filter),
        columns=list(row.columns),
        status=row.status,
        season=row.season,
        requested_by=row.display_name or row.email,
        rows_total=row.rows_total,
        rows_done=row.rows_done,
        byte_size=row.byte_size,
        error=None if row.error_code is None else Message(row.error_code, row.error_params),
        created_at=row.created_at,
        finished_at=row.finished_at,
        kept_until=row.created_at + KEPT,
    )
