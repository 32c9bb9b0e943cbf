"""A database before its first migration, and the database of a Supabase project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from core.database import upgrade
from core.embedded.handles import PostgresHandle
from tests.support import supabase_project
from tests.support.parts import is_there
from tests.support.pooler import pooled
from tests.support.services import empty_database
from tests.support.supabase_project import Project


@pytest.fixture
def empty_database_url(postgres_server: PostgresHandle, slot: int) -> Iterator[str]:
    """The URL of a database with nothing in it."""
    with empty_database(postgres_server.dsn, slot, "empty") as url:
        yield url


@pytest.fixture(scope="session")
def supabase(services_dir: Path) -> Iterator[Project]:
    """A server as Supabase gives it."""
    with supabase_project.started(services_dir) as project:
        yield project


@pytest.fixture(scope="session")
def project_url(supabase: Project, slot: int) -> Iterator[str]:
    """The URL of a project's database, migrated as its `postgres`."""
    with supabase.database(slot, "project") as url:
        with _session_pooler(supabase, url) as address:
            upgrade(address)
        yield url


@pytest.fixture(scope="session")
def session_url(supabase: Project, project_url: str) -> Iterator[str]:
    """The same database by the session pooler."""
    with _session_pooler(supabase, project_url) as address:
        yield address


def _session_pooler(project: Project, url: str) -> AbstractContextManager[str]:
    """The database itself where there is no pgbouncer: `test_poolers` counts that as skipped."""
    return pooled(url, project.var_dir, "session") if is_there("pgbouncer") else nullcontext(url)
