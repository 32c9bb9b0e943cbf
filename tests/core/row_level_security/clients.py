"""Clients as Supabase's API lets them in: with a role of the database and the claims of a token."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from tests.core.row_level_security.expected import ROLES
from tests.core.row_level_security.rows import add_rows, add_season

#: What the world's person is made for the time of a client.
ACTIVE = {"is_active": True, "is_demo": False}


@dataclass(frozen=True)
class Client:
    """Who asks: a role of the database, and how the person of the token stands in `profiles`."""

    name: str
    role: LiteralString
    #: Columns of the person's row; None: the token's person has no row.
    profile: dict[str, Any] | None = None
    has_token: bool = True


ACTIVE_CLIENTS = tuple(Client(role, "authenticated", {"role": role, **ACTIVE}) for role in ROLES)
SHUT_CLIENTS = (
    *(Client(f"closed {role}", "authenticated", {"role": role, "is_active": False}) for role in ROLES),
    *(Client(f"demo {role}", "authenticated", {"role": role, "is_demo": True}) for role in ROLES),
    Client("without profile", "authenticated"),
    Client("without claims", "authenticated", has_token=False),
)
ANON = Client("anon", "anon", has_token=False)
#: The role of strangers with the token of an admin.
ANON_WITH_CLAIMS = Client("anon with claims", "anon", {"role": "admin", **ACTIVE})
SERVICE_ROLE = Client("service_role", "service_role", has_token=False)
#: All that may change nothing.
UNTRUSTED = (*ACTIVE_CLIENTS, *SHUT_CLIENTS, ANON, ANON_WITH_CLAIMS)


@dataclass(frozen=True)
class World:
    """An open transaction with rows of three people, of whom one is the person of the clients."""

    connection: psycopg.Connection
    #: Ids of that person's rows.
    mine: dict[str, uuid.UUID]
    #: Keys of the rows of each table as text: of that person, and all.
    own_keys: dict[str, set[str]]
    all_keys: dict[str, set[str]]
    #: Primary keys of the tables.
    key_columns: dict[str, list[str]]

    @contextmanager
    def client(self, client: Client) -> Iterator[psycopg.Connection]:
        """Be somebody else; everything that they did is undone."""
        with self.connection.transaction(force_rollback=True):
            for column, value in (client.profile or {}).items():
                statement = sql.SQL("update profiles set {} = %s where id = %s").format(sql.Identifier(column))
                self.connection.execute(statement, [value, self.mine["person"]])
            sub = self.mine["person"] if client.profile is not None else uuid.uuid4()
            # No right may come of what a token says about a role.
            claims = {"sub": str(sub), "role": client.role, "app_metadata": {"role": "admin"}}
            self.connection.execute(
                "select set_config('request.jwt.claims', %s, true)",
                [json.dumps(claims) if client.has_token else ""],
            )
            self.connection.execute(sql.SQL("set local role {}").format(sql.Identifier(client.role)))
            yield self.connection

    def keys_seen(self, client: Client, table: str) -> set[str] | None:
        """Return the keys that a client reads, or None where it is refused."""
        try:
            with self.client(client) as connection:
                return keys(connection, table, self.key_columns[table])
        except InsufficientPrivilege:
            return None


def keys(connection: psycopg.Connection, table: str, columns: list[str]) -> set[str]:
    """Return the keys of the rows that can be read, as text. Raises InsufficientPrivilege."""
    statement = sql.SQL("select concat_ws(' ', {}) from {}").format(
        sql.SQL(", ").join(map(sql.Identifier, columns)), sql.Identifier(table)
    )
    return {row[0] for row in connection.execute(statement)}


@contextmanager
def open_world(database_url: str) -> Iterator[World]:
    """Rows of three people in two seasons, added as `service_role` and gone at the end."""
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "select c.relname, array_agg(a.attname::text order by a.attnum)"
            " from pg_class c left join pg_index i on i.indrelid = c.oid and i.indisprimary"
            " left join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)"
            " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.relname"
        )
        key_columns: dict[str, list[str]] = dict(found.fetchall())

        def all_keys() -> dict[str, set[str]]:
            connection.execute("reset role")
            return {table: keys(connection, table, columns) for table, columns in key_columns.items()}

        before = all_keys()
        connection.execute("set local role service_role")
        season, another = add_season(connection), add_season(connection)
        mine = add_rows(connection, season)
        own = {table: seen - before[table] for table, seen in all_keys().items()}
        connection.execute("set local role service_role")
        add_rows(connection, season)
        add_rows(connection, another)
        yield World(connection, mine, own, all_keys(), key_columns)
        connection.rollback()
