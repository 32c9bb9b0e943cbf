"""The seasons, with what they set for themselves."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import School, Season
from services.context import Context
from services.messages.season import SeasonRefused
from services.policy.rules import rules_of


@dataclass(frozen=True)
class SeasonView:
    """One season."""

    id: uuid.UUID
    name: str
    starts_on: date | None
    ends_on: date | None
    #: The one whose entries, proposals and schools the site shows.
    is_current: bool
    closed_at: datetime | None
    version: int
    #: What it sets for itself, by the keys of `services.policy.rules.Rule`.
    rules: dict[str, Any]
    schools: int

    @property
    def is_open(self) -> bool:
        """Whether files are handed in for it."""
        return self.is_current and self.closed_at is None


def list_seasons(context: Context) -> list[SeasonView]:
    """Return every season, the current one first, then the newest."""
    with context.database.session() as session:
        counted = session.execute(select(School.season_id, func.count()).group_by(School.season_id)).all()
        schools = {row[0]: row[1] for row in counted}
        seasons = session.scalars(
            select(Season).order_by(Season.is_current.desc(), Season.created_at.desc())
        ).all()
        return [_view(season, schools.get(season.id, 0)) for season in seasons]


def season_view(context: Context, season_id: uuid.UUID) -> SeasonView:
    """Return one season. Raises NotFoundError."""
    with context.database.session() as session:
        season = session.get(Season, season_id)
        if season is None:
            raise NotFoundError("no such season")
        schools = session.scalar(select(func.count(School.id)).where(School.season_id == season_id))
        return _view(season, schools or 0)


def season_named(session: Session, name: str) -> Season:
    """Return the season of a name. Raises NotFoundError."""
    season = session.scalar(select(Season).where(Season.name == name.strip()))
    if season is None:
        raise NotFoundError(SeasonRefused.NONE_OPEN)
    return season


def _view(season: Season, schools: int) -> SeasonView:
    return SeasonView(
        season.id,
        season.name,
        season.starts_on,
        season.ends_on,
        season.is_current,
        season.closed_at,
        season.version,
        rules_of(season),
        schools,
    )
