"""Import the school list of the current season from CSV, completely or not at all."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import School, SchoolAlias
from services.context import Context
from services.messages.school import SchoolRefused
from services.schools.school_file import SchoolRow, read_school_file, refuse
from services.schools.school_names import key_of, locked_season, schools_by_key


@dataclass(frozen=True)
class ImportedSchools:
    """Result of an import, in numbers."""

    #: New schools.
    added: int
    #: Schools already on the list; they keep their name and take the file's city, district and aliases.
    known: int
    #: New aliases.
    aliases: int


def import_schools(context: Context, text: str) -> ImportedSchools:
    """Add the schools of a CSV (see `read_school_file`) in one transaction. No school is removed from the list.

    Raises InvalidInputError, naming lines, if a row is invalid or an alias belongs to another school.
    """
    rows = read_school_file(text)
    with context.database.session() as session:
        season_id = locked_season(session)
        known = schools_by_key(session, season_id)
        refuse([problem for row in rows for problem in _problems(known, row)])
        added = sum(key_of(row.name) not in known for row in rows)
        aliases = 0
        for row in rows:
            school = _written(session, season_id, known.get(key_of(row.name)), row)
            aliases += sum(_alias_written(session, school.id, alias) for alias in row.aliases)
    return ImportedSchools(added, len(rows) - added, aliases)


def _problems(known: Mapping[str, School], row: SchoolRow) -> list[Message]:
    """Return messages for names of a row that belong to another school of the list."""
    meant = [(name, known.get(key_of(name))) for name in (row.name, *row.aliases)]
    return [
        Message.of(
            SchoolRefused.IN_LINE,
            line=row.line,
            problem=Message.of(SchoolRefused.MEANS_ANOTHER, name=name, school=owner.name),
        )
        for name, owner in meant
        if owner is not None and owner.name_key != key_of(row.name)
    ]


def _written(session: Session, season_id: uuid.UUID, known: School | None, row: SchoolRow) -> School:
    """Write and return the row's school, with city and district where the file has these columns."""
    school = known or School(season_id=season_id, name=row.name, name_key=key_of(row.name))
    for column, value in row.details.items():
        setattr(school, column, value)
    session.add(school)
    session.flush()
    return school


def _alias_written(session: Session, school_id: uuid.UUID, alias: str) -> bool:
    """Write the alias; return whether it is new."""
    row = insert(SchoolAlias).values(school_id=school_id, alias=alias, alias_key=key_of(alias))
    return session.execute(row.on_conflict_do_nothing().returning(SchoolAlias.id)).first() is not None
