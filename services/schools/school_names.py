"""The names of the current season's schools: how they are kept, and which school a name means."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.models import School, SchoolAlias
from pipeline.extraction.values.text import plain

#: Characters that the database allows a name or an alias.
MAX_NAME = 200

key_of = plain


def cleaned_name(text: str) -> str:
    """A name or alias with single spaces. Raises InvalidInputError where it is empty, too long or unprintable."""
    name = " ".join(text.split())
    if not key_of(name):
        raise InvalidInputError("the school has no name")
    if len(name) > MAX_NAME:
        raise InvalidInputError(f"a school's name has at most {MAX_NAME} characters; this one has {len(name)}")
    if not name.isprintable():
        raise InvalidInputError(f"“{ascii(name)[1:-1]}” has characters that cannot be printed")
    return name


def schools_by_key(session: Session, season_id: uuid.UUID) -> dict[str, School]:
    """The schools of a season by the keys of their names and of their aliases; a name goes before an alias."""
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
