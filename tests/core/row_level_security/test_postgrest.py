"""A request as PostgREST makes it: its own login, and in one transaction the role and the claims of the token."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from tests.core.row_level_security.expected import READS
from tests.support.supabase_project import AUTHENTICATOR, OWNER, as_role


@pytest.fixture
def person(project_url: str) -> Iterator[uuid.UUID]:
    """A reviewer."""
    with psycopg.connect(project_url, autocommit=True) as connection:
        row = connection.execute(
            "insert into profiles (email, role) values ('eva@example.org', 'reviewer') returning id"
        ).fetchone()
        assert row is not None
        yield row[0]
        connection.execute("delete from profiles where id = %s", row)


@pytest.fixture
def postgrest(project_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(as_role(project_url, AUTHENTICATOR), autocommit=True) as connection:
        yield connection


@contextmanager
def request(connection: psycopg.Connection, role: str, sub: uuid.UUID | None = None) -> Iterator[None]:
    claims = {"role": role} | ({"sub": str(sub), "app_metadata": {"role": "admin"}} if sub else {})
    with connection.transaction():
        connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
        connection.execute("select set_config('request.jwt.claims', %s, true)", [json.dumps(claims)])
        yield


def test_a_request_has_the_rights_of_its_person(postgrest: psycopg.Connection, person: uuid.UUID) -> None:
    with request(postgrest, "authenticated", person):
        assert postgrest.execute("select id, role from profiles").fetchall() == [(person, "reviewer")]
    with request(postgrest, "service_role"):
        assert postgrest.execute("select count(*) from profiles").fetchone() == (1,)
    # What the last request was does not hold for the next.
    with request(postgrest, "authenticated"):
        assert postgrest.execute("select id from profiles").fetchall() == []
    with pytest.raises(InsufficientPrivilege), request(postgrest, "anon"):
        postgrest.execute("select id from profiles")


def test_without_a_role_it_reads_nothing(postgrest: psycopg.Connection) -> None:
    for table in READS:
        with pytest.raises(InsufficientPrivilege):
            postgrest.execute(sql.SQL("select from {}").format(sql.Identifier("public", table)))


def test_it_cannot_become_the_app(postgrest: psycopg.Connection) -> None:
    with pytest.raises(InsufficientPrivilege):
        postgrest.execute(sql.SQL("set role {}").format(sql.Identifier(OWNER)))
