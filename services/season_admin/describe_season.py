"""Change the name and the days of a season."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from core.clock import utcnow
from core.errors import InvalidInputError
from core.models import Season, SecurityEventKind
from services.context import Context
from services.messages.season import SeasonRefused
from services.policy.change_policy import locked_season
from services.season_admin.roll_over import LONGEST_NAME
from services.security_events import record_event


@dataclass(frozen=True)
class SeasonWords:
    """What a season is called, and its first and last day."""

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
    or taken, for an end before the beginning, and for one that has come: a term of retention would be counted from
    it. A season ends by being closed.
    """
    name = " ".join(words.name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInputError(SeasonRefused.NAME_MISSING, limit=LONGEST_NAME)
    if words.starts_on and words.ends_on and words.ends_on < words.starts_on:
        raise InvalidInputError(SeasonRefused.DATES_REVERSED)
    with context.database.session() as session:
        # All, in one order, as `open_season` does; a name that is given twice at once is seen.
        session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()
        season = locked_season(session, season_id, version)
        if words.ends_on and words.ends_on != season.ends_on and words.ends_on <= utcnow().date():
            raise InvalidInputError(SeasonRefused.END_HAS_COME)
        same = select(Season.id).where(func.lower(Season.name) == name.lower(), Season.id != season.id)
        if session.scalar(same):
            raise InvalidInputError(SeasonRefused.NAME_TAKEN)
        before = season.name
        season.name, season.starts_on, season.ends_on = name, words.starts_on, words.ends_on
        season.version += 1
        record_event(session, SecurityEventKind.SEASON_DESCRIBED, actor_id=actor_id, season=name, what=before)
