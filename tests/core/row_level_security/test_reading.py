"""Every table is read by whom ADR 27 names, and by nobody else."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, InvalidTextRepresentation

from services.accounts.person import Role
from tests.core.row_level_security.clients import (
    ACTIVE_CLIENTS,
    ANON,
    ANON_WITH_CLAIMS,
    SERVICE_ROLE,
    SHUT_CLIENTS,
    Client,
    World,
)
from tests.core.row_level_security.expected import HIDDEN, READS, ROLES

ADMIN = ACTIVE_CLIENTS[ROLES.index("admin")]
#: Tables whose rows are nobody's own.
ONE_FOR_ALL = ("seasons", "form_generation")
OFFICER = ACTIVE_CLIENTS[ROLES.index("officer")]


def test_every_table_is_in_the_data(world: World) -> None:
    assert set(READS) == set(world.key_columns)
    assert all(len(letters) == len(ROLES) for letters in READS.values())
    # What is compared below tells own rows from those of others.
    assert all(world.own_keys[table] < world.all_keys[table] for table in READS if table not in ONE_FOR_ALL)


@pytest.mark.parametrize("table", READS)
def test_each_client_reads_what_it_may(world: World, table: str) -> None:
    expected = dict(zip(ROLES, READS[table], strict=True))
    expected |= {client.name: "x" if READS[table] == "xxxxx" else "-" for client in SHUT_CLIENTS}
    expected |= {ANON.name: "x", ANON_WITH_CLAIMS.name: "x", SERVICE_ROLE.name: "a"}
    clients = (*ACTIVE_CLIENTS, *SHUT_CLIENTS, ANON, ANON_WITH_CLAIMS, SERVICE_ROLE)
    assert {client.name: seen(world, client, table) for client in clients} == expected


def seen(world: World, client: Client, table: str) -> str:
    """Return what a client reads of a table as a letter of `READS`; other rows than any of these as text."""
    found = world.keys_seen(client, table)
    if found is None:
        return "x"
    kinds = {"-": set(), "a": world.all_keys[table], "o": world.own_keys[table]}
    return next((letter for letter, keys in kinds.items() if found == keys), f"other rows: {found}")


@pytest.mark.parametrize("table", [table for table, letters in READS.items() if letters != "xxxxx"])
def test_columns_of_the_app_are_refused(world: World, table: str) -> None:
    found = world.connection.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped",
        [table],
    )
    columns = {row[0] for row in found}
    with world.client(ADMIN) as connection:
        refused = {column for column in columns if is_refused(connection, table, column)}
    assert refused == HIDDEN.get(table, set())


def is_refused(connection: psycopg.Connection, table: str, column: str) -> bool:
    statement = sql.SQL("select {} from {}").format(sql.Identifier(column), sql.Identifier(table))
    try:
        with connection.transaction():
            connection.execute(statement)
    except InsufficientPrivilege:
        return True
    return False


@pytest.mark.parametrize("client", ACTIVE_CLIENTS, ids=lambda client: client.name)
def test_permissions_are_those_of_the_app(world: World, client: Client) -> None:
    role = Role(client.name)
    with world.client(client) as connection:
        found = connection.execute(
            "select person_id(), sees_all(), oversees(), reads_reports(), may_administer()"
        ).fetchone()
    expected = (role.sees_all, role.oversees, role.reads_reports, role.may_administer)
    assert found == (world.mine["person"], *expected)


@pytest.mark.parametrize("client", SHUT_CLIENTS, ids=lambda client: client.name)
def test_who_is_shut_out_has_no_permission(world: World, client: Client) -> None:
    with world.client(client) as connection:
        found = connection.execute(
            "select person_id(), person_role(), sees_all(), oversees(), reads_reports(), may_administer()"
        ).fetchone()
    assert found == (None, None, False, False, False, False)


def test_a_token_of_no_person_is_an_error(world: World) -> None:
    with pytest.raises(InvalidTextRepresentation), world.client(ADMIN) as connection:
        connection.execute("select set_config('request.jwt.claims', '{\"sub\": \"admin\"}', true)")
        connection.execute("select id from submissions")


def test_a_removed_document_is_gone_with_its_passages(world: World) -> None:
    document = str(world.mine["document"])
    with world.connection.transaction(force_rollback=True):
        world.connection.execute("update library_documents set status = 'removed' where id = %s", [document])
        assert world.keys_seen(OFFICER, "library_documents") == world.all_keys["library_documents"] - {document}
        passages = world.all_keys["library_passages"] - {f"{document} 0"}
        assert world.keys_seen(OFFICER, "library_passages") == passages


@pytest.mark.parametrize("schema", ["langgraph", "supabase_migrations", "embeddings"])
@pytest.mark.parametrize("client", [*ACTIVE_CLIENTS, ANON, SERVICE_ROLE], ids=lambda client: client.name)
def test_checkpoints_and_the_ledger_are_of_the_app(world: World, client: Client, schema: str) -> None:
    tables = world.connection.execute("select tablename from pg_tables where schemaname = %s", [schema]).fetchall()
    assert tables
    for (table,) in tables:
        with pytest.raises(InsufficientPrivilege), world.client(client) as connection:
            connection.execute(sql.SQL("select 1 from {}").format(sql.Identifier(schema, table)))


def test_the_role_of_a_person_is_looked_up_once_a_statement(world: World) -> None:
    with world.client(ADMIN) as connection:
        plan = explain(connection, "select id from submissions")
    assert "InitPlan" in plan and "person_id()" not in plan


def test_no_policy_is_asked_for_the_app(world: World) -> None:
    """Its role owns the tables."""
    for table in READS:
        assert "Filter" not in explain(world.connection, f"select * from {table}"), table


def explain(connection: psycopg.Connection, statement: str) -> str:
    return "\n".join(row[0] for row in connection.execute(f"explain {statement}".encode()))
