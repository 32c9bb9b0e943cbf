"""Add an alias, another written form of its name, to a school of the current season."""

from __future__ import annotations

from core.models import SchoolAlias
from services.context import Context
from services.schools.school_names import (
    changing_list,
    cleaned_name,
    key_of,
    refuse_known,
    school_named,
    schools_by_key,
)


def add_alias(context: Context, school: str, alias: str) -> str:
    """Add an alias to a school, given by its name or another alias, and return the school's name.

    Raises NotFoundError for a school that is not on the list, and InvalidInputError for an alias that is invalid
    or belongs to a school already.
    """
    alias = cleaned_name(alias)
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        wanted = school_named(known, school)
        refuse_known(known, alias)
        session.add(SchoolAlias(school_id=wanted.id, alias=alias, alias_key=key_of(alias)))
        return wanted.name
