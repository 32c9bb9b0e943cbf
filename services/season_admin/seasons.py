"""Seasons for admins: opened, closed, described, rolled over."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func, insert, literal, select
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError, existing
from core.models import (
    PolicyChangeKind,
    School,
    SchoolAlias,
    Season,
    SecurityEventKind,
    Submission,
    SubmissionStatus,
)
from core.plain_data import built
from services.accounts.person import Person, visible_to
from services.audit import record_event
from services.context import Context
from services.entries.listing import WAITING_STATUSES
from services.messages.office import SeasonRefused
from services.policy import OF_ONE_SEASON, locked_season, next_change, rules_of, write_rules


@dataclass(frozen=True)
class SeasonWords:
    """A season's name, and its first and last day."""

    name: str
    starts_on: date | None = None
    ends_on: date | None = None


def describe_season(
    context: Context,
    actor_id: uuid.UUID | None,
    season_id: uuid.UUID,
    words: SeasonWords,
    version: int | None = None,
) -> None:
    """Give the season this name and these days.

    Raises NotFoundError, ConflictError if the season has changed, and InvalidInputError for a name that is missing
    or taken, for an end before the beginning, and for an end that has passed: a term of retention would be counted
    from it. A season ends by being closed.
    """
    name = " ".join(words.name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInputError(SeasonRefused.NAME_MISSING, limit=LONGEST_NAME)
    if words.starts_on and words.ends_on and words.ends_on < words.starts_on:
        raise InvalidInputError(SeasonRefused.DATES_REVERSED)
    with context.database.session() as session:
        # All, in a fixed order, as in `open_season`, so that two equal names at once are noticed.
        session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()
        season = locked_season(session, season_id, version)
        if words.ends_on and words.ends_on != season.ends_on and words.ends_on <= utcnow().date():
            raise InvalidInputError(SeasonRefused.END_HAS_COME)
        namesake = select(Season.id).where(func.lower(Season.name) == name.lower(), Season.id != season.id)
        if session.scalar(namesake):
            raise InvalidInputError(SeasonRefused.NAME_TAKEN)
        before = season.name
        season.name, season.starts_on, season.ends_on = name, words.starts_on, words.ends_on
        season.version += 1
        record_event(session, SecurityEventKind.SEASON_DESCRIBED, actor_id=actor_id, season=name, what=before)


_UNDER_WAY = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)


@dataclass(frozen=True)
class SeasonView:
    id: uuid.UUID
    name: str
    starts_on: date | None
    ends_on: date | None
    #: The one whose entries, proposals and schools the site shows.
    is_current: bool
    closed_at: datetime | None
    version: int
    #: Its own rules, by the keys of `services.policy.Rule`.
    rules: dict[str, Any]
    schools: int

    @property
    def is_open(self) -> bool:
        """Whether it takes uploads."""
        return self.is_current and self.closed_at is None


def list_seasons(context: Context) -> list[SeasonView]:
    """Return every season, the current one first, then the newest."""
    with context.database.reading() as session:
        counted = session.execute(select(School.season_id, func.count()).group_by(School.season_id)).all()
        schools = {row[0]: row[1] for row in counted}
        seasons = session.scalars(
            select(Season).order_by(Season.is_current.desc(), Season.created_at.desc())
        ).all()
        return [_view(season, schools.get(season.id, 0)) for season in seasons]


def season_view(context: Context, season_id: uuid.UUID) -> SeasonView:
    """Return one season. Raises NotFoundError."""
    with context.database.reading() as session:
        season = existing(session.get(Season, season_id), "no such season")
        schools = session.scalar(select(func.count(School.id)).where(School.season_id == season_id))
        return _view(season, schools or 0)


def season_named(session: Session, name: str) -> Season:
    """Return the season of a name. Raises NotFoundError."""
    season = existing(session.scalar(select(Season).where(Season.name == name.strip())), SeasonRefused.NONE_OPEN)
    return season


def _view(season: Season, schools: int) -> SeasonView:
    return built(SeasonView, season, rules=rules_of(season), schools=schools)


@dataclass(frozen=True)
class StillOpen:
    """The unfinished entries of a season."""

    season_id: uuid.UUID
    name: str
    #: Entries that wait for a person.
    waiting: int
    #: Entries that are being read.
    under_way: int = 0


def still_open(context: Context, season: SeasonView) -> StillOpen:
    """Return the unfinished entries of a season."""
    by_status = (
        select(Submission.status, func.count())
        .where(Submission.season_id == season.id, Submission.status.in_((*WAITING_STATUSES, *_UNDER_WAY)))
        .group_by(Submission.status)
    )
    with context.database.reading() as session:
        found = {row[0]: row[1] for row in session.execute(by_status)}
    waiting = sum(found.get(status, 0) for status in WAITING_STATUSES)
    return StillOpen(season.id, season.name, waiting, sum(found.values()) - waiting)


def waiting_elsewhere(context: Context, person: Person) -> list[StillOpen]:
    """Return the seasons, except the current one, in which entries that this person may see wait for a person.

    The newest season comes first.
    """
    # Season by season: a join would first read all that waits in the current one.
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
    with context.database.reading() as session:
        return [StillOpen(row.id, row.name, row.number) for row in session.execute(query) if row.number]


@dataclass(frozen=True)
class SeasonName:
    id: uuid.UUID
    name: str
    is_current: bool


