"""Begin the season that follows another: people, schools and rules stay, entries do not."""

from __future__ import annotations

import uuid

from sqlalchemy import func, insert, literal, select
from sqlalchemy.orm import Session, aliased

from core.clock import utcnow
from core.errors import InvalidInputError
from core.models import PolicyChangeKind, School, SchoolAlias, Season
from services.context import Context
from services.messages.season import SeasonRefused
from services.policy.change_policy import locked_season, next_change
from services.policy.rules import OF_ONE_SEASON, rules_of, write_rules
from services.season_admin.open_and_close import make_current

LONGEST_NAME = 100


def roll_over(
    context: Context,
    actor_id: uuid.UUID | None,
    season_id: uuid.UUID,
    name: str,
    version: int | None = None,
) -> uuid.UUID:
    """Make and open a season with the schools and rules of this one, which is closed if it is open; return its id.

    Accounts belong to no season and stay as they are. Raises NotFoundError, ConflictError if the season has
    changed, and InvalidInputError for a name that is missing or taken.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInputError(SeasonRefused.NAME_MISSING, limit=LONGEST_NAME)
    with context.database.session() as session:
        # All, in one order, as `open_season` does; a name that is given twice at once is seen.
        session.execute(select(Season.id).order_by(Season.id).with_for_update()).all()
        season = locked_season(session, season_id, version)
        if session.scalar(select(Season.id).where(func.lower(Season.name) == name.lower())):
            raise InvalidInputError(SeasonRefused.NAME_TAKEN)
        following = Season(name=name, starts_on=utcnow().date(), version=1)
        write_rules(following, {key: value for key, value in rules_of(season).items() if key not in OF_ONE_SEASON})
        session.add(following)
        session.flush()
        _copy_schools(session, season.id, following.id)
        told = {"season": str(following.id)}
        session.add(next_change(season, PolicyChangeKind.ROLLED_OVER, {"season": None}, told, actor_id))
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
