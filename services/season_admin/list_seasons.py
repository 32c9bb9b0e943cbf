"""The seasons, with what they set for themselves."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import School, Season, Submission, SubmissionStatus
from services.accounts.person import Person
from services.context import Context
from services.entries.count_by_school import WAITING_STATUSES
from services.messages.season import SeasonRefused
from services.policy.rules import rules_of
from services.seasons import shown_season
from services.visibility import visible_to

_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


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


@dataclass(frozen=True)
class StillOpen:
    """What of a season is not done yet."""

    season_id: uuid.UUID
    name: str
    #: Entries that wait for a person.
    waiting: int
    #: Entries that are being read.
    under_way: int = 0


def still_open(context: Context, season_id: uuid.UUID) -> StillOpen:
    """Return what of a season is not done yet. Raises NotFoundError."""
    by_status = (
        select(Submission.status, func.count())
        .where(Submission.season_id == season_id, Submission.status.in_((*WAITING_STATUSES, *_UNDER_WAY)))
        .group_by(Submission.status)
    )
    with context.database.session() as session:
        season = shown_season(session, season_id)
        found = {row[0]: row[1] for row in session.execute(by_status)}
    waiting = sum(found.get(status, 0) for status in WAITING_STATUSES)
    return StillOpen(season_id, season.name, waiting, sum(found.values()) - waiting)


def waiting_elsewhere(context: Context, person: Person) -> list[StillOpen]:
    """Return the seasons, except the current one, in which entries that this person may see wait for a person.

    The newest season comes first.
    """
    # Season by season: joined, all that waits in the current one would be read first.
    number = (
        select(func.count())
        .where(
            Submission.season_id == Season.id,
            Submission.status.in_(WAITING_STATUSES),
            visible_to(person, Submission.owner_user_id),
        )
        .correlate(Season)
        .scalar_subquery()
        .label("number")
    )
    query = select(Season.id, Season.name, number).where(~Season.is_current).order_by(Season.created_at.desc())
    with context.database.session() as session:
        return [StillOpen(row.id, row.name, row.number) for row in session.execute(query) if row.number]


@dataclass(frozen=True)
class SeasonName:
    """A season to be chosen."""

    id: uuid.UUID
    name: str
    is_current: bool


def season_names(context: Context) -> list[SeasonName]:
    """Return every season, the current one first, then the newest."""
    columns = select(Season.id, Season.name, Season.is_current)
    with context.database.session() as session:
        rows = session.execute(columns.order_by(Season.is_current.desc(), Season.created_at.desc()))
        return [SeasonName(*row) for row in rows]
