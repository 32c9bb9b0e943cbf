"""Import the school list of the current season from CSV: all of it, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.models import School, SchoolAlias
from services.context import Context
from services.schools.school_file import SchoolRow, read_school_file, refuse
from services.schools.school_names import key_of, schools_by_key
from services.seasons import current_season


@dataclass(frozen=True)
class ImportedSchools:
    """What an import came to."""

    #: Schools that the list did not have.
    added: int
    #: Schools that it had; they keep their name and take the file's city, district and aliases.
    known: int
    #: Aliases that it did not have.
    aliases: int


def import_schools(context: Context, text: str) -> ImportedSchools:
    """Add the schools of a CSV (see `read_school_file`) in one transaction; none of them is taken off the list.

    Raises InvalidInputError, naming lines, where a row cannot be used or an alias means another school.
    """
    rows = read_school_file(text)
    with context.database.session() as session:
        season_id = current_season(session).id
        known = schools_by_key(session, season_id)
        refuse([problem for row in rows for problem in _problems(known, row)])
        added = sum(key_of(row.name) not in known for row in rows)
        aliases = 0
        for row in rows:
            school = _written(session, season_id, known.get(key_of(row.name)), row)
            aliases += sum(_alias_written(session, school.id, alias) for alias in row.aliases)
    return ImportedSchools(added, len(rows) - added, aliases)


def _problems(known: Mapping[str, School], row: SchoolRow) -> list[str]:
    """What of a row contradicts the list as it is."""
    meant = [(name, known.get(key_of(name))) for name in (row.name, *row.aliases)]
    return [
        f"line {row.line}: “{name}” already means “{owner.name}”"
        for name, owner in meant
        if owner is not None and owner.name_key != key_of(row.name)
    ]


def _written(session: Session, season_id: uuid.UUID, known: School | None, row: SchoolRow) -> School:
    """The row's school, with the city and district of the file where it says any."""
    school = known or School(season_id=season_id, name=row.name, name_key=key_of(row.name))
    for column, value in row.details.items():
        setattr(school, column, value)
    session.add(school)
    session.flush()
    return school


def _alias_written(session: Session, school_id: uuid.UUID, alias: str) -> bool:
    """Whether the alias is new."""
    row = insert(SchoolAlias).values(school_id=school_id, alias=alias, alias_key=key_of(alias))
    return session.execute(row.on_conflict_do_nothing().returning(SchoolAlias.id)).first() is not None
