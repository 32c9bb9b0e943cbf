"""Names and aliases of the current season's schools: their stored form, and look-up by name."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.models import School, SchoolAlias
from pipeline.extraction.values.text import plain
from services.messages.school import SchoolRefused

#: Limit of characters in a name or alias, as in the database.
MAX_NAME = 200

key_of = plain


def cleaned_name(text: str) -> str:
    """Return a name or alias with single spaces. Raises InvalidInputError if it is empty, long or unprintable."""
    name = " ".join(text.split())
    if not key_of(name):
        raise InvalidInputError(SchoolRefused.NO_NAME)
    if len(name) > MAX_NAME:
        raise InvalidInputError(SchoolRefused.NAME_TOO_LONG, limit=MAX_NAME, count=len(name))
    if not name.isprintable():
        raise InvalidInputError(SchoolRefused.NOT_PRINTABLE, name=ascii(name)[1:-1])
    return name


def schools_by_key(session: Session, season_id: uuid.UUID) -> dict[str, School]:
    """Return a season's schools by the keys of their names and aliases; a name has precedence over an alias."""
    schools = session.scalars(select(School).where(School.season_id == season_id)).all()
    by_id = {school.id: school for school in schools}
    aliases = session.execute(
        select(SchoolAlias.alias_key, SchoolAlias.school_id)
        .where(SchoolAlias.school_id.in_(by_id))
        .order_by(SchoolAlias.alias_key, SchoolAlias.school_id)
    )
    return {
        **{row.alias_key: by_id[row.school_id] for row in aliases},
        **{school.name_key: school for school in schools},
    }
