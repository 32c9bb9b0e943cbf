"""Merge two entries of the school list that are one school."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.models import School, SchoolAlias
from services.context import Context
from services.messages.school import SchoolRefused
from services.schools.school_names import changing_list, school_named, schools_by_key


@dataclass(frozen=True)
class MergedSchools:
    """Result of a merge."""

    #: Name of the school that was removed; it is an alias now.
    merged: str
    #: Name of the school that remains.
    into: str
    #: Number of aliases that the remaining school has received.
    aliases: int


def merge_schools(context: Context, duplicate: str, into: str) -> MergedSchools:
    """Make the name and the aliases of `duplicate` aliases of `into`, and remove `duplicate` from the list.

    Both are given by their names or aliases. `into` takes the details of `duplicate` where it has
    none. Entries keep the name that is written in them. Raises NotFoundError for a school that is not on the list,
    and InvalidInputError if both are the same school.
    """
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        gone, kept = school_named(known, duplicate), school_named(known, into)
        if gone is kept:
            raise InvalidInputError(SchoolRefused.MERGED_WITH_ITSELF, name=duplicate, school=kept.name)
        result = MergedSchools(gone.name, kept.name, _move_names(session, gone, kept))
        kept.city, kept.district = kept.city or gone.city, kept.district or gone.district
        kept.email = kept.email or gone.email
        session.execute(delete(School).where(School.id == gone.id))
        return result


def _move_names(session: Session, gone: School, kept: School) -> int:
    """Give the names of one school to the other as aliases; return their number."""
    names = {gone.name_key: gone.name}
    for alias in session.scalars(select(SchoolAlias).where(SchoolAlias.school_id == gone.id)):
        names.setdefault(alias.alias_key, alias.alias)
    known = {kept.name_key, *session.scalars(select(SchoolAlias.alias_key).filter_by(school_id=kept.id))}
    moved = {key: name for key, name in names.items() if key not in known}
    session.add_all(SchoolAlias(school_id=kept.id, alias=name, alias_key=key) for key, name in moved.items())
    return len(moved)
