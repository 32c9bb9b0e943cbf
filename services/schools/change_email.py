"""Change where letters to a school go."""

from __future__ import annotations

from services.context import Context
from services.schools.school_file import school_email
from services.schools.school_names import locked_season, school_named, schools_by_key


def change_email(context: Context, name: str, email: str) -> str:
    """Give the school this address, or none for an empty text; return its name.

    Raises NotFoundError for a school that is not on the list, InvalidInputError for what is no address.
    """
    kept = school_email(email)
    with context.database.session() as session:
        school = school_named(schools_by_key(session, locked_season(session)), name)
        school.email = kept
        return school.name