def season_names(context: Context) -> list[SeasonName]:
    """Return every season, the current one first, then the newest."""
    columns = select(Season.id, Season.name, Season.is_current)
    with context.database.reading() as session:
        rows = session.execute(columns.order_by(Season.is_current.desc(), Season.created_at.desc()))
        return [SeasonName(*row) for row in rows]


LONGEST_NAME = 100


def roll_over(
    context: Context, actor_id: uuid.UUID | None, season_id: uuid.UUID, name: str, version: int | None = None
) -> uuid.UUID:
    """Make and open a season with the schools and rules of this one, which is closed if it is open; return its id.

    Accounts belong to no season and stay as they are. Raises NotFoundError, ConflictError if the season has
    changed, and InvalidInputError for a name that is missing or taken.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInputError(SeasonRefused.NAME_MISSING, limit=LONGEST_NAME)
    with context.database.session() as session:
        # All, in a fixed order, as in `open_season`, so that two equal names at once are noticed.
        session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()
        season = locked_season(session, season_id, version)
        if session.scalar(select(Season.id).where(func.lower(Season.name) == name.lower())):
            raise InvalidInputError(SeasonRefused.NAME_TAKEN)
        following = Season(name=name, starts_on=utcnow().date(), version=1)
        write_rules(following, {key: value for key, value in rules_of(season).items() if key not in OF_ONE_SEASON})
        session.add(following)
        session.flush()
        _copy_schools(session, season.id, following.id)
        after = {"season": str(following.id)}
        session.add(next_change(season, PolicyChangeKind.ROLLED_OVER, {"season": None}, after, actor_id))
        session.flush()
        make_current(session, following, actor_id)
        return following.id


def _copy_schools(session: Session, from_id: uuid.UUID, to_id: uuid.UUID) -> None:
    session.execute(
        insert(School).from_select(
            ["season_id", "name", "name_key", "city", "district", "email"],
            select(literal(to_id), School.name, School.name_key, School.city, School.district, School.email).where(
                School.season_id == from_id
            ),
        )
    )
    copied = aliased(School)
    session.execute(
        insert(SchoolAlias).from_select(
            ["school_id", "alias", "alias_key"],
            select(copied.id, SchoolAlias.alias, SchoolAlias.alias_key)
            .join(School, School.id == SchoolAlias.school_id)
            .join(copied, (copied.name_key == School.name_key) & (copied.season_id == to_id))
            .where(School.season_id == from_id),
        )
    )


# Open and close seasons. At most one is open; the one opened last is the current one, open or closed.


def close_season(
    context: Context, actor_id: uuid.UUID | None, season_id: uuid.UUID, version: int | None = None
) -> None:
    """Close the season: it takes no more uploads, but its work continues and its entries are decided as before.

    It ends today unless its end was set to an earlier day; its term of retention is counted from that. Raises
    NotFoundError, and ConflictError if it is closed already or has changed.
    """
    with context.database.session() as session:
        season = locked_season(session, season_id, version)
        if season.closed_at is not None:
            raise ConflictError(SeasonRefused.IS_CLOSED, season=season.name)
        _close(session, season, actor_id)


def open_season(
    context: Context, actor_id: uuid.UUID | None, season_id: uuid.UUID, version: int | None = None
) -> None:
    """Open a season, again or in place of the current one, which is closed.

    An end that has passed is removed, so that no term of retention runs. Raises NotFoundError, and ConflictError
    if it is open already or has changed.
    """
    with context.database.session() as session:
        # All, in a fixed order: two people who open different seasons at once wait for each other.
        session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()
        season = locked_season(session, season_id, version)
        if season.is_current and season.closed_at is None:
            raise ConflictError(SeasonRefused.IS_OPEN)
        make_current(session, season, actor_id)


def make_current(session: Session, season: Season, actor_id: uuid.UUID | None) -> None:
    """Open a season, and close the current one if that is another; the caller has locked the season."""
    current = session.scalar(select(Season).where(Season.is_current, Season.id != season.id).with_for_update())
    if current is not None:
        if current.closed_at is None:
            _close(session, current, actor_id)
        current.is_current = False
        # At any moment only one row may be the current one.
        session.flush()
    before = _state(season)
    season.is_current, season.closed_at = True, None
    if season.ends_on is not None and season.ends_on <= utcnow().date():
        season.ends_on = None
    session.add(next_change(season, PolicyChangeKind.OPENED, before, _state(season), actor_id))
    record_event(session, SecurityEventKind.SEASON_OPENED, actor_id=actor_id, season=season.name)
    session.flush()


def _close(session: Session, season: Season, actor_id: uuid.UUID | None) -> None:
    before, now = _state(season), utcnow()
    season.closed_at = now
    season.ends_on = min(season.ends_on, now.date()) if season.ends_on else now.date()
    if season.starts_on and season.ends_on < season.starts_on:
        season.ends_on = season.starts_on
    session.add(next_change(season, PolicyChangeKind.CLOSED, before, _state(season), actor_id))
    record_event(session, SecurityEventKind.SEASON_CLOSED, actor_id=actor_id, season=season.name)
    session.flush()


def _state(season: Season) -> dict[str, Any]:
    return {
        "is_open": season.is_current and season.closed_at is None,
        "ends_on": season.ends_on.isoformat() if season.ends_on else None,
    }
