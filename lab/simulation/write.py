"""Write a drawn season into a database, by COPY."""

from __future__ import annotations

import json
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Any, cast

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from lab.simulation.rows import Keys, Row, heads, rows_of, strata
from lab.simulation.season import Season

#: Entries whose rows are held in memory at one time.
_CHUNK = 2_000
_CURRENT = """
update public.seasons set is_current = true
where id = %(id)s and not exists (select from public.seasons where is_current)
"""


def write(connection: psycopg.Connection[Any], season: Season, season_id: uuid.UUID | None = None) -> Counter[str]:
    """Write all rows of a season in one transaction and return their number by table.

    They go into the season with this id, or into a new one. Tables and columns that the database does not have are
    left out. Counts are not made; `services.stats.counts` makes them.

    Raises psycopg.Error where a row does not fit, as when the same seed was written before.
    """
    columns = _columns(connection)
    written: Counter[str] = Counter()
    with connection.transaction():
        _copy(connection, columns, heads(season, season_id), written)
        for first in range(0, len(season.entries), _CHUNK):
            part = season.entries[first : first + _CHUNK]
            rows = chain.from_iterable(rows_of(season, entry, season_id) for entry in part)
            _copy(connection, columns, rows, written)
        if season_id is None:
            _copy(connection, columns, strata(season), written)
        if season_id is None:
            connection.execute(_CURRENT, {"id": Keys(season.plan.seed)("season")})
    return written


def _columns(connection: psycopg.Connection[Any]) -> dict[str, dict[str, str]]:
    """{table: {column: type}} of the schema `public`."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    query = (
        "select table_name, column_name, udt_name from information_schema.columns where table_schema = 'public'"
    )
    for table, column, kind in connection.execute(query):
        found[table][column] = kind
    return found


def _copy(
    connection: psycopg.Connection[Any],
    columns: dict[str, dict[str, str]],
    rows: Iterable[Row],
    written: Counter[str],
) -> None:
    by_table: dict[str, list[dict[str, Any]]] = {}
    for table, row in rows:
        by_table.setdefault(table, []).append(row)
    # A table comes after those that its first row refers to.
    for table, of_table in by_table.items():
        if table not in columns:
            continue
        types = columns[table]
        names = [name for name in dict.fromkeys(chain.from_iterable(of_table)) if name in types]
        command = sql.SQL("copy public.{} ({}) from stdin").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, names))
        )
        json_columns = {name for name in names if types[name] == "jsonb"}
        with connection.cursor() as cursor, cursor.copy(command) as copy:
            for row in of_table:
                copy.write_row([_plain(row.get(name), name in json_columns) for name in names])
        written[table] += len(of_table)


def _plain(value: Any, as_json: bool) -> Any:
    return Jsonb(value, _dumps) if as_json and value is not None else value


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def season_named(connection: psycopg.Connection[Any], name: str) -> uuid.UUID | None:
    """Return the id of the season with this name; None where there is none."""
    row = connection.execute("select id from public.seasons where name = %s", [name]).fetchone()
    return None if row is None else cast(uuid.UUID, row[0])
