"""The ledger, the lock and the rights."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from core.errors import ConfigurationError
from core.migrations import MIGRATIONS, read_migrations, upgrade


def test_nothing_is_applied_twice(database_url: str) -> None:
    assert upgrade(database_url) == []


def test_the_ledger_is_supabases_own(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "select version, name from supabase_migrations.schema_migrations order by version"
        ).fetchall()
    assert rows == [(migration.version, migration.name) for migration in read_migrations()]


def test_a_changed_migration_is_refused(database_url: str, tmp_path: Path) -> None:
    for path in MIGRATIONS.glob("*.sql"):
        text = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(text + ("-- changed" if path.name.startswith("003") else ""))
    with pytest.raises(ConfigurationError, match="003_create_uploads was changed"):
        upgrade(database_url, tmp_path)


@pytest.mark.parametrize("name", ["9_short.sql", "010_Upper.sql", "abc.sql", "0100_long.sql"])
def test_names_the_supabase_cli_would_skip_or_misorder_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("select 1")
    with pytest.raises(ConfigurationError):
        read_migrations(tmp_path)


def test_a_number_used_twice_is_refused(tmp_path: Path) -> None:
    for name in ("001_one.sql", "001_two.sql"):
        (tmp_path / name).write_text("select 1")
    with pytest.raises(ConfigurationError, match="twice"):
        read_migrations(tmp_path)


def test_four_at_once_apply_each_once(empty_database_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        applied = [version for versions in pool.map(upgrade, [empty_database_url] * 4) for version in versions]
    assert sorted(applied) == [migration.version for migration in read_migrations()]


def test_every_table_has_row_level_security_and_anon_has_nothing(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        open_tables = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
            " and not relrowsecurity"
        ).fetchall()
        granted = connection.execute(
            "select table_name from information_schema.role_table_grants"
            " where grantee = 'anon' and table_schema in ('public', 'langgraph')"
        ).fetchall()
        writes = connection.execute(
            "select table_name, privilege_type from information_schema.role_table_grants"
            " where grantee = 'authenticated' and table_schema = 'public' and privilege_type <> 'SELECT'"
        ).fetchall()
    assert (open_tables, granted, writes) == ([], [], [])


def test_an_uploader_sees_only_what_is_theirs(database_url: str) -> None:
    """Row level security as Supabase's API would use it: role and claims set for one transaction."""
    with psycopg.connect(database_url) as connection:
        connection.execute("begin")
        season = connection.execute("insert into seasons (name) values ('rls') returning id").fetchone()[0]
        people = [
            connection.execute(
                "insert into profiles (email, role) values (%s, 'uploader') returning id", [f"{name}@example.org"]
            ).fetchone()[0]
            for name in ("rls-one", "rls-two")
        ]
        for person in people:
            connection.execute(
                "insert into upload_batches (season_id, uploaded_by) values (%s, %s)", [season, person]
            )
        connection.execute("set local role authenticated")

        def seen(role: str) -> int:
            claims = f'{{"sub": "{people[0]}", "app_metadata": {{"role": "{role}"}}}}'
            connection.execute("select set_config('request.jwt.claims', %s, true)", [claims])
            return connection.execute(
                "select count(*) from upload_batches where season_id = %s", [season]
            ).fetchone()[0]

        assert (seen("uploader"), seen("reviewer")) == (1, 2)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update submissions set status = 'resolved'")
        connection.rollback()
