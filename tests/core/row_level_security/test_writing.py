"""No client but `service_role` changes anything, and what is forbidden is an error, never no rows."""

from __future__ import annotations

from typing import LiteralString

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import ForeignKeyViolation, InsufficientPrivilege

from tests.core.row_level_security.clients import SERVICE_ROLE, UNTRUSTED, World
from tests.core.row_level_security.expected import READS, REFUSED_TO_SERVICE_ROLE

VERBS: dict[str, LiteralString] = {
    "insert": "insert into {table} default values",
    "insert a row": "insert into {table} ({column}) select {column} from {table}",
    "update": "update {table} set {column} = {column}",
    "delete": "delete from {table}",
    "truncate": "truncate {table} cascade",
    "lock rows": "select {column} from {table} for update",
    "merge": "merge into {table} using (values (1)) as one (n) on true when matched then delete",
}


def statements(world: World, table: str) -> dict[str, sql.Composed]:
    """Return each way to change a table."""
    parts = {"table": sql.Identifier(table), "column": sql.Identifier(changeable_column(world, table))}
    return {verb: sql.SQL(text).format(**parts) for verb, text in VERBS.items()}


def changeable_column(world: World, table: str) -> str:
    row = world.connection.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
        " and attidentity = '' and attgenerated = '' order by attnum limit 1",
        [table],
    ).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("table", READS)
def test_every_change_is_refused(world: World, table: str) -> None:
    ways = statements(world, table)
    for client in UNTRUSTED:
        with world.client(client) as connection:
            done = {verb: outcome(connection, statement) for verb, statement in ways.items()}
        assert done == dict.fromkeys(ways, denied(table)), client.name


def denied(table: str) -> str:
    return f"permission denied for table {table}"


def outcome(connection: psycopg.Connection, statement: sql.Composed) -> int | str:
    """Return the number of rows that a statement changed, or why it was refused."""
    try:
        with connection.transaction(force_rollback=True):
            return connection.execute(statement).rowcount
    except (InsufficientPrivilege, ForeignKeyViolation) as error:
        return str(error.diag.message_primary)


def test_every_column_is_refused(world: World) -> None:
    """Rights on single columns too."""
    found = world.connection.execute(
        "select relname, grantee from pg_class, unnest(array['anon', 'authenticated']) grantee"
        " where relnamespace = 'public'::regnamespace and relkind = 'r'"
        " and has_any_column_privilege(grantee, oid, 'insert, update, references')"
    ).fetchall()
    assert found == []


@pytest.mark.parametrize("table", READS)
def test_the_service_role_changes_every_row(world: World, table: str) -> None:
    """That it adds rows, the world shows: all of it was added so."""
    refused = REFUSED_TO_SERVICE_ROLE.get(table, set())
    ways = statements(world, table)
    with world.client(SERVICE_ROLE) as connection:
        updated, deleted, emptied = (outcome(connection, ways[verb]) for verb in ("update", "delete", "truncate"))
    every = len(world.all_keys[table])
    assert updated == (denied(table) if "update" in refused else every)
    # Rows that others refer to stay for that reason, not for want of a right.
    assert deleted == (denied(table) if "delete" in refused else every) or "violates foreign key" in str(deleted)
    assert emptied == denied(table)
