"""The current season, its policy and its known schools."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import NotFoundError
from core.models import School, SchoolAlias, Season
from pipeline.profiles import Forms
from pipeline.validation.characters import character_limits
from pipeline.validation.policy import Policy
from pipeline.validation.season_policy import policy_of
from services.taught_schools import taught_schools


def current_season(session: Session) -> Season:
    """Return the season that new entries belong to; create the first one, called by its year, if none exists."""
    current = select(Season).where(Season.is_current)
    season = session.scalar(current)
    if season is None:
        # Two processes of a new installation may come here at once: the second waits, and takes the first one's.
        session.execute(insert(Season).values(name=str(utcnow().year), is_current=True).on_conflict_do_nothing())
        season = session.scalars(current).one()
    return season


def shown_season(session: Session, season_id: uuid.UUID | None) -> Season:
    """Return the season that somebody looks at: the given one, else the current one. Raises NotFoundError."""
    season = current_season(session) if season_id is None else session.get(Season, season_id)
    if season is None:
        raise NotFoundError("no such season")
    return season


def season_called(session: Session, name: str) -> Season:
    """Return the season of this name. Raises NotFoundError."""
    season = session.scalar(select(Season).where(Season.name == name))
    if season is None:
        raise NotFoundError(f"no season “{name}”")
    return season


def season_policy(
    session: Session, season_id: uuid.UUID, settings: Settings, but_batch: uuid.UUID | None = None
) -> Policy:
    """Return the policy for a season's entries; those of the batch `but_batch` teach it no schools.

    Raises ConfigurationError if the season's rules are invalid.
    """
    season = session.get_one(Season, season_id)
    taught = [one.name for one in taught_schools(session, season_id, but_batch) if one.counts]
    return policy_of(settings, season.policy, school_list(session, season_id), taught)


def limits_of(
    session: Session, season_id: uuid.UUID, form: tuple[str | None, int | None], settings: Settings
) -> dict[str, int]:
    """Return {field: most characters} by the form, as key and version, and the rules of the season."""
    rules = session.get_one(Season, season_id).policy
    return character_limits(*form, policy_of(settings, rules))


def forms_in_use(session: Session, season_id: uuid.UUID) -> Forms:
    """Return the forms that the season's pages may be matched with."""
    return tuple(session.get_one(Season, season_id).form_profiles)


def school_list(session: Session, season_id: uuid.UUID) -> dict[str, list[str]]:
    """Return {name: aliases} of the season's school list."""
    rows = session.execute(
        select(School.name, SchoolAlias.alias)
        .outerjoin(SchoolAlias, SchoolAlias.school_id == School.id)
        .where(School.season_id == season_id)
        .order_by(School.name, SchoolAlias.alias)
    )
    schools: dict[str, list[str]] = {}
    for name, alias in rows:
        schools.setdefault(name, [])
        if alias is not None:
            schools[name].append(alias)
    return schools
