"""One school is one row: what lists, counts, letters and exports take for the school of an entry."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Subquery, and_, any_, func, literal, or_, select, tuple_
from sqlalchemy.orm import aliased

from core.models import School, SchoolAlias, SchoolSpelling, Season, Submission
from services.context import Context
from services.schools.school_names import changing_list, key_of


def schools_meant() -> Subquery:
    """Return the columns season_id, spelling, name and listed: the school that each spelling of a season means.

    `name` is what the school is called: its name on the list (`listed`, None where it is not there), or else the
    first of its spellings that is neither all capitals nor all small letters. Join it with `is_meant`.
    """
    other = aliased(SchoolSpelling)
    in_one_case = or_(other.spelling == func.upper(other.spelling), other.spelling == func.lower(other.spelling))
    best = (
        select(other.spelling)
        .where(other.season_id == SchoolSpelling.season_id, other.school_key == SchoolSpelling.school_key)
        .order_by(in_one_case, other.spelling)
        .limit(1)
        .correlate(SchoolSpelling)
        .scalar_subquery()
    )
    return (
        select(
            SchoolSpelling.season_id,
            SchoolSpelling.spelling,
            func.coalesce(School.name, best).label("name"),
            School.name.label("listed"),
        )
        .outerjoin(School, School.id == SchoolSpelling.school_id)
        .subquery("meant")
    )


def is_meant(meant: Subquery) -> ColumnElement[bool]:
    """Return the condition that joins `schools_meant` to entries; an entry without a school has no row there."""
    return and_(meant.c.season_id == Submission.season_id, meant.c.spelling == Submission.school_name)


def school_of(meant: Subquery) -> ColumnElement[str]:
    """Return what the school of an entry is called, "" where none is known."""
    return func.coalesce(meant.c.name, Submission.school_name, "")


def is_school(name: str) -> ColumnElement[bool]:
    """Return the condition that an entry's school is the one that a name, an alias or a spelling means."""
    one, key = aliased(SchoolSpelling), key_of(name)
    same = select(one.spelling).where(
        one.season_id == SchoolSpelling.season_id,
        one.school_key == SchoolSpelling.school_key,
        one.spelling == name,
    )
    alias = select(SchoolAlias.id).where(
        SchoolAlias.school_id == SchoolSpelling.school_id, SchoolAlias.alias_key == key
    )
    spellings = select(SchoolSpelling.season_id, SchoolSpelling.spelling).where(
        or_(SchoolSpelling.school_key == key, same.exists(), alias.exists())
    )
    meant = spellings.union(select(Season.id.label("season_id"), literal(name).label("spelling"))).cte()
    # The spellings of all seasons as an array, which is worked out first: so the index of schools is used. Else
    # the planner goes through all entries and holds each against the pairs.
    anywhere = func.array(select(meant.c.spelling).scalar_subquery())
    exactly = tuple_(Submission.season_id, Submission.school_name).in_(select(meant.c.season_id, meant.c.spelling))
    return and_(Submission.school_name == any_(anywhere), exactly)


@dataclass(frozen=True)
class Settled:
    """How many spellings a season has."""

    spellings: int


def settle_schools(context: Context) -> Settled:
    """Settle the spellings of the current season anew: abbreviations of before an upgrade, and what nobody has."""
    with context.database.session() as session, changing_list(session) as season_id:
        spellings = select(func.count()).where(SchoolSpelling.season_id == season_id)
    with context.database.session() as session:
        return Settled(session.scalar(spellings) or 0)
