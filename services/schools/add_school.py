"""Add one school to the current season's list."""

from __future__ import annotations

from core.errors import InvalidInputError
from core.models import School
from services.context import Context
from services.messages.school import SchoolRefused
from services.schools.school_names import cleaned_name, key_of, schools_by_key
from services.seasons import current_season


def add_school(context: Context, name: str, city: str | None = None, district: str | None = None) -> str:
    """Add a school and return its name in the stored form.

    Raises InvalidInputError for a name that is invalid or belongs to a school of the list already.
    """
    name = cleaned_name(name)
    with context.database.session() as session:
        season_id = current_season(session).id
        if (known := schools_by_key(session, season_id).get(key_of(name))) is not None:
            raise InvalidInputError(SchoolRefused.MEANS_ANOTHER, name=name, school=known.name)
        session.add(School(season_id=season_id, name=name, name_key=key_of(name), city=city, district=district))
    return name
