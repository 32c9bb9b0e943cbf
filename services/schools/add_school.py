"""Add one school to the current season's list."""

from __future__ import annotations

from core.models import School
from services.context import Context
from services.schools.school_names import changing_list, cleaned_name, key_of, refuse_known, schools_by_key


def add_school(context: Context, name: str, city: str | None = None, district: str | None = None) -> str:
    """Add a school and return its name in the stored form.

    Raises InvalidInputError for a name that is invalid or belongs to a school of the list already.
    """
    name = cleaned_name(name)
    with context.database.session() as session, changing_list(session) as season_id:
        refuse_known(schools_by_key(session, season_id), name)
        session.add(School(season_id=season_id, name=name, name_key=key_of(name), city=city, district=district))
    return name
