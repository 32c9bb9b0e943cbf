"""A PostgreSQL with what a Supabase project has before its first migration, and the rights of its `postgres`.

Roles, schemas and default privileges are those that Supabase documents and its image of PostgreSQL makes. Only the
name of the role differs: here `postgres` is the superuser, as `supabase_admin` is in a project.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from core.embedded.handles import start_postgres
from core.embedded.place import ServerPaths
from core.embedded.process import exclusive_lock
from core.embedded.servers import PostgresServer
from tests.support.services import empty_database

#: The project's `postgres`: what people, the CLI, migrations and the app sign in with.
OWNER = "project_postgres"
#: What PostgREST signs in with, before it switches to the role of a request.
AUTHENTICATOR = "authenticator"
_PASSWORD = "four quiet words here"

_ROLES = f"""
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role supabase_auth_admin noinherit createrole login;
create role {AUTHENTICATOR} noinherit login password '{_PASSWORD}';
create role {OWNER} login createdb createrole replication bypassrls password '{_PASSWORD}';
grant anon, authenticated, service_role to {AUTHENTICATOR};
grant anon, authenticated, service_role to {OWNER};
alter role {OWNER} set search_path to "$user", public, extensions;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role {AUTHENTICATOR} set statement_timeout = '8s';
-- Supabase lets its `postgres` set it too; tests empty tables so.
grant set on parameter session_replication_role to {OWNER};
"""

#: By a superuser, in each database.
_DATABASE = f"""
drop extension if exists vector;
create schema extensions;
create extension vector with schema extensions;
create schema auth authorization supabase_auth_admin;
grant usage on schema auth, extensions, public to {OWNER}, anon, authenticated, service_role;
create table auth.users (id uuid primary key, email text, raw_app_meta_data jsonb);
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
alter table auth.users owner to supabase_auth_admin;
alter function auth.uid() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.jwt() owner to supabase_auth_admin;
"""
#: Whatever these make in `public` is granted to everybody.
_DEFAULTS = "".join(
    f"alter default privileges for role {role} in schema public grant all on {things}"
    f" to {OWNER}, anon, authenticated, service_role;\n"
    for role in ("postgres", OWNER)
    for things in ("tables", "functions", "sequences")
)


@dataclass(frozen=True)
class Project:
    """The server of a project."""

    #: Where its data lies, for `pooled`.
    var_dir: Path
    #: Its database `postgres`, as `OWNER`.
    dsn: str

    @contextmanager
    def database(self, slot: int, purpose: str) -> Iterator[str]:
        """The URL of a database as that of a new project, as `OWNER`; dropped at the end."""
        with empty_database(self.dsn, slot, purpose) as url:
            with _server(self.var_dir).connect(urlsplit(url).path[1:]) as connection:
                connection.execute((_DATABASE + _DEFAULTS).encode())
            yield url


@contextmanager
def started(services_dir: Path) -> Iterator[Project]:
    """A server of its own, since roles belong to a server; shared by the test processes of this checkout."""
    var_dir = services_dir / "supabase"
    with exclusive_lock(services_dir / "supabase.lock"):
        var_dir.mkdir(mode=0o755, exist_ok=True)
        handle = start_postgres(var_dir)
        with _server(var_dir).connect() as connection:
            if connection.execute("select from pg_roles where rolname = %s", [OWNER]).fetchone() is None:
                connection.execute(_ROLES.encode())
    with handle:
        yield Project(var_dir, as_role(handle.dsn, OWNER, "postgres"))


def as_role(url: str, role: str, database: str | None = None) -> str:
    """The same address for another role of the project, in the same database unless another is named."""
    given = urlsplit(url)
    path = f"/{database}" if database is not None else given.path
    user = f"{role}:{_PASSWORD.replace(' ', '%20')}"
    return given._replace(netloc=f"{user}@{given.netloc.rpartition('@')[2]}", path=path).geturl()


def _server(var_dir: Path) -> PostgresServer:
    return PostgresServer(ServerPaths.of(var_dir, PostgresServer.name))
