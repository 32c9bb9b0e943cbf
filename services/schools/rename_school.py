"""Rename a school of the list; its former name becomes an alias, so that entries that have it are still known."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.models import School, SchoolAlias
from services.schools.school_names import changing_list, cleaned_name, key_of, locked_season, schools_by_key


def rename_school(session: Session, school_id: uuid.UUID, name: str) -> bool:
    """Rename the school in the caller's transaction; False if it is gone or the name means another school.

    Raises InvalidInputError for a name that cannot be one.
    """
    cleaned = cleaned_name(name)
    with changing_list(session) as season_id:
        owner = schools_by_key(session, season_id).get(key_of(cleaned))
        school = session.get(School, school_id)
        if school is None or (owner is not None and owner.id != school_id):
            return False
        _forget_alias(session, school_id, cleaned)
        if school.name_key != key_of(cleaned):
            session.add(SchoolAlias(school_id=school_id, alias=school.name, alias_key=school.name_key))
        school.name, school.name_key = cleaned, key_of(cleaned)
    return True


def restore_school(session: Session, school_id: uuid.UUID, old: str, new: str) -> None:
    """Give the school its old name back, unless it has been renamed or removed since."""
    school = session.get(School, school_id)
    if school is None or school.name_key != key_of(new) or not rename_school(session, school_id, old):
        return
    session.flush()
    if key_of(old) != key_of(new):
        with changing_list(session):
            _forget_alias(session, school_id, new)


def _forget_alias(session: Session, school_id: uuid.UUID, name: str) -> None:
    session.execute(
        delete(SchoolAlias).where(SchoolAlias.school_id == school_id, SchoolAlias.alias_key == key_of(name))
    )


def listed_school(session: Session, name: str) -> School | None:
    """Return the school of the list that has this very name; a name that is an alias is none."""
    return session.scalar(
        select(School).where(School.season_id == locked_season(session), School.name_key == key_of(name))
    )
