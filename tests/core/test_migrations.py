"""The ledger and the lock."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from commands.data import db_upgrade
from core.config import ROOT, Settings
from core.database import MIGRATIONS, read_migrations, require_upgraded, upgrade
from core.errors import ConfigurationError, DatabaseNotReadyError
from tests.support.schema import schema_of
from tests.support.services import numbered_as_before_1_0

CHECKSUMS = ROOT / "supabase" / "checksums.sha256"


def test_every_migration_has_its_committed_checksum() -> None:
    """A new file NNN is listed by `cd supabase && sha256sum migrations/NNN_*.sql >> checksums.sha256`."""
    lines = CHECKSUMS.read_text(encoding="utf-8").splitlines()
    committed = {name.removeprefix("migrations/"): digest for digest, name in (line.split() for line in lines)}
    present = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in MIGRATIONS.glob("*.sql")}
    assert committed == present


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


def test_a_database_of_the_numbering_before_1_0_is_refused_and_left_alone(
    empty_database_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(empty_database_url)
    numbered_as_before_1_0(empty_database_url)
    before = schema_of(empty_database_url)
    monkeypatch.setattr(
        "commands.data.get_settings", lambda: settings.model_copy(update={"database_url": empty_database_url})
    )
    done = CliRunner().invoke(db_upgrade)
    assert done.exit_code == 1 and "a version before 1.0" in done.output and "`flask restore" in done.output
    # Numbers that both have are not taken for one another: nothing runs on such a database.
    with pytest.raises(DatabaseNotReadyError, match="001, 002"):
        require_upgraded(empty_database_url)
    assert schema_of(empty_database_url) == before
