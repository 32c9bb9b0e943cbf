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
from services.schools.school_names import changing_list, key_of, schools_by_key


@dataclass(frozen=True)
class ImportedSchool:
    """What became of one row of the file."""

    #: Line of the file where the row begins, counted from 1.
    line: int
    #: The school's name on the list.
    name: str
    #: Whether the school is new; one that was on the list keeps its name and takes the file's details.
    is_new: bool
    #: Aliases of the row that are new.
    aliases: tuple[str, ...]
    #: Aliases of the row that the school had already.
    known_aliases: tuple[str, ...]


@dataclass(frozen=True)
class ImportedSchools:
    """Result of an import, by row of the file."""

    schools: tuple[ImportedSchool, ...]

    @property
    def added(self) -> int:
        """Number of new schools."""
        return sum(school.is_new for school in self.schools)

    @property
    def known(self) -> int:
        """Number of schools that were on the list already."""
        return len(self.schools) - self.added

    @property
    def aliases(self) -> int:
        """Number of new aliases."""
        return sum(len(school.aliases) for school in self.schools)


def import_schools(context: Context, text: str) -> ImportedSchools:
    """Add the schools of a CSV (see `read_school_file`) in one transaction. No school is removed from the list.

    Raises InvalidInputError, naming lines, if a row is invalid or an alias belongs to another school.
    """
    rows = read_school_file(text)
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        refuse([problem for row in rows for problem in _problems(known, row)])
        return ImportedSchools(tuple(_imported(session, season_id, known, row) for row in rows))


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


def _imported(
    session: Session, season_id: uuid.UUID, known: Mapping[str, School], row: SchoolRow
) -> ImportedSchool:
    """Write the row's school with its aliases; its details where the file has these columns."""
    found = known.get(key_of(row.name))
    school = found or School(season_id=season_id, name=row.name, name_key=key_of(row.name))
    for column, value in row.details.items():
        setattr(school, column, value)
    session.add(school)
    session.flush()
    written = {alias: _alias_written(session, school.id, alias) for alias in row.aliases}
    return ImportedSchool(
        row.line,
        school.name,
        found is None,
        tuple(alias for alias, is_new in written.items() if is_new),
        tuple(alias for alias, is_new in written.items() if not is_new),
    )


def _alias_written(session: Session, school_id: uuid.UUID, alias: str) -> bool:
    """Write the alias; return whether it is new."""
    row = insert(SchoolAlias).values(school_id=school_id, alias=alias, alias_key=key_of(alias))
    return session.execute(row.on_conflict_do_nothing().returning(SchoolAlias.id)).first() is not None
