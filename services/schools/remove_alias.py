"""Remove an alias of a school of the current season."""

from __future__ import annotations

from sqlalchemy import delete

from core.errors import NotFoundError
from core.models import SchoolAlias
from services.context import Context
from services.messages.school import SchoolRefused
from services.schools.school_names import changing_list, key_of, school_named, schools_by_key


def remove_alias(context: Context, school: str, alias: str) -> str:
    """Remove an alias of a school, given by its name or an alias, and return the school's name.

    Raises NotFoundError for a school that is not on the list or that has no such alias.
    """
    with context.database.session() as session, changing_list(session) as season_id:
        wanted = school_named(schools_by_key(session, season_id), school)
        gone = session.scalar(
            delete(SchoolAlias)
            .where(SchoolAlias.school_id == wanted.id, SchoolAlias.alias_key == key_of(alias))
            .returning(SchoolAlias.id)
        )
        if gone is None:
            raise NotFoundError(SchoolRefused.NO_SUCH_ALIAS, name=alias, school=wanted.name)
        return wanted.name
