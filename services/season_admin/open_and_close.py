"""Open and close seasons. At most one is open; the one opened last is the current one, open or closed."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import ConflictError
from core.models import PolicyChangeKind, Season, SecurityEventKind
from services.context import Context
from services.messages.season import SeasonRefused
from services.policy.change_policy import locked_season, next_change
from services.security_events import record_event


def close_season(
    context: Context, actor_id: uuid.UUID | None, season_id: uuid.UUID, version: int | None = None
) -> None:
    """Close the season: nothing is handed in any more, what is under way goes on, entries are decided as before.

    It ends today unless its end was set to a day before; its term of retention is counted from there. Raises
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

    An end that has come is taken back, so that no term of retention runs. Raises NotFoundError, and ConflictError
    if it is open already or has changed.
    """
    with context.database.session() as session:
        _lock_seasons(session)
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
        # Only one row may be the current one, at any moment.
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


def _lock_seasons(session: Session) -> None:
    # All, in one order: two who open different seasons at once wait for each other.
    session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()


def _state(season: Season) -> dict[str, Any]:
    return {
        "is_open": season.is_current and season.closed_at is None,
        "ends_on": season.ends_on.isoformat() if season.ends_on else None,
    }
