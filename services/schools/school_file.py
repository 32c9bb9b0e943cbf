"""Read a school list from CSV text, every row checked before any is used."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import InvalidInputError
from services.schools.school_names import cleaned_name, key_of

COLUMNS = ("name", "aliases", "city", "district")
_ALIAS_SEPARATOR = ";"
#: Bad rows that one message names; the others are counted.
_MOST_NAMED = 10
#: Key of the cells beyond the last column.
_BEYOND = "\0"


@dataclass(frozen=True)
class SchoolRow:
    """One school as the file has it."""

    #: Line of the file where the row begins, from 1.
    line: int
    name: str
    aliases: tuple[str, ...]
    #: `city` and `district` where the file has the column; None for an empty cell.
    details: Mapping[str, str | None]


def read_school_file(text: str) -> list[SchoolRow]:
    """The rows of a CSV with the columns name, aliases (separated by `;`), city, district; only name is required.

    Empty lines are passed over. Raises InvalidInputError, naming each bad row by its line, for a missing or
    unknown column, a row without a name or with too many cells, a name that is too long or cannot be printed, and
    a name that belongs to two schools of the file.
    """
    reader = csv.DictReader(io.StringIO(text), restkey=_BEYOND, strict=True)
    problems: list[str] = []
    try:
        reader.fieldnames = _columns(reader.fieldnames or ())
        rows = list(_rows(reader, problems))
    except csv.Error as exc:
        raise InvalidInputError(f"line {reader.reader.line_num}: this is not CSV ({exc})") from exc
    refuse(problems + _twice(rows))
    return rows


def refuse(problems: Sequence[str]) -> None:
    """Raise InvalidInputError with the problems of a file, a line each, where there are any."""
    if not problems:
        return
    more = len(problems) - _MOST_NAMED
    told = [*problems[:_MOST_NAMED], *([f"and {more} more"] if more > 0 else [])]
    raise InvalidInputError("nothing was imported; correct these lines first:\n  " + "\n  ".join(told))


def _columns(header: Sequence[str]) -> list[str]:
    columns = [column.strip().casefold() for column in header]
    if "name" not in columns:
        raise InvalidInputError(
            "line 1: the school list has no column `name`; the first line must read " + ",".join(COLUMNS)
        )
    unknown = [column for column in columns if column not in COLUMNS]
    if unknown or len(set(columns)) < len(columns):
        raise InvalidInputError(
            f"line 1: the columns may be {', '.join(COLUMNS)}, each once; found {', '.join(columns)}"
        )
    return columns


def _rows(reader: csv.DictReader[str], problems: list[str]) -> Iterator[SchoolRow]:
    """The good rows; what is wrong with the others is added to `problems`."""
    for cells in reader:
        texts = _texts(cells)
        if not any(text.strip() for text in texts):
            continue
        # `line_num` is where a row ends: a cell in quotes may hold line ends.
        line = reader.line_num - sum(text.count("\n") for text in texts)
        try:
            yield _row(line, cells)
        except InvalidInputError as error:
            problems.append(f"line {line}: {error.detail}")


def _texts(cells: Mapping[str, str | list[str] | None]) -> list[str]:
    return [value if isinstance(value, str) else ",".join(value or ()) for value in cells.values()]


def _row(line: int, cells: Mapping[str, str | None]) -> SchoolRow:
    if _BEYOND in cells:
        raise InvalidInputError("more cells than columns; put a name with a comma in quotes")
    aliases = (cells.get("aliases") or "").split(_ALIAS_SEPARATOR)
    return SchoolRow(
        line,
        cleaned_name(cells.get("name") or ""),
        tuple(cleaned_name(alias) for alias in aliases if alias.strip()),
        {column: (cells[column] or "").strip() or None for column in ("city", "district") if column in cells},
    )


def _twice(rows: Sequence[SchoolRow]) -> list[str]:
    """Names and aliases that stand for two schools of the file."""
    problems: list[str] = []
    names: dict[str, SchoolRow] = {}
    for row in rows:
        first = names.setdefault(key_of(row.name), row)
        if first is not row:
            problems.append(f"line {row.line}: “{row.name}” is on line {first.line} already")
    owners = dict(names)
    for row in rows:
        for alias in row.aliases:
            owner = owners.setdefault(key_of(alias), row)
            if key_of(owner.name) != key_of(row.name):
                problems.append(f"line {row.line}: “{alias}” already means “{owner.name}” (line {owner.line})")
    return problems
