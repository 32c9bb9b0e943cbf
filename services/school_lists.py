"""Lists of schools: read from a file and imported."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from core.errors import FileTooLargeError, InvalidInputError
from core.mail import is_address
from core.messages import Message
from core.models import School, SchoolAlias, SecurityEventKind
from services.audit import record_change, record_changes
from services.context import Context
from services.messages.office import SchoolRefused
from services.school_names import changing_list, cleaned_name, key_of, schools_by_key


def told_of(school: School) -> dict[str, Any]:
    """Return what is recorded of a school."""
    return {key: getattr(school, key) for key in ("name", *_DETAILS)}


def record_school(
    session: Session, actor_id: uuid.UUID | None, name: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    """Record a change of the school that is, or was, called `name`."""
    record_change(session, SecurityEventKind.SCHOOL_CHANGED, before, after, actor_id=actor_id, school=name)


@dataclass(frozen=True)
class ImportedSchool:
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


def import_schools(context: Context, text: str, actor_id: uuid.UUID | None = None) -> ImportedSchools:
    """Add the schools of a CSV (see `read_school_file`) in one transaction. No school is removed from the list.

    Raises InvalidInputError, naming lines, if a row is invalid or an alias belongs to another school; BusyError.
    """
    rows = read_school_file(text)
    with context.database.session() as session, changing_list(session) as season_id:
        known = schools_by_key(session, season_id)
        refuse_file_problems([problem for row in rows for problem in _problems(known, row)])
        return _imported(session, season_id, known, rows, actor_id)


def _problems(known: Mapping[str, School], row: SchoolFileRow) -> list[Message]:
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
    session: Session,
    season_id: uuid.UUID,
    known: Mapping[str, School],
    rows: Sequence[SchoolFileRow],
    actor_id: uuid.UUID | None,
) -> ImportedSchools:
    """Write the schools with their aliases, in as many statements for ten rows as for thousands.

    The list is locked meanwhile. A school that was on it takes the details for which the file has columns.
    """
    of_list = (
        select(SchoolAlias.school_id, SchoolAlias.alias_key).join(School).where(School.season_id == season_id)
    )
    there = {(row.school_id, row.alias_key) for row in session.execute(of_list)}
    new, changed, aliases = (list[dict[str, object]]() for _ in range(3))
    done, told = [], []
    for row in rows:
        key = key_of(row.name)
        found = known.get(key)
        school_id = uuid.uuid4() if found is None else found.id
        if found is None:
            values = {"id": school_id, "season_id": season_id, "name": row.name, "name_key": key}
            new.append({**dict.fromkeys(_DETAILS), **values, **row.details})
        elif row.details:
            changed.append({"id": school_id, **row.details})
        written: dict[str, bool] = {}
        for alias in row.aliases:
            place = (school_id, key_of(alias))
            if place not in there:
                there.add(place)
                aliases.append({"school_id": school_id, "alias": alias, "alias_key": place[1]})
                written[alias] = True
            written.setdefault(alias, False)
        spellings = [alias for alias, is_new in written.items() if is_new]
        name, before = (row.name, {}) if found is None else (found.name, told_of(found))
        after = {"name": name, **before, **row.details, "spellings": spellings or None}
        told.append((before, after, {"school": name}))
        done.append(
            ImportedSchool(
                row.line,
                name,
                found is None,
                tuple(spellings),
                tuple(alias for alias, is_new in written.items() if not is_new),
            )
        )
    for statement, of_rows in ((insert(School), new), (update(School), changed), (insert(SchoolAlias), aliases)):
        if of_rows:
            session.execute(statement, of_rows)
    record_changes(session, SecurityEventKind.SCHOOL_CHANGED, told, actor_id=actor_id)
    return ImportedSchools(tuple(done))


# Read a school list from CSV text; all rows are checked before any is used.


COLUMNS = ("name", "aliases", "city", "district", "email")
_DETAILS = ("city", "district", "email")
_ALIAS_SEPARATOR = ";"
#: Most bytes of a file; 10,000 schools need fewer.
MOST_BYTES = 2 * 1024 * 1024
#: Most schools of a file: the list is locked while they are written, and nothing can be uploaded meanwhile.
MOST_SCHOOLS = 10_000
#: Limit of invalid rows that a message names; the others are only counted.
_MOST_NAMED = 10
#: Key of the cells after the last column.
_BEYOND = "\0"


@dataclass(frozen=True)
class SchoolFileRow:
    """One school in the file."""

    #: Line of the file where the row begins, counted from 1.
    line: int
    name: str
    aliases: tuple[str, ...]
    #: `city`, `district` and `email`, if the file has the column; None for an empty cell.
    details: Mapping[str, str | None]


def school_text(data: bytes) -> str:
    """Return the text of a file. Raises FileTooLargeError, and InvalidInputError if it is not UTF-8."""
    if len(data) > MOST_BYTES:
        raise FileTooLargeError("school list")
    try:
        # Spreadsheet programs put a byte order mark before UTF-8.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise InvalidInputError(SchoolRefused.NOT_UTF8) from exc
    if "\0" in text:
        raise InvalidInputError(SchoolRefused.NOT_UTF8)
    return text


def read_school_file(text: str) -> list[SchoolFileRow]:
    """Return the rows of a CSV with the columns name, aliases (separated by `;`), city, district, email.

    Only name is required. Empty lines are skipped. Raises InvalidInputError, naming each invalid row by its line,
    for a missing or unknown column, a row without a name or with too many cells, a name that is too long or
    unprintable, an invalid e-mail address, a name that belongs to two schools of the file, and too many schools.
    """
    reader = csv.DictReader(io.StringIO(text), restkey=_BEYOND, strict=True)
    problems: list[Message] = []
    try:
        reader.fieldnames = _columns(reader.fieldnames or ())
        filled = _filled(reader)
        rows = list(_rows(islice(filled, MOST_SCHOOLS), problems))
        if more := sum(1 for _ in filled):
            raise InvalidInputError(SchoolRefused.TOO_MANY_ROWS, limit=MOST_SCHOOLS, count=MOST_SCHOOLS + more)
    except csv.Error as exc:
        raise InvalidInputError(SchoolRefused.NOT_CSV, line=reader.reader.line_num, technical=str(exc)) from exc
    refuse_file_problems(problems + _twice(rows))
    return rows


def refuse_file_problems(problems: Sequence[Message]) -> None:
    """Raise InvalidInputError with the problems of a file, one on each line, if there are any."""
    if not problems:
        return
    more = len(problems) - _MOST_NAMED
    named = [*problems[:_MOST_NAMED], *([Message.of(SchoolRefused.AND_MORE, count=more)] if more > 0 else [])]
    raise InvalidInputError(SchoolRefused.BAD_LINES, problems=named)


def _columns(header: Sequence[str]) -> list[str]:
    columns = [column.strip().casefold() for column in header]
    if "name" not in columns:
        raise InvalidInputError(SchoolRefused.NO_NAME_COLUMN, choices=list(COLUMNS))
    unknown = [column for column in columns if column not in COLUMNS]
    if unknown or len(set(columns)) < len(columns):
        raise InvalidInputError(SchoolRefused.COLUMNS, choices=list(COLUMNS), names=columns)
    return columns


_Cells = Mapping[str, str | None]


def _filled(reader: csv.DictReader[str]) -> Iterator[tuple[int, _Cells]]:
    """Yield the rows with any text, and the line where each begins."""
    for cells in reader:
        texts = [value if isinstance(value, str) else ",".join(value or ()) for value in cells.values()]
        if any(text.strip() for text in texts):
            # `line_num` is where a row ends: a cell in quotes may hold line ends.
            yield reader.line_num - sum(text.count("\n") for text in texts), cells


def _rows(filled: Iterable[tuple[int, _Cells]], problems: list[Message]) -> Iterator[SchoolFileRow]:
    """Yield the valid rows; append a message for each invalid one to `problems`."""
    for line, cells in filled:
        try:
            yield _row(line, cells)
        except InvalidInputError as error:
            problems.append(Message.of(SchoolRefused.IN_LINE, line=line, problem=error.told))


def _row(line: int, cells: _Cells) -> SchoolFileRow:
    if _BEYOND in cells:
        raise InvalidInputError(SchoolRefused.TOO_MANY_CELLS)
    aliases = (cells.get("aliases") or "").split(_ALIAS_SEPARATOR)
    return SchoolFileRow(
        line,
        cleaned_name(cells.get("name") or ""),
        tuple(cleaned_name(alias) for alias in aliases if alias.strip()),
        _details(cells),
    )


def _details(cells: _Cells) -> dict[str, str | None]:
    found = {column: (cells[column] or "").strip() or None for column in _DETAILS if column in cells}
    if "email" in found:
        found["email"] = school_email(found["email"])
    return found


def school_email(text: str | None) -> str | None:
    """Return an e-mail address in its stored form, None for none. Raises InvalidInputError for an invalid one."""
    kept = (text or "").strip() or None
    if kept is not None and not is_address(kept):
        raise InvalidInputError(SchoolRefused.NO_EMAIL)
    return kept


def _twice(rows: Sequence[SchoolFileRow]) -> list[Message]:
    """Return messages for names and aliases that belong to two schools of the file."""
    problems: list[Message] = []
    names: dict[str, SchoolFileRow] = {}
    for row in rows:
        first = names.setdefault(key_of(row.name), row)
        if first is not row:
            problems.append(Message.of(SchoolRefused.TWICE, line=row.line, name=row.name, first=first.line))
    owners = dict(names)
    for row in rows:
        for alias in row.aliases:
            owner = owners.setdefault(key_of(alias), row)
            if key_of(owner.name) != key_of(row.name):
                problems.append(
                    Message.of(
                        SchoolRefused.ALIAS_TWICE, line=row.line, name=alias, school=owner.name, first=owner.line
                    )
                )
    return problems
