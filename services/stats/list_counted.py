"""The entries behind a figure: runs that its occurrences belong to, page by page."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, cast, or_, select
from sqlalchemy.orm import aliased

from core.clock import utcnow
from core.models import RunFact, Submission
from services.context import Context
from services.keyset import Page, fetch_page
from services.seasons import current_season
from services.stats.figures import Figure
from services.stats.occurrences import Origin, day_of, origins_of
from services.stats.period import Period, StatsFilter

PAGE_SIZE = 50


@dataclass(frozen=True)
class CountedRow:
    """One run, as it was counted, and the status of its entry now. Holds no value of the entry."""

    #: Of the entry.
    id: uuid.UUID
    run_id: str
    ended_at: datetime
    outcome: str
    reason: str
    profile: str | None
    language: str | None
    ocr_provider: str | None
    status: str


def list_counted(
    context: Context,
    wanted: StatsFilter,
    figure: Figure,
    within: Period | None = None,
    cursor: str | None = None,
    limit: int = PAGE_SIZE,
) -> Page[CountedRow]:
    """Return one page of the current season's runs behind a figure, the last that ended first.

    `within` is the period of the figure if it is another than that of the filters. A run is listed once, however
    many of its occurrences are counted. Raises InvalidInputError for a bad cursor.
    """
    period = within or wanted.period(utcnow().date())
    listed = aliased(RunFact)
    with context.database.session() as session:
        season_id = current_season(session).id
        query = _query(listed, wanted).where(listed.season_id == season_id, _is_behind(listed, figure, period))
        rows, after, before = fetch_page(session, query, listed.ended_at, listed.submission_id, cursor, limit)
    return Page([CountedRow(**row._asdict()) for row in rows], after, before)


def _query(listed: type[RunFact], wanted: StatsFilter) -> Select[*tuple[Any, ...]]:
    query = select(
        listed.submission_id.label("id"),
        listed.run_id,
        listed.ended_at,
        listed.outcome,
        listed.reason,
        listed.profile,
        listed.language,
        listed.ocr_provider,
        Submission.status,
    ).join(Submission, Submission.id == listed.submission_id)
    for column, value in (
        (listed.profile, wanted.profile),
        (listed.language, wanted.language),
        (listed.ocr_provider, wanted.ocr_provider),
        (listed.batch_id, wanted.batch_id),
        (listed.school_id, wanted.school_id if wanted.batch_id is None else None),
    ):
        if value is not None:
            # "" stands for what is not known, as in the counts.
            query = query.where(column.is_(None) if value == "" else column == value)
    return query


def _is_behind(listed: type[RunFact], figure: Figure, period: Period) -> ColumnElement[bool]:
    """Condition: one of the figure's occurrences belongs to the run."""
    return or_(*(_has(listed, origin, figure.keys, period) for origin in origins_of(figure.kind)))


def _has(listed: type[RunFact], origin: Origin, keys: Sequence[str | None], period: Period) -> ColumnElement[bool]:
    fits = [cast(key, Text) == value for key, value in zip(origin.keys, keys, strict=False) if value is not None]
    on = day_of(origin.at).between(period.first, period.last)
    found = select(RunFact.run_id).select_from(origin.rows).where(origin.where, origin.standing, on, *fits)
    return and_(found.where(RunFact.run_id == listed.run_id).exists())
