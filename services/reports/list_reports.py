"""The list of reports: filtered, searched and paginated, without counting rows."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from core.models import Profile, Report, ReportVersion
from services.accounts.person_name import name_of
from services.context import Context
from services.keyset import Page, fetch_page
from services.seasons import current_season

PAGE_SIZE = 50


@dataclass(frozen=True)
class ReportFilter:
    """Filters of the list; None does not filter."""

    status: str | None = None
    report_type: str | None = None
    tier: str | None = None
    #: Id of the person who requested the report.
    requested_by: uuid.UUID | None = None
    #: Part of the query or of the title.
    text: str | None = None


@dataclass(frozen=True)
class ReportRow:
    """One line of the list."""

    id: uuid.UUID
    status: str
    phase: str
    query: str
    title: str
    report_type: str
    target_items: int | None
    tier: str
    language: str
    origin: str
    is_sample: bool
    #: Name of the person who requested the report.
    asked_by: str
    cost_usd: Decimal
    #: Number of versions.
    versions: int
    #: Whether its text is a reading list.
    is_list: bool
    created_at: datetime


def list_reports(
    context: Context, wanted: ReportFilter, cursor: str | None = None, limit: int = PAGE_SIZE
) -> Page[ReportRow]:
    """Return one page of the season's reports, newest first. Raises InvalidInputError for a bad cursor."""
    with context.database.session() as session:
        query = _query(current_season(session).id, wanted)
        rows, after, before = fetch_page(session, query, Report.created_at, Report.id, cursor, limit)
    return Page([_row(row) for row in rows], after, before)


def _query(season_id: uuid.UUID, wanted: ReportFilter) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Report.id,
            Report.status,
            Report.phase,
            Report.query,
            Report.title,
            Report.report_type,
            Report.target_items,
            Report.tier,
            Report.language,
            Report.origin,
            Report.is_sample,
            Report.spent,
            Report.current_version,
            Report.created_at,
            name_of(Profile).label("asked_by"),
            func.coalesce(ReportVersion.document["extractive"].as_boolean(), False).label("is_list"),
        )
        .join(Profile, Profile.id == Report.requested_by)
        .outerjoin(
            ReportVersion,
            and_(ReportVersion.report_id == Report.id, ReportVersion.version_no == Report.current_version),
        )
        .where(Report.season_id == season_id, *_conditions(wanted))
    )


def _conditions(wanted: ReportFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.status:
        found.append(Report.status == wanted.status)
    if wanted.report_type:
        found.append(Report.report_type == wanted.report_type)
    if wanted.tier:
        found.append(Report.tier == wanted.tier)
    if wanted.requested_by:
        found.append(Report.requested_by == wanted.requested_by)
    if wanted.text:
        found.append(
            or_(
                Report.query.icontains(wanted.text, autoescape=True),
                Report.title.icontains(wanted.text, autoescape=True),
            )
        )
    return found


def _row(row: Any) -> ReportRow:
    values = row._asdict()
    return ReportRow(
        cost_usd=money(values.pop("spent")),
        versions=values.pop("current_version") or 0,
        **values,
    )


def money(spent: Mapping[str, Any]) -> Decimal:
    """Return the US dollars in a report's `spent`, zero if there are none."""
    try:
        return Decimal(str(spent.get("usd") or 0))
    except InvalidOperation:
        return Decimal(0)
